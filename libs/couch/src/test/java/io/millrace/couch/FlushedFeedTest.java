package io.millrace.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Feeds that are open while their bucket is flushed. */
class FlushedFeedTest {

    private static final String DB = "orders";

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final CouchServer server = new CouchServer(store, (kind, source, request) -> {
        throw CouchException.badRequest("This test has no functions.");
    });

    @BeforeEach
    void createDatabase() {
        store.catalog().createBucket(DB, 1).join();
        write("a");
        write("b");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void write(String id) {
        store.write(Write.upsert(new DocumentKey(Keyspace.of(DB), id), "{}".getBytes(StandardCharsets.UTF_8)))
                .join();
    }

    private CouchResponse.Chunks changes(String feed, String since) {
        Map<String, String> query = Map.of("feed", feed, "since", since, "include_docs", "true", "timeout", "1");
        return ((CouchResponse.Streamed) InProcessCouch.send(server, "GET", List.of(DB, "_changes"), query, ""))
                .chunks();
    }

    private static JsonNode read(CouchResponse.Chunks feed) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (feed) {
            for (byte[] chunk = feed.next(); chunk != null; chunk = feed.next()) {
                all.writeBytes(chunk);
            }
        }
        return CouchClient.JSON.readTree(all.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"longpoll", "continuous"})
    void feed_openAcrossAFlush_endsAndTheNextOneGoesOn(String kind) {
        String since = read(changes("longpoll", "0")).path("last_seq").asString();
        CouchResponse.Chunks open = changes(kind, since);

        store.catalog().flushBucket(DB).join();
        write("a");

        JsonNode ended = read(open);
        assertThat(ended.path("results").isEmpty()).isTrue();
        assertThat(ended.path("last_seq").asString()).isEqualTo(since);
        JsonNode row = read(changes("longpoll", since)).path("results").get(0);
        CouchResponse.Whole document =
                (CouchResponse.Whole) InProcessCouch.send(server, "GET", List.of(DB, "a"), Map.of(), "");
        assertThat(row.at("/changes/0/rev"))
                .isEqualTo(CouchClient.JSON.readTree(document.body()).path("_rev"));
    }
}
