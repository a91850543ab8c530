package io.millrace.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Filters by functions of design documents, with functions that are not JavaScript. */
class NamedFilterTest {

    private final InProcessCouch couch = new InProcessCouch(new MemoryDocumentStore(InstantSource.system()));
    private final String db = couch.newDatabase();

    @BeforeEach
    void write() {
        put(
                "/_design/d",
                "{\"filters\":{\"red\":\"has red\",\"bad\":\"broken\",\"mine\":\"is mine\"},\"views\":{\"v\":{\"map\":\"has blue\"}}}");
        put("/a", "{\"colour\":\"red\"}");
        put("/b", "{\"colour\":\"blue\"}");
    }

    @AfterEach
    void stop() {
        couch.close();
    }

    private void put(String path, String body) {
        assertThat(couch.send("PUT", db + path, body).status()).isEqualTo(201);
    }

    private List<String> ids(String query) {
        CouchClient.Answer answer = couch.send("GET", db + "/_changes?" + query, null);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().path("results").findValuesAsString("id").stream()
                .filter(id -> !id.startsWith("_design/"))
                .toList();
    }

    @Test
    void filterFunction_decidesWhichDocumentsPass() {
        assertThat(ids("filter=d/red")).containsExactly("a");
    }

    @Test
    void filterFunction_seesWhoAsks() {
        put("/c", "{\"owner\":\"ann\"}");
        Subject ann = Subject.user("ann", Subject.Domain.LOCAL, List.of(Role.ADMIN));

        CouchClient.Answer answer = couch.send(ann, "GET", db + "/_changes?filter=d/mine", null);

        assertThat(answer.json().path("results").findValuesAsString("id")).containsExactly("c");
    }

    @Test
    void viewFilter_passesWhatItsMapEmits() {
        assertThat(ids("filter=_view&view=d/v")).containsExactly("b");
    }

    @Test
    void functionThatDoesNotCompile_isRefusedBeforeTheFeedBegins() {
        assertThat(couch.send("GET", db + "/_changes?filter=d/bad", null).status())
                .isEqualTo(400);
    }

    @Test
    void functionThatDoesNotExist_isNotFound() {
        CouchClient.Answer answer = couch.send("GET", db + "/_changes?filter=d/none", null);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("reason").asString()).isEqualTo("missing json key: none");
    }
}
