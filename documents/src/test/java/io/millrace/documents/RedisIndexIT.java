package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisIndexIT extends IndexContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
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
