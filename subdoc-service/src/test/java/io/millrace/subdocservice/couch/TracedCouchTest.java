package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdocservice.traces.WriteTraces;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TraceSampler;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes by the CouchDB API are followed as those by other ways are. */
class TracedCouchTest {

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final CouchKit couch =
            new CouchKit(store, new WriteTraces(new TraceSampler(1000, 0, System::nanoTime), spans::addAll));

    @BeforeEach
    void createBucket() {
        store.catalog().createBucket("b", 1).join();
    }

    @AfterEach
    void stop() {
        couch.close();
    }

    @Test
    void revision_isASpanAndCarriesItsTrace() {
        couch.send("PUT", "b/a", "{\"n\":1}");

        assertThat(spans).hasSize(1);
        Span span = spans.getFirst();
        assertThat(span.name()).isEqualTo("PUT");
        assertThat(span.attributes())
                .containsEntry(Attribute.DOOR, "couch")
                .containsEntry(Attribute.KEYSPACE, "b._default._default")
                .containsEntry(Attribute.DOCUMENT, "a");
        var origin = store.get(new DocumentKey(Keyspace.of("b"), "a"))
                .join()
                .orElseThrow()
                .origin();
        assertThat(Objects.requireNonNull(Objects.requireNonNull(origin).trace())
                        .spanId())
                .isEqualTo(span.span());
    }

    @Test
    void replicatedRevisions_areFollowedAsWell() {
        couch.send("POST", "b/_bulk_docs", """
                {"new_edits": false, "docs": [{"_id": "x", "_rev": "1-abc", "n": 1}, {"_id": "y", "_rev": "1-abd", "n": 2}]}""");

        assertThat(spans).extracting(span -> span.attribute(Attribute.DOCUMENT)).containsExactlyInAnyOrder("x", "y");
    }
}
