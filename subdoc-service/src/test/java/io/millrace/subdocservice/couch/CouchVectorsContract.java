package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** The conformance cases of the changes feed, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CouchVectorsContract {

    private CouchKit couch;

    abstract DocumentStore store();

    @BeforeAll
    void start() {
        couch = new CouchKit(store());
    }

    @AfterAll
    void stop() {
        couch.close();
    }

    private static boolean isErlang(JsonNode testCase) {
        return testCase.path("features")
                .valueStream()
                .anyMatch(feature -> feature.asString().equals("erlang_filter"));
    }

    @Test
    void erlangFilter_isRejectedWithAReason() {
        String database = couch.newDatabase();
        couch.send(
                "PUT",
                database + "/_design/erlang",
                "{\"language\":\"erlang\",\"filters\":{\"foo\":\"fun({Doc}, Req) -> true end.\"}}");

        CouchKit.Answer answer = couch.send("GET", database + "/_changes?filter=erlang/foo", null);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("error").asString()).isEqualTo("unknown_query_language");
    }

    @Test
    void designFunction_thatDoesNotCompile_isRefusedAndLeavesTheFeedAlone() {
        String db = couch.newDatabase();
        couch.send(
                "PUT",
                db + "/_design/d",
                "{\"filters\":{\"loop\":\"function(doc) { while (true) {} }\","
                        + "\"bad\":\"function(doc) {\",\"out\":\"function(doc) { return true; }) } function x() { (\"}}");

        assertThat(couch.send("GET", db + "/_changes?filter=d/bad", null).status())
                .isEqualTo(400);
        assertThat(couch.send("GET", db + "/_changes?filter=d/out", null).status())
                .isEqualTo(400);
        assertThat(couch.send("GET", db + "/_changes", null).json().path("results"))
                .hasSize(1);
    }

    @TestFactory
    Stream<DynamicTest> everyCase_isAnsweredAsCouchDbDoes() throws IOException {
        JsonNode setups = CouchVectors.file().path("setups");
        return CouchVectors.cases()
                .filter(one -> !isErlang(one))
                .map(one ->
                        DynamicTest.dynamicTest(one.path("id").asString(), () -> CouchVectors.run(couch, setups, one)));
    }
}
