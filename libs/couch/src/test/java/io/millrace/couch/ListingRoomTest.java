package io.millrace.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.BucketChanges;
import io.millrace.documents.ChangePage;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large documents of a response count as memory of the process from when they are read until the client has taken them. */
class ListingRoomTest {

    private static final int DOCUMENTS = 30;
    private static final int BODY_CHARS = 300_000;

    /** Some are read ahead while they are expected to be small. */
    private static final long MOST_BYTES = 9L * (BODY_CHARS + 100);

    private final AtomicLong held = new AtomicLong();
    private final AtomicLong mostHeld = new AtomicLong();

    /** The methods of the store that were called. */
    private final Set<String> called = ConcurrentHashMap.newKeySet();

    /** Documents that the store refuses once, as if there were no room for them. */
    private final Set<String> refused = new HashSet<>();

    private final CouchServer server = new CouchServer(
            withoutRoom(new MemoryDocumentStore(InstantSource.system())),
            (kind, source, request) -> {
                throw new AssertionError("needs no function");
            },
            new ReadRoom() {
                @Override
                public boolean has(long bytes) {
                    return true;
                }

                @Override
                public CompletableFuture<Boolean> reserve(long bytes) {
                    return CompletableFuture.completedFuture(true);
                }

                @Override
                public void hold(long bytes) {
                    mostHeld.accumulateAndGet(held.addAndGet(bytes), Math::max);
                }

                @Override
                public void give(long bytes) {
                    held.addAndGet(-bytes);
                }
            });

    private DocumentStore withoutRoom(DocumentStore store) {
        return watched(DocumentStore.class, store);
    }

    /** Returns what does the same, refuses what is to be refused, and lets nothing read pages with bodies. */
    private <T> T watched(Class<T> type, T watched) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    called.add(method.getName());
                    if (method.getName().equals("page")) {
                        assertThat(arguments[arguments.length - 1])
                                .isInstanceOfSatisfying(
                                        ChangePage.Request.class,
                                        page -> assertThat(page.bodies()).isFalse());
                    }
                    if (method.getName().equals("getWithTombstone")
                            && refused.removeIf(arguments[0].toString()::contains)) {
                        return CompletableFuture.failedFuture(
                                DocumentsException.of(DocumentsException.Code.OVERLOADED, "no room"));
                    }
                    try {
                        Object answer = method.invoke(watched, arguments);
                        return answer instanceof BucketChanges changes ? watched(BucketChanges.class, changes) : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private CouchResponse send(String method, List<String> path, Map<String, String> query, String body) {
        return InProcessCouch.send(server, method, path, query, body);
    }

    @BeforeEach
    void fill() {
        send("PUT", List.of("db"), Map.of(), "");
        String body = "{\"text\":\"" + "x".repeat(BODY_CHARS) + "\"}";
        IntStream.range(0, DOCUMENTS).forEach(i -> send("PUT", List.of("db", "k%02d".formatted(i)), Map.of(), body));
    }

    private CouchResponse.Chunks listing(String endpoint) {
        CouchResponse response = switch (endpoint) {
            case "_bulk_get" ->
                send(
                        "POST",
                        List.of("db", endpoint),
                        Map.of(),
                        "{\"docs\":["
                                + String.join(
                                        ",",
                                        IntStream.range(0, DOCUMENTS)
                                                .mapToObj("{\"id\":\"k%02d\"}"::formatted)
                                                .toList())
                                + "]}");
            case "_changes of ids" ->
                send(
                        "POST",
                        List.of("db", "_changes"),
                        Map.of("include_docs", "true", "filter", "_doc_ids"),
                        "{\"doc_ids\":["
                                + String.join(
                                        ",",
                                        IntStream.range(0, DOCUMENTS)
                                                .mapToObj("\"k%02d\""::formatted)
                                                .toList())
                                + "]}");
            default -> send("GET", List.of("db", endpoint), Map.of("include_docs", "true"), "");
        };
        return ((CouchResponse.Streamed) response).chunks();
    }

    @ParameterizedTest
    @ValueSource(strings = {"_all_docs", "_bulk_get", "_changes", "_changes of ids"})
    void largeDocuments_countUntilTheyAreTaken_andNotMoreThanSome(String endpoint) {
        StringBuilder text = new StringBuilder();
        long most = 0;
        try (CouchResponse.Chunks chunks = listing(endpoint)) {
            for (byte[] chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
                text.append(new String(chunk, StandardCharsets.UTF_8));
                assertThat(held.get()).isLessThan(MOST_BYTES);
                if (chunk.length > BODY_CHARS) {
                    assertThat(held.get()).isGreaterThanOrEqualTo(BODY_CHARS);
                }
                most = Math.max(most, held.get());
            }
            assertThat(held).hasValue(0);
        }

        assertThat(held).hasValue(0);
        assertThat(most).isPositive();
        assertThat(text.toString().split("\"_?id\":\"k").length - 1).isGreaterThanOrEqualTo(DOCUMENTS);
        assertThat(text.length()).isGreaterThan(DOCUMENTS * BODY_CHARS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_all_docs", "_bulk_get", "_changes", "_changes of ids"})
    void clientThatGoesAway_leavesNothingHeld(String endpoint) {
        try (CouchResponse.Chunks chunks = listing(endpoint)) {
            chunks.next();
            assertThat(held.get()).isPositive();
        }

        assertThat(held).hasValue(0);
    }

    @Test
    void documentReadAheadWithoutRoom_isReadAgainInItsTurn() {
        refused.add("k07");

        StringBuilder text = new StringBuilder();
        try (CouchResponse.Chunks chunks = listing("_changes")) {
            for (byte[] chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
                text.append(new String(chunk, StandardCharsets.UTF_8));
            }
        }

        assertThat(refused).isEmpty();
        assertThat(text).contains("\"_id\":\"k07\"");
    }

    private void attach(String id) {
        String data = Base64.getEncoder().encodeToString(new byte[BODY_CHARS]);
        String two = "\"x\":{\"data\":\"%s\"},\"y\":{\"data\":\"%s\"}".formatted(data, data);
        CouchResponse written = send("PUT", List.of("db", id), Map.of(), "{\"_attachments\":{" + two + "}}");
        assertThat(written.status()).isEqualTo(201);
        mostHeld.set(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_all_docs", "_bulk_get", "_changes"})
    void attachmentsInARow_countUntilItIsTaken(String endpoint) {
        attach("a");
        CouchResponse response = endpoint.equals("_bulk_get")
                ? send("POST", List.of("db", endpoint), Map.of("attachments", "true"), "{\"docs\":[{\"id\":\"a\"}]}")
                : send(
                        "POST",
                        List.of("db", endpoint),
                        Map.of(
                                "include_docs",
                                "true",
                                "attachments",
                                "true",
                                "descending",
                                "true",
                                "filter",
                                "_doc_ids"),
                        "{\"doc_ids\":[\"a\"],\"keys\":[\"a\"]}");

        try (CouchResponse.Chunks chunks = ((CouchResponse.Streamed) response).chunks()) {
            String first = new String(chunks.next(), StandardCharsets.UTF_8);
            assertThat(first).hasSizeGreaterThan(2 * BODY_CHARS * 4 / 3);
            assertThat(held.get()).isGreaterThanOrEqualTo(2 * BODY_CHARS);
        }

        assertThat(held).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"revs", "open_revs"})
    void attachmentsOfADocument_countUntilItsResponseDoes(String parameter) {
        attach("a");

        CouchResponse response = send(
                "GET",
                List.of("db", "a"),
                Map.of("attachments", "true", parameter, parameter.equals("open_revs") ? "all" : "true"),
                "");

        assertThat(((CouchResponse.Whole) response).body()).hasSizeGreaterThan(2 * BODY_CHARS * 4 / 3);
        assertThat(mostHeld.get()).isGreaterThanOrEqualTo(2 * BODY_CHARS);
        assertThat(held).hasValue(0);
    }

    @Test
    void comparisonOfRevisions_readsNoBodies() {
        called.clear();

        CouchResponse response =
                send("POST", List.of("db", "_revs_diff"), Map.of(), "{\"k01\":[\"1-a\"],\"none\":[\"1-a\"]}");

        assertThat(new String(((CouchResponse.Whole) response).body(), StandardCharsets.UTF_8))
                .contains("k01", "none");
        assertThat(called).contains("getMetadata").doesNotContain("get", "getWithTombstone");
    }

    @Test
    void attachment_isReadWithoutTheBodyOfItsDocument() {
        attach("a");
        called.clear();

        CouchResponse response = send("GET", List.of("db", "a", "x"), Map.of(), "");

        assertThat(((CouchResponse.Whole) response).body()).hasSize(BODY_CHARS);
        assertThat(called).contains("getMetadata").doesNotContain("getWithTombstone");
    }
}
