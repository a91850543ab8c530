package io.millrace.subdocservice.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdocservice.rest.bulk.BulkLimits;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A bulk load over a store that is slow, or unavailable for a while. */
class BulkLoadTest {

    private static final String LINE = "{\"id\":\"%d\",\"value\":{\"n\":%1$d}}\n";

    /** Padding that makes a line a kilobyte long, so that forty thousand lines exceed the buffers of a socket. */
    private static final String PADDING = " ".repeat(1000) + "\n";

    private final TestClock clock = new TestClock();
    private final HeldStore store = new HeldStore(new MemoryDocumentStore(clock));
    private final RestServer http = new RestServer(store, clock);

    BulkLoadTest() {
        store.catalog().createBucket("b", 1).join();
    }

    @AfterEach
    void stop() {
        store.release();
        http.close();
    }

    @Test
    void slowStore_stopsTheSender() {
        store.held = true;
        AtomicLong sent = new AtomicLong();
        int lines = 40_000;

        CompletableFuture<RestServer.Answer> answer = loadAsync(manyLines(lines, sent));
        await().until(() -> store.begun.get() > BulkLimits.MAX_BULK_WRITES_IN_FLIGHT);
        await().during(Duration.ofMillis(500)).atMost(Duration.ofSeconds(20)).until(stable(sent));

        assertThat(store.begun.get()).isLessThan(BulkLimits.MAX_BULK_WRITES_IN_FLIGHT + 100);
        assertThat(sent.get()).isLessThan(lines);
        assertThat(answer).isNotDone();
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            store.release();
            return answer.isDone();
        });
        assertThat(BulkContract.summary(answer.join()).get("loaded").asInt()).isEqualTo(lines);
    }

    private static Callable<Boolean> stable(AtomicLong value) {
        AtomicLong last = new AtomicLong(-1);
        return () -> last.getAndSet(value.get()) == value.get();
    }

    private static InputStream manyLines(int lines, AtomicLong sent) {
        return new InputStream() {
            private byte[] line = {};
            private int at;
            private int next;

            @Override
            public int read() {
                throw new UnsupportedOperationException("read in blocks");
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                int filled = 0;
                while (filled < length) {
                    if (at == line.length) {
                        if (next == lines) {
                            break;
                        }
                        line = (LINE.formatted(next++).strip() + PADDING).getBytes(UTF_8);
                        at = 0;
                        sent.set(next);
                    }
                    into[offset + filled++] = line[at++];
                }
                return filled == 0 ? -1 : filled;
            }
        };
    }

    @Test
    void progress_reportedWhileTheLoadGoesOn() throws Exception {
        store.held = true;
        HttpResponse<InputStream> response = HttpClient.newHttpClient()
                .send(request("{\"id\":\"a\",\"value\":1}\n{\n"), HttpResponse.BodyHandlers.ofInputStream());
        var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8));

        assertThat(lines.readLine()).isEqualTo("{\"loaded\":0,\"refused\":1,\"bytes\":23}");
        store.release();
        String last = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            last = line;
        }
        assertThat(last).startsWith("{\"done\":true,\"loaded\":1,\"refused\":1,\"lines\":2,");
    }

    @Test
    void outage_writesAreRepeatedWithTheirTransaction() {
        store.outages.set(5);

        JsonNode summary = BulkContract.summary(http.post(
                "/api/v1/buckets/b/bulk", LINE.formatted(1) + "{\"id\":\"1\",\"value\":2}\n" + LINE.formatted(3)));

        assertThat(summary.get("loaded").asInt()).isEqualTo(3);
        assertThat(summary.get("refused").asInt()).isZero();
        assertThat(store.begun.get()).isEqualTo(8);
        assertThat(store.writes.stream().map(Write::transaction).distinct()).hasSize(3);
        assertThat(http.get("/api/v1/buckets/b/docs/1").text()).isEqualTo("2");
    }

    @Test
    void outage_keepsTheOrderOfOneId() {
        store.outages.set(1); // the first write of document 1 has to be repeated

        BulkContract.summary(
                http.post("/api/v1/buckets/b/bulk", "{\"id\":\"1\",\"value\":1}\n{\"id\":\"1\",\"value\":2}\n"));

        assertThat(http.get("/api/v1/buckets/b/docs/1").text()).isEqualTo("2");
    }

    @Test
    void outage_thatLastsEndsTheLoad() {
        store.outages.set(Integer.MAX_VALUE);

        CompletableFuture<RestServer.Answer> answer = loadAsync(manyLines(40_000, new AtomicLong()));
        await().until(() -> store.begun.get() > 10);
        clock.advance(BulkLimits.BULK_PATIENCE.plusSeconds(1));

        JsonNode summary =
                BulkContract.summary(answer.orTimeout(20, TimeUnit.SECONDS).join());
        assertThat(summary.get("loaded").asInt()).isZero();
        assertThat(summary.get("stopped").asString()).contains("30 s", "Redis is loading.");
        assertThat(summary.get("refusals").get(0).get("code").asString()).isEqualTo("unavailable");
    }

    @Test
    void loads_atOnceAreLimited() {
        store.held = true;
        List<CompletableFuture<RestServer.Answer>> running = new ArrayList<>();
        for (int n = 0; n < BulkLimits.MAX_BULK_LOADS; n++) {
            running.add(loadAsync(new ByteArrayInputStream(LINE.formatted(n).getBytes(UTF_8))));
        }
        await().until(() -> store.begun.get() == BulkLimits.MAX_BULK_LOADS);

        RestServer.Answer refused = http.post("/api/v1/buckets/b/bulk", LINE.formatted(99));
        store.release();
        running.forEach(answer -> BulkContract.summary(answer.join()));

        assertThat(refused.error()).isEqualTo("429 too_many_loads");
        assertThat(refused.header("Retry-After")).contains("1");
        await().until(() ->
                http.post("/api/v1/buckets/b/bulk", LINE.formatted(99)).status() == 200);
    }

    @Test
    void disconnectedClient_freesItsBulkLoad() {
        store.held = true;
        for (int n = 0; n < BulkLimits.MAX_BULK_LOADS; n++) {
            int begun = store.begun.get();
            var pending = HttpClient.newHttpClient()
                    .sendAsync(request(LINE.formatted(n)), HttpResponse.BodyHandlers.ofString());
            await().until(() -> store.begun.get() > begun);
            pending.cancel(true);
        }

        store.held = false;
        await().until(() ->
                http.post("/api/v1/buckets/b/bulk", LINE.formatted(99)).status() == 200);
    }

    private HttpRequest request(String lines) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http.port() + "/api/v1/buckets/b/bulk"))
                .POST(HttpRequest.BodyPublishers.ofString(lines))
                .setHeader("Content-Type", "application/x-ndjson")
                .build();
    }

    private CompletableFuture<RestServer.Answer> loadAsync(InputStream body) {
        return CompletableFuture.supplyAsync(
                () -> http.send("POST", "/api/v1/buckets/b/bulk", HttpRequest.BodyPublishers.ofInputStream(() -> body)),
                task -> Thread.ofVirtual().start(task));
    }
}
