package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangeFeedContract;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RedisChangeFeedIT extends ChangeFeedContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }

    @Test
    void next_behindAStateThatWasReturnedAheadOfItsRow_isEmptyAndTellsHowFarTheFeedIs() {
        DocumentStore store = RedisKit.shared().store(InstantSource.system());
        String bucket = StoreKit.uniqueBucket();
        DocumentKey key = new DocumentKey(Keyspace.of(bucket), "a");
        await(store.catalog().createBucket(bucket, 1));
        await(store.write(Write.upsert(key, bytes("1"))));
        AtomicBoolean changed = new AtomicBoolean();

        try (ChangeFeed feed = store.changes(bucket, 0, 0, vbucket -> {
            // asked between the reading of the row and that of the document
            if (!changed.getAndSet(true)) {
                var unused = store.write(Write.upsert(key, bytes("2")));
            }
            return true;
        })) {
            Mutation mutation = await(feed.next(10)).getFirst();
            long newest = await(store.highSeqno(bucket, 0));

            assertThat(mutation.document().seqno()).isEqualTo(newest).isGreaterThan(mutation.seqno());
            assertThat(await(feed.next(10))).isEmpty();
            assertThat(feed.position()).isEqualTo(newest);
            assertThat(await(store.backlog(bucket, 0, feed.position()))).isZero();
        }
    }
}
