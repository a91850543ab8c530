package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What one client sends to harm the others. */
class HostileClientTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String BUCKET = "orders";

    private final DocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final HttpCouchClient couch = new HttpCouchClient(store);

    @BeforeEach
    void createBucket() {
        store.catalog().createBucket(BUCKET, 1).join();
    }

    @AfterEach
    void close() {
        couch.close();
    }

    private void write(String id, String body, String systemXattrs) {
        DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), id);
        store.write(Write.upsert(key, bytes(body)).withXattrs(null, bytes(systemXattrs)))
                .join();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7",
                "{}",
                "{\"n\":1,\"l\":[]}",
                "{\"n\":1,\"l\":[1]}",
                "{\"n\":1,\"l\":[[]]}",
                "{\"n\":1,\"l\":[[1,0,{}]]}",
                "{\"n\":1,\"l\":[[1,0,{},7]]}",
                "{\"n\":1,\"l\":[[\"a\",0,{},\"b\"]]}",
                "{\"n\":-9000000000000000000,\"l\":[[1,0,{},\"b\"]]}",
                "{\"l\":[[1,0,{},\"b\"]]}"
            })
    void otherAttributes_areTakenForMissing(String attribute) {
        write("odd", "{\"n\":1}", "{\"_couch\":" + attribute + "}");
        write("other", "{\"n\":2}", "{}");

        for (String path : new String[] {"/_changes?include_docs=true", "/_all_docs?include_docs=true"}) {
            var answer = couch.send("GET", "/" + BUCKET + path, "");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.toString()).contains("\"odd\"", "\"other\"");
        }
        assertThat(couch.send("GET", "/" + BUCKET + "/odd", "").status()).isEqualTo(200);
    }

    static Stream<Arguments> oversized() {
        String digits = "1".repeat(1_001);
        String name = "n".repeat(50_001);
        String deep = "[".repeat(500) + "]".repeat(500);
        return Stream.of(
                Arguments.of("{\"n\":1}", "{\"_x\":" + digits + "}"),
                Arguments.of("{\"n\":1}", "{\"_x\":{\"" + name + "\":1}}"),
                Arguments.of("{\"n\":1}", "{\"_x\":" + deep + "}"),
                Arguments.of("{\"n\":1}", "{\"_couch\":{\"n\":" + digits + ",\"l\":[[1,0,{},\"b\"]]}}"),
                Arguments.of("{\"n\":" + digits + "}", "{}"),
                Arguments.of("{\"n\":0." + digits + "}", "{}"),
                Arguments.of("{\"" + name + "\":1}", "{}"));
    }

    @ParameterizedTest
    @MethodSource("oversized")
    void longNumbersAndNames_endNoFeed(String body, String attributes) {
        write("odd", body, attributes);
        write("other", "{\"n\":2}", "{}");

        for (String path : new String[] {"/_changes?include_docs=true", "/_all_docs?include_docs=true"}) {
            var answer = couch.send("GET", "/" + BUCKET + path, "");
            assertThat(answer.text()).contains("\"odd\"", "\"other\"", body.substring(1));
        }
        var selected =
                couch.send("POST", "/" + BUCKET + "/_changes?filter=_selector", "{\"selector\":{\"n\":{\"$gte\":2}}}");
        assertThat(selected.text()).contains("\"other\"").doesNotContain("\"error\"");
        String rev = couch.send("GET", "/" + BUCKET + "/odd", "").header("etag").replace("\"", "");
        assertThat(couch.send("PUT", "/" + BUCKET + "/odd?rev=" + rev, body).status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"n", "validate_doc_update", "language"})
    void designDocument_withALongNumber_endsNoWrites(String member) {
        write("_design/odd", "{\"" + member + "\":" + "1".repeat(1_001) + "}", "{}");

        assertThat(couch.send("PUT", "/" + BUCKET + "/other", "{}").status()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"n\":\"\\u12\"}", "\"\\u12\""})
    void escapesWithoutDigits_endNoFeed(String body) {
        write("odd", body, "{\"_x\":\"\\u12\"}");
        write("other", "{\"n\":2}", "{}");

        JsonNode rows = couch.send("GET", "/" + BUCKET + "/_changes?include_docs=true", "")
                .json()
                .path("results");

        assertThat(rows.path(0).at("/doc/_id").asString()).isEqualTo("odd");
        assertThat(rows.path(1).at("/doc/n").asInt()).isEqualTo(2);
    }

    /** Without references to groups a text is read once; with them, a text of sixty letters takes years. */
    @Test
    void regexWithManyWaysToMatch_isRefused() {
        write("long", "{\"name\":\"" + "a".repeat(60) + "\"}", "{}");

        var answer = assertTimeoutPreemptively(
                PATIENCE,
                () -> couch.send(
                        "POST",
                        "/" + BUCKET + "/_changes?filter=_selector",
                        "{\"selector\":{\"name\":{\"$regex\":\"^(a|a)*\\\\1#$\"}}}"));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.toString()).contains("Bad argument for operator $regex");
    }
}
