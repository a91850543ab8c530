package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.FlushMode;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.WriteResult.Written;
import io.millrace.testkit.OwnRedis;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Several writes of one document while Redis has been restarted: the first finds its shard closed, or its function gone, and
 * before the client learns that, another client has made the repair. So the later writes could be carried out.
 */
class RepairOrderIT {

    private final OwnRedis redis = OwnRedis.startVolatile();
    private final RedisKit kit = new RedisKit(redis.url());
    private final RedisDocumentStore other = kit.store(InstantSource.system());
    private final RedisDocumentStore store = new RedisDocumentStore(
            () -> CompletableFuture.completedStage(overtaken()),
            () -> CompletableFuture.completedStage(overtaken()),
            kit.notifier,
            InstantSource.system(),
            Limits.SLOW_POLL,
            ReadRoom.UNLIMITED);
    private final AtomicBoolean overtake = new AtomicBoolean();

    @BeforeEach
    void createBucket() {
        await(store.catalog().createBucket("b", 1));
        await(store.write(Write.insert(key("d"), bytes("0"))));
    }

    @AfterEach
    void close() {
        store.close();
        other.close();
        kit.close();
        redis.close();
    }

    @Test
    void shardThatWasClosed_keepsTheOrderOfADocument() {
        kit.console().hset("mr:{b.0}:m", "run", "an earlier one");

        assertOrder();
    }

    @Test
    void functionsThatWereGone_keepTheOrderOfADocument() {
        kit.console().functionFlush(FlushMode.SYNC);

        assertOrder();
    }

    private void assertOrder() {
        overtake.set(true);

        List<CompletableFuture<WriteResult>> answers = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> store.write(Write.upsert(key("d"), bytes("" + i))))
                .toList();

        assertThat(answers.stream().map(StoreKit::await).map(answer -> ((Written) answer).seqno()))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(text(await(store.get(key("d"))).orElseThrow().body())).isEqualTo("20");
        assertThat(await(other.get(key("other")))).isPresent();
    }

    /** Once, the answer to a write comes after a write of another client, which makes whatever repair is needed. */
    @SuppressWarnings("unchecked")
    private RedisClusterAsyncCommands<byte[], byte[]> overtaken() {
        RedisClusterAsyncCommands<byte[], byte[]> commands = kit.connection().async();
        return (RedisClusterAsyncCommands<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RedisClusterAsyncCommands.class},
                (proxy, method, arguments) -> {
                    boolean write = method.getName().equals("fcall")
                            && arguments[0].toString().endsWith("_write");
                    try {
                        Object answer = method.invoke(commands, arguments);
                        return write && overtake.compareAndSet(true, false) ? after((RedisFuture<?>) answer) : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private <T> RedisFuture<T> after(RedisFuture<T> answer) {
        CompletionStage<?> repaired = answer.handle(
                        (value, failure) -> other.write(Write.upsert(key("other"), bytes("1"))))
                .thenCompose(written -> written);
        return new PipelinedRedisFuture<>(repaired.thenCompose(done -> answer));
    }

    private static DocumentKey key(String id) {
        return new DocumentKey(Keyspace.of("b"), id);
    }
}
