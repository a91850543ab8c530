package io.millrace.subdocservice.kv.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.forwarding.ForwardingDocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A scan whose store fails for a moment. */
class RangeScanFailureTest {

    private static final Keyspace ORDERS = Keyspace.of("orders");
    private static final List<String> IDS =
            IntStream.range(10, 60).mapToObj(number -> "id-" + number).toList();

    /** Fails one read: that of the document in the middle. */
    private static final class FailsOnce extends ForwardingDocumentStore {

        private final DocumentStore behind;
        private boolean failed;

        FailsOnce(DocumentStore behind) {
            this.behind = behind;
        }

        @Override
        protected DocumentStore behind() {
            return behind;
        }

        @Override
        public CompletableFuture<Optional<Document>> get(DocumentKey key) {
            if (!failed && key.id().equals(IDS.get(IDS.size() / 2))) {
                failed = true;
                return CompletableFuture.failedFuture(
                        DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "for a moment"));
            }
            return super.get(key);
        }
    }

    @Test
    void documents_afterAFailure_areThoseThatTheClientDoesNotHave() {
        MemoryDocumentStore behind = new MemoryDocumentStore(InstantSource.system());
        behind.catalog().createBucket(ORDERS.bucket(), 1).join();
        for (String id : IDS) {
            behind.write(Write.upsert(new DocumentKey(ORDERS, id), "{}".getBytes(StandardCharsets.UTF_8)))
                    .join();
        }
        RangeScan scan = new RangeScan(new FailsOnce(behind), InstantSource.system(), "ann", ORDERS, IDS, false);

        assertThat(next(scan)).isCompletedExceptionally();

        assertThat(scan.complete()).isFalse();
        assertThat(next(scan).join())
                .extracting(document -> document.key().id())
                .isEqualTo(IDS);
        assertThat(scan.complete()).isTrue();
    }

    private static CompletableFuture<List<Document>> next(RangeScan scan) {
        return scan.documents(IDS.size(), 1_000, Long.MAX_VALUE);
    }
}
