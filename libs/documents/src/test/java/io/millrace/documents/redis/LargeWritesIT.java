package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Large documents are written over the connection of all other commands, but do not keep these waiting one after another. */
class LargeWritesIT {

    private static final byte[] LARGE = new byte[Limits.MAX_BYTES_AMONG_OTHERS + 1];
    private static final byte[] SMALL = new byte[10];
    private static final int COUNT = 10;

    private final OwnRedis redis = OwnRedis.startVolatile();
    private final RedisKit kit = new RedisKit(redis.url());
    private final AtomicInteger large = new AtomicInteger();
    private final AtomicInteger mostLarge = new AtomicInteger();
    private final RedisDocumentStore store = new RedisDocumentStore(
            this::counted, this::counted, kit.notifier, InstantSource.system(), Limits.SLOW_POLL, ReadRoom.UNLIMITED);

    @BeforeEach
    void createBuckets() {
        await(store.catalog().createBucket("b", 1));
        await(store.catalog().createBucket("c", 1));
        await(store.write(Write.insert(key("b", "first"), SMALL)));
        await(store.write(Write.insert(key("c", "first"), SMALL)));
    }

    @AfterEach
    void close() {
        store.close();
        kit.close();
        redis.close();
    }

    @Test
    void smallWrites_overtakeLargeOnesThatWait() {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            writes.add(Write.insert(key("b", "large" + i), LARGE));
        }
        for (int i = 0; i < COUNT; i++) {
            writes.add(Write.insert(key("b", "small" + i), SMALL));
        }

        List<Long> seqnos = all(writes);

        assertThat(seqnos.subList(COUNT, 2 * COUNT)).allMatch(small -> small < seqnos.get(COUNT - 1));
        assertThat(seqnos.get(COUNT)).isLessThan(seqnos.get(1));
        assertThat(seqnos.subList(0, COUNT)).isSorted();
    }

    @Test
    void largeWrites_ofAllShards_areSentOneAtATime() {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            writes.add(Write.insert(key("b", "d" + i), LARGE));
            writes.add(Write.insert(key("c", "d" + i), LARGE));
        }

        assertThat(all(writes)).hasSize(2 * COUNT);
        assertThat(mostLarge).hasValue(1);
    }

    @Test
    void writesOfOneDocument_keepTheirOrder() {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            writes.add(Write.upsert(key("b", "d"), LARGE));
            writes.add(Write.upsert(key("b", "d"), SMALL));
            writes.add(Write.upsert(key("b", "other"), SMALL));
        }

        List<Long> seqnos = all(writes);

        for (int other = 2; other < seqnos.size(); other += 3) {
            assertThat(seqnos.get(other - 1)).isGreaterThan(seqnos.get(other - 2));
            assertThat(seqnos.get(other - 2)).isGreaterThan(other > 3 ? seqnos.get(other - 4) : 0L);
        }
        assertThat(await(store.get(key("b", "d"))).orElseThrow().body()).isEqualTo(SMALL);
    }

    /** Redis takes no writes until all of them wait, so their order does not depend on timing. */
    private List<Long> all(List<Write> writes) {
        client(new CommandArgs<>(StringCodec.UTF8).add("PAUSE").add(10_000).add("WRITE"));
        List<CompletableFuture<WriteResult>> answers =
                writes.stream().map(store::write).toList();
        client(new CommandArgs<>(StringCodec.UTF8).add("UNPAUSE"));
        return answers.stream()
                .map(StoreKit::await)
                .map(answer -> ((Written) answer).seqno())
                .toList();
    }

    private void client(CommandArgs<String, String> arguments) {
        kit.console().dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8), arguments);
    }

    /** Returns commands that count how many calls with a large document are on their way at the same time. */
    @SuppressWarnings("unchecked")
    private CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> counted() {
        RedisClusterAsyncCommands<byte[], byte[]> commands = kit.connection().async();
        return CompletableFuture.completedStage((RedisClusterAsyncCommands<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RedisClusterAsyncCommands.class},
                (proxy, method, arguments) -> {
                    boolean counts = method.getName().equals("fcall") && isLarge((byte[][]) arguments[3]);
                    try {
                        if (counts) {
                            mostLarge.accumulateAndGet(large.incrementAndGet(), Math::max);
                        }
                        Object answer = method.invoke(commands, arguments);
                        return counts ? uncounted((RedisFuture<?>) answer) : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static boolean isLarge(byte[][] arguments) {
        return Arrays.stream(arguments).anyMatch(argument -> argument.length >= LARGE.length);
    }

    private <T> RedisFuture<T> uncounted(RedisFuture<T> answer) {
        return new PipelinedRedisFuture<>(answer.whenComplete((value, failure) -> large.decrementAndGet()));
    }

    private static DocumentKey key(String bucket, String id) {
        return new DocumentKey(Keyspace.of(bucket), id);
    }
}
