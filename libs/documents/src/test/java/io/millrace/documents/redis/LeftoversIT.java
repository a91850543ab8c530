package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.notify.ChangeNotifier;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stays in Redis of what was dropped: nothing. */
class LeftoversIT {

    private static final Expiry LATER = Expiry.at(Instant.now().plusSeconds(3600));

    private final RedisKit kit = RedisKit.shared();
    private final String bucket = StoreKit.uniqueBucket();
    private final Keyspace other = new Keyspace(bucket, "s", "c");
    private final DocumentStore store = kit.store(InstantSource.system());

    @BeforeEach
    void createBucket() {
        await(store.catalog().createBucket(bucket, 4));
        await(store.catalog().createScope(bucket, "s"));
        await(store.catalog().createCollection(other));
    }

    @Test
    void dropCollection_leavesNoKeysBehind() {
        fill(other, 2500);

        await(store.catalog().dropCollection(other));

        assertThat(keys()).allMatch(key -> key.endsWith(":m"));
        assertThat(kit.console().hkeys("mr:{" + bucket + ".0}:m"))
                .containsExactlyInAnyOrder("gate", "n", "t", "run", "c:0");
    }

    @Test
    void dropBucket_leavesNoKeysBehind() {
        fill(other, 500);
        fill(Keyspace.of(bucket), 500);

        await(store.catalog().dropBucket(bucket));

        assertThat(keys()).isEmpty();
    }

    @Test
    void dropBucket_underWritersElsewhere_leavesNoKeysBehind() {
        DocumentStore stale = kit.store(InstantSource.system(), ChangeNotifier.SILENT, Duration.ofHours(1));
        await(stale.count(other));
        List<CompletableFuture<WriteResult>> writes = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            if (i == 1000) {
                writes.forEach(StoreKit::await);
                await(store.catalog().dropBucket(bucket));
            }
            writes.add(stale.write(
                    Write.upsert(new DocumentKey(other, "d" + i), bytes("{}")).withExpiry(LATER)));
        }

        for (CompletableFuture<WriteResult> refused : writes.subList(1000, 3000)) {
            assertThatThrownBy(() -> await(refused))
                    .isInstanceOfSatisfying(
                            DocumentsException.class, e -> assertThat(e.code()).isEqualTo(Code.BUCKET_NOT_FOUND));
        }
        assertThat(keys()).isEmpty();
    }

    @Test
    void dropCollection_underWritersElsewhere_leavesNoKeysBehind() {
        DocumentStore stale = kit.store(InstantSource.system(), ChangeNotifier.SILENT, Duration.ofHours(1));
        DocumentKey key = new DocumentKey(other, "k");
        await(stale.write(Write.upsert(key, bytes("{}"))));

        await(store.catalog().dropCollection(other));

        assertThatThrownBy(() -> await(stale.write(Write.upsert(key, bytes("{}")))))
                .isInstanceOfSatisfying(
                        DocumentsException.class, e -> assertThat(e.code()).isEqualTo(Code.COLLECTION_NOT_FOUND));
        assertThat(keys()).allMatch(name -> name.endsWith(":m"));
    }

    @Test
    void drop_thatWasCutShort_isFinishedByTheNextBucketOfThatName() {
        fill(other, 50);
        byte[] dropped =
                CatalogCache.encode(CatalogCache.decode(bytes(kit.console().hget("mr:catalog", bucket)))
                        .drop());
        kit.console().hset("mr:catalog", bucket, StoreKit.text(dropped));

        await(kit.store(InstantSource.system()).catalog().createBucket(bucket, 1));

        assertThat(keys()).containsExactly("mr:{" + bucket + ".0}:m");
    }

    @Test
    void sweep_thatWasCutShort_isFinishedByTheNextDrop() {
        fill(other, 50);
        Keyspace next = new Keyspace(bucket, "s", "next");
        await(store.catalog().createCollection(next));
        byte[] cut = CatalogCache.encode(CatalogCache.decode(bytes(kit.console().hget("mr:catalog", bucket)))
                .withoutCollection(other));
        kit.console().hset("mr:catalog", bucket, StoreKit.text(cut));

        await(store.catalog().dropCollection(next));

        assertThat(keys()).allMatch(name -> name.endsWith(":m"));
    }

    private void fill(Keyspace keyspace, int documents) {
        List<CompletableFuture<WriteResult>> writes = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            DocumentKey key = new DocumentKey(keyspace, "d" + i);
            writes.add(store.write(Write.upsert(key, bytes("{}"))
                    .withExpiry(i % 3 == 0 ? LATER : Expiry.NEVER)
                    .withXattrs(null, bytes("{\"_s\":1}"))));
            if (i % 5 == 0) {
                writes.add(store.write(Write.remove(key)));
            }
        }
        writes.forEach(StoreKit::await);
    }

    private List<String> keys() {
        return kit.console().keys("mr:{" + bucket + ".*");
    }
}
