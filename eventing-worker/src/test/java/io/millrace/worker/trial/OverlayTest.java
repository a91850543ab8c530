package io.millrace.worker.trial;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class OverlayTest {

    private static final Keyspace KEYSPACE = Keyspace.of("b");

    private final MemoryDocumentStore below = new MemoryDocumentStore(InstantSource.system());
    private final Effects effects = new Effects();
    private final Overlay overlay = new Overlay(below, InstantSource.system(), effects);

    @BeforeEach
    void documents() {
        below.catalog().createBucket("b", 1).join();
        below.write(Write.upsert(key("a"), json("1"))).join();
        below.write(Write.upsert(key("c"), json("3"))).join();
    }

    private static DocumentKey key(String id) {
        return new DocumentKey(KEYSPACE, id);
    }

    private static byte[] json(String text) {
        return text.getBytes(UTF_8);
    }

    private String text(String id) {
        return overlay.get(key(id))
                .join()
                .map(document -> new String(document.body(), UTF_8))
                .orElse("absent");
    }

    private String below(String id) {
        return below.get(key(id))
                .join()
                .map(document -> new String(document.body(), UTF_8))
                .orElse("absent");
    }

    @Test
    void writes_areSeenAboveAndNotBelow() {
        overlay.write(Write.upsert(key("a"), json("2"))).join();
        overlay.write(Write.remove(key("c"))).join();
        overlay.write(Write.insert(key("b"), json("5"))).join();

        assertThat(text("a")).isEqualTo("2");
        assertThat(text("b")).isEqualTo("5");
        assertThat(text("c")).isEqualTo("absent");
        assertThat(below("a")).isEqualTo("1");
        assertThat(below("b")).isEqualTo("absent");
        assertThat(below("c")).isEqualTo("3");
        assertThat(overlay.ids(KEYSPACE, IdRange.ALL, 10).join()).containsExactly("a", "b");
        assertThat(overlay.idsDescending(KEYSPACE, IdRange.ALL, 1).join()).containsExactly("b");
        assertThat(overlay.count(KEYSPACE).join()).isEqualTo(2);
    }

    @Test
    void effects_haveTheDocumentBeforeAndAfter() {
        overlay.write(Write.upsert(key("a"), json("2"))).join();
        overlay.write(Write.insert(key("c"), json("9"))).join();
        overlay.write(Write.remove(key("c"))).join();
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        effects.moveTo(shown);

        assertThat(shown.path("effects")).hasSize(2);
        assertThat(shown.at("/effects/0").toString()).contains("\"kind\":\"write\"", "\"before\":1,\"after\":2");
        assertThat(shown.at("/effects/1").toString()).contains("\"kind\":\"delete\"", "\"before\":3");
    }

    @Test
    void cas_staysThatBelowUntilTheDocumentChanges() {
        Document there = below.get(key("a")).join().orElseThrow();
        overlay.write(Write.insert(key("a"), json("9"))).join();

        assertThat(overlay.get(key("a")).join().orElseThrow().cas()).isEqualTo(there.cas());
        assertThat(overlay.write(Write.replace(key("a"), json("2")).withCas(there.cas()))
                        .join())
                .isInstanceOf(WriteResult.Written.class);
        assertThat(overlay.write(Write.replace(key("a"), json("4")).withCas(there.cas()))
                        .join())
                .isInstanceOf(WriteResult.CasMismatch.class);
        assertThat(text("a")).isEqualTo("2");
    }

    @Test
    void reset_forgetsEveryWrite() {
        overlay.write(Write.upsert(key("a"), json("2"))).join();
        overlay.write(Write.insert(key("b"), json("5"))).join();

        overlay.reset();

        assertThat(text("a")).isEqualTo("1");
        assertThat(text("b")).isEqualTo("absent");
        assertThat(overlay.write(Write.insert(key("b"), json("6"))).join()).isInstanceOf(WriteResult.Written.class);
    }

    @Test
    void buckets_cannotBeChanged() {
        assertThat(overlay.catalog().dropBucket("b")).failsWithin(java.time.Duration.ofSeconds(60));
        assertThat(below("a")).isEqualTo("1");
    }
}
