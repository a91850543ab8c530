package io.millrace.benchmarks.rebalance;

import io.millrace.benchmarks.suite.Pace;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.redis.RedisDocumentStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes documents at a steady rate, each {@link #STATES} times in a short period and never again, so that a lost event is not
 * repaired by a later one. Each handled event records how often and how late it was handled.
 */
final class RebalanceLoad {

    static final int STATES = 3;

    /** One document in this many has a timer. */
    static final int TIMER_EACH = 10;

    /** Counts the calls by state, and records late calls and calls in the wrong order. */
    static final String HANDLER = """
            function OnUpdate(doc, meta) {
              const now = Date.now();
              const seen = handled[meta.id] ?? {last: 0, calls: {}, back: 0, wait: {}};
              if (doc.n < seen.last) { seen.back++; }
              for (let n = 1; n <= doc.n; n++) {
                seen.wait[n] = seen.wait[n] ?? [doc.at[n - 1], now - doc.at[n - 1]];
              }
              seen.last = Math.max(seen.last, doc.n);
              seen.calls[doc.n] = (seen.calls[doc.n] ?? 0) + 1;
              handled[meta.id] = seen;
              if (doc.n === %d && doc.k %% %d === 0) {
                createTimer(fired, new Date(now + 1500), meta.id, {id: 'timer-' + meta.id});
              }
            }
            function fired(context) {
              const seen = handled[context.id] ?? {fired: 0};
              handled[context.id] = {fired: seen.fired + 1};
            }
            """.formatted(STATES, TIMER_EACH);

    private static final JsonMapper JSON = new JsonMapper();
    private static final int APART = 1000;
    private static final int WRITES_IN_FLIGHT = 256;
    private static final int SAMPLES = 32;
    private static final Duration SOON = Duration.ofMillis(500);
    private static final Duration AGAIN = Duration.ofMillis(50);

    private final RedisDocumentStore store;
    private final String source;
    private final String target;
    private final int rate;
    private final Semaphore free = new Semaphore(WRITES_IN_FLIGHT);
    private final AtomicInteger blocks = new AtomicInteger();
    private volatile boolean ending;
    private final Thread writer = new Thread(this::write, "rebalance-load");

    RebalanceLoad(RedisDocumentStore store, String source, String target, int rate) {
        this.store = store;
        this.source = source;
        this.target = target;
        this.rate = rate;
    }

    void start() {
        writer.start();
    }

    /** Stops writing after all started documents are complete. */
    void end() throws InterruptedException {
        ending = true;
        writer.join();
        free.acquire(WRITES_IN_FLIGHT);
        free.release(WRITES_IN_FLIGHT);
    }

    /** Returns how many documents were written to their last state. */
    int documents() {
        return blocks.get() * APART;
    }

    /**
     * Whether the function keeps up: a sample of the newest complete documents was handled, each state soon after it was
     * written.
     */
    boolean keepsUp() {
        int end = documents();
        return end > 0
                && IntStream.range(0, SAMPLES)
                        .mapToObj(
                                i -> store.get(new DocumentKey(Keyspace.of(target), id(end - 1 - i * APART / SAMPLES))))
                        .toList()
                        .stream()
                        .map(CompletableFuture::join)
                        .allMatch(RebalanceLoad::soon);
    }

    private static boolean soon(Optional<Document> handled) {
        return handled.map(document -> JSON.readTree(document.body()))
                .filter(seen -> seen.path("last").asInt() == STATES)
                .filter(seen -> seen.path("wait").properties().stream()
                        .allMatch(wait -> wait.getValue().path(1).asLong() <= SOON.toMillis()))
                .isPresent();
    }

    static String id(int number) {
        return "d" + number;
    }

    private void write() {
        Pace pace = new Pace(rate);
        long written = 0;
        while (!ending) {
            int block = blocks.get();
            long[][] times = new long[APART][STATES];
            for (int n = 1; n <= STATES; n++) {
                for (int i = 0; i < APART; i++) {
                    pace.awaitTurn(written++);
                    free.acquireUninterruptibly();
                    times[i][n - 1] = System.currentTimeMillis();
                    write(block * APART + i, Arrays.copyOf(times[i], n));
                }
            }
            blocks.incrementAndGet();
        }
    }

    /** @param times the times at which the states of the document were written */
    private void write(int number, long[] times) {
        String at = LongStream.of(times).mapToObj(Long::toString).collect(Collectors.joining(","));
        String body = "{\"k\":%d,\"n\":%d,\"at\":[%s]}".formatted(number, times.length, at);
        DocumentKey key = new DocumentKey(Keyspace.of(source), id(number));
        written(Write.upsert(key, body.getBytes(StandardCharsets.UTF_8)))
                .whenComplete((done, failure) -> free.release());
    }

    /** Repeats a write until it succeeds; its transaction id makes that safe. */
    private CompletableFuture<Void> written(Write write) {
        return store.write(write)
                .<Void>thenApply(done -> null)
                .exceptionallyCompose(failure -> CompletableFuture.supplyAsync(
                                () -> written(write),
                                CompletableFuture.delayedExecutor(AGAIN.toMillis(), TimeUnit.MILLISECONDS))
                        .thenCompose(again -> again));
    }
}
