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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
