package io.millrace.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.forwarding.ForwardingDocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The documents of one request to {@code _bulk_docs} go to the store together. */
class BulkWritesTest {

    private static final int DOCUMENTS = 64;

    private final DocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final Held held = new Held();
    private final CouchClient couch = new InProcessCouch(held);

    /** Holds back the answers to writes until so many wait, and lets another writer come first. */
    private final class Held extends ForwardingDocumentStore {

        private final List<String> written = new ArrayList<>();
        private final Set<String> overtaken = new HashSet<>();
        /** How many writes waited for the last of them; 0 if that one did not come. */
        private final CompletableFuture<Integer> released =
                new CompletableFuture<Integer>().completeOnTimeout(0, 10, TimeUnit.SECONDS);

        private int awaited;

        @Override
        protected DocumentStore behind() {
            return store;
        }

        @Override
        public CompletableFuture<WriteResult> write(Write write) {
            String id = write.key().id();
            written.add(id);
            if (overtaken.remove(id)) {
                store.write(Write.upsert(write.key(), "{\"v\":\"other\"}".getBytes(StandardCharsets.UTF_8)))
                        .join();
            }
            CompletableFuture<WriteResult> answer = store.write(write);
            if (written.size() >= awaited) {
                released.complete(written.size());
            }
            return released.thenCompose(all -> answer);
        }
    }

    @BeforeEach
    void createDatabase() {
        couch.send("PUT", "/db", null);
    }

    @AfterEach
    void close() {
        couch.close();
    }

    private static String ids(String members) {
        return IntStream.range(0, DOCUMENTS)
                .mapToObj(i -> "{\"_id\":\"k%02d\"%s}".formatted(i, members))
                .collect(Collectors.joining(","));
    }

    private JsonNode bulk(String members) {
        return couch.send("POST", "/db/_bulk_docs", "{" + members + "}").json();
    }

    @Test
    void documents_areWrittenWithoutWaiting_inTheirOrder() {
        held.awaited = DOCUMENTS;

        JsonNode answer = bulk("\"docs\":[" + ids("") + "]");

        assertThat(held.released.join()).isEqualTo(DOCUMENTS);
        assertThat(answer).hasSize(DOCUMENTS).allMatch(row -> row.path("ok").asBoolean());
        assertThat(answer.valueStream().map(row -> row.path("id").asString()).toList())
                .isEqualTo(held.written);
        assertThat(held.written).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void documentThatIsThereTwice_isWrittenAfterItself() {
        JsonNode answer = bulk("\"new_edits\":false,\"docs\":["
                + "{\"_id\":\"a\",\"_revisions\":{\"start\":1,\"ids\":[\"x\"]}},"
                + "{\"_id\":\"b\",\"_revisions\":{\"start\":1,\"ids\":[\"x\"]}},"
                + "{\"_id\":\"a\",\"_revisions\":{\"start\":2,\"ids\":[\"y\",\"x\"]}}]");

        assertThat(answer).isEmpty();
        assertThat(held.written).containsExactly("a", "b", "a");
        assertThat(couch.send("GET", "/db/a", null).json().path("_rev").asString())
                .isEqualTo("2-y");
    }

    @Test
    void documentThatAnotherWriterChangesMeanwhile_isWrittenAgain_orIsAConflict() {
        held.overtaken.addAll(Set.of("k03", "k40"));

        JsonNode replicated = bulk("\"new_edits\":false,\"docs\":[" + ids(",\"_rev\":\"1-a\"") + "]");

        assertThat(replicated).isEmpty();
        assertThat(held.written).hasSize(DOCUMENTS + 2);
        assertThat(couch.send("GET", "/db/k40?conflicts=true", null).json().path("_conflicts"))
                .hasSize(1);

        held.overtaken.add("new");
        JsonNode edited = bulk("\"docs\":[{\"_id\":\"before\"},{\"_id\":\"new\"},{\"_id\":\"behind\"}]");

        assertThat(edited.get(1).path("error").asString()).isEqualTo("conflict");
        assertThat(edited.get(0).path("ok").asBoolean()).isTrue();
        assertThat(edited.get(2).path("ok").asBoolean()).isTrue();
        assertThat(store.get(new DocumentKey(Keyspace.of("db"), "behind")).join())
                .isPresent();
    }
}
