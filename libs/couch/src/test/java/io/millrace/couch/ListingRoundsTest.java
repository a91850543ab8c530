package io.millrace.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** How often a listing waits for the store: each time it stands behind the requests of all others. */
class ListingRoundsTest {

    private static final Set<String> WATCHED = Set.of("countIds", "ids", "idsDescending", "getMetadata");

    private final List<Runnable> asked = new ArrayList<>();
    private int rounds;
    private final CouchServer server =
            new CouchServer(slow(new MemoryDocumentStore(InstantSource.system())), (kind, source, request) -> {
                throw new AssertionError("needs no function");
            });

    /** An answer that comes when a caller waits for it, together with all others that have been asked for by then. */
    private final class Late<T> extends CompletableFuture<T> {
        @Override
        public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
            if (!isDone()) {
                rounds++;
                List<Runnable> answered = List.copyOf(asked);
                asked.clear();
                answered.forEach(Runnable::run);
            }
            return super.get(timeout, unit);
        }

        private void answer(T value) {
            asked.add(() -> complete(value));
        }
    }

    private DocumentStore slow(DocumentStore store) {
        return (DocumentStore) Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(store, arguments);
                        if (!WATCHED.contains(method.getName())) {
                            return answer;
                        }
                        Late<Object> late = new Late<>();
                        late.answer(((CompletableFuture<?>) answer).join());
                        return late;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private String listing(Map<String, String> query) {
        CouchResponse response = InProcessCouch.send(server, "GET", List.of("db", "_all_docs"), query, "");
        StringBuilder text = new StringBuilder();
        CouchResponse.Chunks chunks = ((CouchResponse.Streamed) response).chunks();
        for (byte[] piece = chunks.next(); piece != null; piece = chunks.next()) {
            text.append(new String(piece, StandardCharsets.UTF_8));
        }
        return text.toString();
    }

    @Test
    void shortListing_waitsTwice() {
        InProcessCouch.send(server, "PUT", List.of("db"), Map.of(), "");
        for (int i = 0; i < 10; i++) {
            InProcessCouch.send(server, "PUT", List.of("db", "k" + i), Map.of(), "{}");
        }
        rounds = 0;

        assertThat(listing(Map.of("limit", "5", "startkey", "\"k2\"")))
                .startsWith("{\"total_rows\":10,\"offset\":2,")
                .contains("\"id\":\"k2\"", "\"id\":\"k6\"")
                .doesNotContain("\"id\":\"k7\"");
        assertThat(rounds).isEqualTo(2);
    }

    @Test
    void skippedRows_areReadInPages() {
        InProcessCouch.send(server, "PUT", List.of("db"), Map.of(), "");
        for (int i = 0; i < 10; i++) {
            InProcessCouch.send(server, "PUT", List.of("db", "k" + i), Map.of(), "{}");
        }
        rounds = 0;

        assertThat(listing(Map.of("limit", "2", "skip", "7", "descending", "true")))
                .startsWith("{\"total_rows\":10,\"offset\":7,")
                .contains("\"id\":\"k2\"", "\"id\":\"k1\"");
        assertThat(rounds).isEqualTo(2);
    }
}
