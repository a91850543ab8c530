package io.millrace.subdocservice.rest.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.DocumentCondition;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveFilterTest {

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final LiveFilter filter = new LiveFilter(DocumentCondition.of("n > 1 OR META().type = \"base64\""));

    @BeforeEach
    void createBucket() {
        store.catalog().createBucket("b", 1).join();
    }

    private Document stored(Write write) {
        return store.write(write)
                .thenCompose(done -> store.get(new DocumentKey(Keyspace.of("b"), "a")))
                .join()
                .orElseThrow();
    }

    private static Write upsert(String body) {
        return Write.upsert(new DocumentKey(Keyspace.of("b"), "a"), body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void change_isEvaluatedOnceForAllQueries() {
        Document document = stored(upsert("{\"n\": 2}"));

        byte[] first = filter.match(document);
        byte[] second = filter.match(document);

        assertThat(first).isNotNull().isSameAs(second);
        assertThat(filter.evaluations()).isEqualTo(1);
        filter.match(stored(upsert("{\"n\": 2}")));
        assertThat(filter.evaluations()).isEqualTo(2);
    }

    @Test
    void data_isOneLineWithTheBytesOfTheDocument() {
        Document document = stored(upsert("{\"n\":\r\n 2.10}"));

        assertThat(new String(filter.match(document), StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":\"a\",\"cas\":\"%d\",\"document\":{\"n\":   2.10}}".formatted(document.cas()));
    }

    @Test
    void keptChanges_areBounded() {
        Document first = stored(upsert("{\"n\": 2}"));
        filter.match(first);
        for (int i = 0; i < LiveLimits.KEPT_CHANGES; i++) {
            filter.match(stored(upsert("{\"n\": 2}")));
        }

        filter.match(first);

        assertThat(filter.evaluations()).isEqualTo(LiveLimits.KEPT_CHANGES + 2);
    }
}
