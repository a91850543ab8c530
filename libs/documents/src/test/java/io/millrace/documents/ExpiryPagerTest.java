package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ExpiryPagerTest {

    private final StoreKit.Clock clock = new StoreKit.Clock();
    private final DocumentStore store = new MemoryDocumentStore(clock);

    @Test
    void pager_turnsDueDocumentsOfAllBucketsIntoTombstones() {
        for (String bucket : List.of("a", "b")) {
            await(store.catalog().createBucket(bucket, 2));
            put(bucket);
        }
        clock.advance(Duration.ofSeconds(10));

        try (ExpiryPager pager = new ExpiryPager(store, Duration.ofMillis(1));
                ChangeFeed feed = store.changes("b", 0, await(store.highSeqno("b", 0)))) {
            CompletableFuture<List<Mutation>> expired = feed.next(1);
            pager.start();

            assertThat(await(expired).getFirst().document().state()).isEqualTo(Document.State.EXPIRED);
            assertThat(await(store.count(Keyspace.of("a")))).isZero();
        }
    }

    private void put(String bucket) {
        DocumentKey key = new DocumentKey(Keyspace.of(bucket), "foo");
        await(store.write(Write.upsert(key, bytes("1"))
                .withExpiry(Expiry.at(clock.instant().plusSeconds(5)))));
    }
}
