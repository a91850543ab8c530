package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentIndexes;
import io.millrace.documents.DocumentIndexes.ByteRange;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.IdRange;
import io.millrace.documents.IndexContract;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
