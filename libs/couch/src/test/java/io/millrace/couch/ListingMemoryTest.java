package io.millrace.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Listings read documents as the client takes them, and no more than it asked for. */
class ListingMemoryTest {

    private static final int DOCUMENTS = 60;
    private static final int BODY_CHARS = 100_000;

    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger metadata = new AtomicInteger();
    private final CouchServer server =
            new CouchServer(counting(new MemoryDocumentStore(InstantSource.system())), (kind, source, request) -> {
                throw new AssertionError("needs no function");
            });

    private DocumentStore counting(DocumentStore store) {
        return (DocumentStore) Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getMetadata")) {
                        metadata.incrementAndGet();
                    } else if (method.getName().startsWith("get")
                            || method.getName().equals("page")) {
                        reads.incrementAndGet();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private CouchResponse send(String method, List<String> path, Map<String, String> query, String body) {
        return InProcessCouch.send(server, method, path, query, body);
    }

    private void fill() {
        send("PUT", List.of("db"), Map.of(), "");
        String body = "{\"text\":\"" + "x".repeat(BODY_CHARS) + "\"}";
        for (int i = 0; i < DOCUMENTS; i++) {
            send("PUT", List.of("db", "k" + i), Map.of(), body);
        }
        reads.set(0);
    }

    @Test
    void oneRow_costsOneRead() {
        fill();

        read(send("GET", List.of("db", "_all_docs"), Map.of("limit", "1", "include_docs", "true"), ""));

        assertThat(reads).hasValue(1);
    }

    @Test
    void listingWithoutDocuments_readsNoBodies() {
        fill();

        read(send("GET", List.of("db", "_all_docs"), Map.of(), ""));
        read(send("POST", List.of("db", "_all_docs"), Map.of(), "{\"keys\":[\"k1\",\"k2\",\"absent\"]}"));

        assertThat(reads).hasValue(0);
        assertThat(metadata).hasValue(DOCUMENTS + 3);
    }

    @Test
    void listing_isReadAsItIsTaken() {
        fill();

        try (var chunks = streamed(send("GET", List.of("db", "_all_docs"), Map.of("include_docs", "true"), ""))) {
            assertThat(reads).hasValue(0);
            assertThat(chunks.next()).isNotNull();
            assertThat(reads.get()).isBetween(1, 16);
        }
    }

    @Test
    void bulkGet_isReadAsItIsTaken() {
        fill();
        StringBuilder docs = new StringBuilder("{\"docs\":[");
        for (int i = 0; i < DOCUMENTS; i++) {
            docs.append(i == 0 ? "" : ",").append("{\"id\":\"k").append(i).append("\"}");
        }

        var response = send(
                "POST", List.of("db", "_bulk_get"), Map.of(), docs.append("]}").toString());

        try (var chunks = streamed(response)) {
            assertThat(chunks.next()).isNotNull();
            assertThat(reads.get()).isBetween(1, 16);
        }
    }

    private static CouchResponse.Chunks streamed(CouchResponse response) {
        assertThat(response).isInstanceOf(CouchResponse.Streamed.class);
        return ((CouchResponse.Streamed) response).chunks();
    }

    private static void read(CouchResponse response) {
        try (var chunks = streamed(response)) {
            while (chunks.next() != null) {
                // to the end
            }
        }
    }
}
