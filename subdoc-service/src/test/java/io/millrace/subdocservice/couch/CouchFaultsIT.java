package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.redis.RedisKit;
import io.millrace.testkit.FlakyProxy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Connections that break during edits, and services that stop. */
class CouchFaultsIT {

    private static final int WRITERS = 3;
    private static final int DOCUMENTS = 20;
    private static final int EDITS = 60;

    private final DocumentStore store = RedisKit.shared().store(InstantSource.system());

    /** A service with a proxy for each writer that can cut the connection. */
    private static final class Door implements AutoCloseable {
        private final CouchKit couch;
        private final List<FlakyProxy> proxies = new ArrayList<>();

        Door(DocumentStore store) {
            couch = new CouchKit(store);
            int port = URI.create(couch.url()).getPort();
            for (int i = 0; i < WRITERS; i++) {
                proxies.add(FlakyProxy.to("127.0.0.1", port));
            }
        }

        @Override
        public void close() {
            proxies.forEach(FlakyProxy::close);
            couch.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void editsThroughBrokenConnections_happenAsOftenAsTheyAreAnswered(boolean restarts) throws Exception {
        AtomicReference<Door> door = new AtomicReference<>(new Door(store));
        String database = door.get().couch.newDatabase();
        Map<String, Integer> claimed = new ConcurrentHashMap<>();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int number = i;
            writers.add(CompletableFuture.runAsync(
                    () -> new Writer(door, database, number, claimed).run(),
                    Executors.newVirtualThreadPerTaskExecutor()));
        }
        for (int i = 0; restarts && i < 3; i++) {
            int done = (i + 1) * WRITERS * EDITS / 5;
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> claimed.values().stream().mapToInt(n -> n).sum() >= done);
            Door former = door.getAndSet(new Door(store));
            former.close();
        }
        for (CompletableFuture<Void> writer : writers) {
            writer.join();
        }

        CouchKit couch = door.get().couch;
        JsonNode rows = couch.send("GET", database + "/_changes", null).json().path("results");
        Map<String, Integer> committed = new ConcurrentHashMap<>();
        for (JsonNode row : rows) {
            String rev = row.path("changes").get(0).path("rev").asString();
            committed.put(row.path("id").asString(), Integer.parseInt(rev.substring(0, rev.indexOf('-'))));
        }
        assertThat(committed).isEqualTo(claimed);
        assertThat(claimed.values().stream().mapToInt(n -> n).sum()).isEqualTo(WRITERS * EDITS);
        door.get().close();
    }

    /** Edits documents at random; a tenth of its connections is cut, before or after the edit. */
    private record Writer(AtomicReference<Door> door, String database, int number, Map<String, Integer> claimed) {

        private static final HttpClient CLIENT =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

        void run() {
            Random random = new Random(number);
            for (int n = 0; n < EDITS; n++) {
                edit("d" + random.nextInt(DOCUMENTS), "intent-" + number + "-" + n, random.nextInt(20));
            }
        }

        private void edit(String id, String intent, int fate) {
            boolean cut = fate < 2;
            for (int attempt = 0; ; attempt++) {
                String key = intent + "-" + attempt;
                JsonNode document = sent("GET", id, null, key);
                String rev = document.has("_rev")
                        ? "\"_rev\":\"" + document.path("_rev").asString() + "\","
                        : "";
                String body = "{" + rev + "\"by\":\"" + key + "\"}";
                if (cut) {
                    FlakyProxy proxy = door.get().proxies.get(number);
                    if (fate == 0) {
                        proxy.cutBeforeForwarding(key + "\"}");
                    } else {
                        proxy.cutAfterForwarding(key + "\"}");
                    }
                    cut = false;
                }
                JsonNode answer = sent("PUT", id, body, key);
                if (answer.path("ok").asBoolean(false)) {
                    claimed.merge(id, 1, Integer::sum);
                    return;
                }
                assertThat(answer.path("error").asString()).isEqualTo("conflict");
            }
        }

        /** Repeats a request until there is a response. */
        private JsonNode sent(String method, String id, String body, String key) {
            while (true) {
                HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                + door.get().proxies.get(number).port() + "/couch/" + database + "/" + id))
                        .header("Idempotency-Key", key)
                        .method(
                                method,
                                body == null
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body))
                        .build();
                try {
                    return CouchKit.JSON.readTree(CLIENT.send(request, HttpResponse.BodyHandlers.ofString())
                            .body());
                } catch (IOException e) {
                    Thread.onSpinWait(); // the next attempt
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}
