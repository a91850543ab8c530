package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.DocumentIndexes;
import io.millrace.documents.DocumentIndexes.ByteRange;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.IdRange;
import io.millrace.documents.IndexContract;
import io.millrace.documents.Keyspace;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class RedisIndexIT extends IndexContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }

    @Test
    void documentsMissingFromTheIds_areAdded() {
        DocumentStore store = open(InstantSource.system());
        String bucket = StoreKit.uniqueBucket();
        Keyspace keyspace = Keyspace.of(bucket);
        await(store.catalog().createBucket(bucket, 2));
        for (int i = 0; i < 30; i++) {
            await(store.write(Write.upsert(new DocumentKey(keyspace, "d" + (10 + i)), bytes("1"))));
        }
        await(store.write(Write.remove(new DocumentKey(keyspace, "d10"))));
        RedisKit.shared().console().del("mr:{" + bucket + ".0}:i", "mr:{" + bucket + ".1}:i");
        await(store.write(Write.upsert(new DocumentKey(keyspace, "new"), bytes("1"))));
        assertThat(await(store.ids(keyspace, IdRange.ALL, 100))).containsExactly("new");

        await(store.indexes().completeIds(keyspace));

        assertThat(await(store.ids(keyspace, IdRange.ALL, 100)))
                .hasSize(30)
                .startsWith("d11")
                .endsWith("new");
    }

    @Test
    void latePage_doesNotRevertTheIndex() throws InterruptedException {
        DocumentStore store = open(InstantSource.system());
        Keyspace keyspace = Keyspace.of(StoreKit.uniqueBucket());
        DocumentKey key = new DocumentKey(keyspace, "d");
        await(store.catalog().createBucket(keyspace.bucket(), 1));
        await(store.indexes().open(keyspace, "i"));
        await(store.write(Write.upsert(key, bytes("old"))));
        CountDownLatch read = new CountDownLatch(1);
        CompletableFuture<Boolean> goOn = new CompletableFuture<>();
        CompletableFuture<Void> late = store.indexes().update(new DocumentIndexes.Index(keyspace, "i", document -> {
            read.countDown();
            goOn.orTimeout(60, TimeUnit.SECONDS).join(); // the pool puts another thread in place of this one
            return List.of(document.body());
        }));
        assertThat(read.await(60, TimeUnit.SECONDS)).isTrue();
        await(store.write(Write.upsert(key, bytes("new"))));
        DocumentIndexes.Index index = new DocumentIndexes.Index(keyspace, "i", document -> List.of(document.body()));
        DocumentStore other = open(InstantSource.system());
        await(other.indexes().update(index));

        goOn.complete(true);
        await(late);

        assertThat(await(other.indexes().progress(keyspace, "i"))).isEqualTo(1);
        assertThat(await(other.indexes().scan(index, new ByteRange(new byte[0], null), false, 9)))
                .containsExactly(bytes("new"));
    }

    /** Entries of a long page are read between two checks: something may happen to the index there. */
    private final class LongPage {

        private final String bucket = StoreKit.uniqueBucket();
        private final Keyspace keyspace = Keyspace.of(bucket);
        private final DocumentIndexes.Index index = new DocumentIndexes.Index(
                keyspace, "i", document -> List.of(bytes(document.key().id())));
        private final DocumentStore real = open(InstantSource.system());
        private final DocumentStore store = new RedisDocumentStore(
                () -> RedisKit.shared().commands().thenApply(this::watched),
                RedisKit.shared().notifier,
                InstantSource.system(),
                ReadRoom.UNLIMITED);
        private UnaryOperator<CompletableFuture<?>> entries = read -> read;
        private UnaryOperator<CompletableFuture<?>> check = read -> read;

        LongPage() {
            await(real.catalog().createBucket(bucket, 1));
            await(real.indexes().open(keyspace, "i"));
            for (int i = 0; i < 3; i++) {
                await(real.write(Write.upsert(new DocumentKey(keyspace, "d" + i), bytes("1"))));
            }
            assertThat(ids()).containsExactly("d0", "d1", "d2");
        }

        List<String> ids() {
            return await(store.indexes().scan(index, new ByteRange(new byte[0], null), false, 100)).stream()
                    .map(StoreKit::text)
                    .toList();
        }

        @SuppressWarnings("unchecked")
        private RedisClusterAsyncCommands<byte[], byte[]> watched(RedisClusterAsyncCommands<byte[], byte[]> redis) {
            return proxy(RedisClusterAsyncCommands.class, (proxy, method, args) -> {
                Object answer = method.invoke(redis, args);
                return switch (method.getName()) {
                    case "zrangebylex" -> future(entries.apply((CompletableFuture<?>) answer));
                    case "fcallReadOnly" -> future(check.apply((CompletableFuture<?>) answer));
                    default -> answer;
                };
            });
        }

        private static RedisFuture<?> future(CompletableFuture<?> answer) {
            return proxy(RedisFuture.class, (proxy, method, args) -> method.invoke(answer, args));
        }

        private static <T> T proxy(Class<T> type, InvocationHandler handler) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
        }
    }

    @Test
    void longPage_ofAnIndexThatIsDroppedMeanwhile_isNotEmpty() {
        LongPage page = new LongPage();
        page.check = checked -> {
            page.check = read -> read;
            checked.join();
            await(page.real.indexes().drop(page.keyspace, "i"));
            return checked;
        };

        assertThatThrownBy(page::ids).isInstanceOf(DocumentsException.class).hasMessageContaining("index");
    }

    @Test
    void longPage_fromAnotherRunOfRedis_isReadAgain() {
        LongPage page = new LongPage();
        page.entries = read -> CompletableFuture.completedFuture(List.of());
        page.check = before -> {
            page.check = after -> {
                page.check = read -> read;
                return CompletableFuture.completedFuture(List.of(bytes("O"), bytes("another run")));
            };
            return before;
        };

        assertThat(page.ids()).containsExactly("d0", "d1", "d2");
    }

    @Test
    void droppedCollection_leavesNothingOfItsIndexes() {
        DocumentStore store = open(InstantSource.system());
        String bucket = StoreKit.uniqueBucket();
        Keyspace keyspace = new Keyspace(bucket, Keyspace.DEFAULT, "c");
        await(store.catalog().createBucket(bucket, 2));
        await(store.catalog().createCollection(keyspace));
        await(store.indexes().open(keyspace, "i"));
        for (int i = 0; i < 10; i++) {
            await(store.write(Write.upsert(new DocumentKey(keyspace, "d" + i), bytes("1"))));
        }
        await(store.indexes()
                .update(new DocumentIndexes.Index(
                        keyspace, "i", document -> List.of(bytes(document.key().id())))));
        assertThat(RedisKit.shared().console().keys("mr:{" + bucket + ".*}:[no]*"))
                .hasSize(6);

        await(store.catalog().dropCollection(keyspace));

        assertThat(RedisKit.shared().console().keys("mr:{" + bucket + ".*}:[no]*"))
                .isEmpty();
    }
}
