package io.millrace.benchmarks;

import io.millrace.documents.ChangePage;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.RedisDocumentStore;
import io.millrace.documents.Write;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes documents at a steady rate, each {@link #STATES} times in a short while and never again, and looks at what the
 * function made of them: an event that gets lost stays lost, and each handled one tells how often and how late it was.
 */
final class RebalanceLoad {

    static final int STATES = 3;

    /** Every so many documents has a timer. */
    static final int TIMER_EACH = 10;

    /** Counts the calls by state, and notes when one came after a later one and how late the latest was. */
    static final String HANDLER = """
            function OnUpdate(doc, meta) {
              const now = Date.now();
              const seen = handled[meta.id] ?? {last: 0, calls: {}, back: 0, late: 0, wait: {}};
              if (doc.n < seen.last) { seen.back++; }
              seen.last = Math.max(seen.last, doc.n);
              seen.calls[doc.n] = (seen.calls[doc.n] ?? 0) + 1;
              seen.wait[doc.n] = seen.wait[doc.n] ?? [doc.at, now - doc.at];
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
    private static final Duration AGAIN = Duration.ofMillis(50);

    private final RedisDocumentStore store;
    private final String source;
    private final int rate;
    private final Semaphore free = new Semaphore(WRITES_IN_FLIGHT);
    private final AtomicInteger blocks = new AtomicInteger();
    private volatile boolean ending;
    private final Thread writer = new Thread(this::write, "rebalance-load");

    /**
     * What became of everything that was written.
     *
     * @param lost documents whose last state was not handled, and timers that were not fired
     * @param back calls with a state after one with a later state
     * @param repeated calls beyond the first, by the second in which the state was written
     * @param repeatedTimers timers that were fired again
     * @param waits the longest time from the write of a state to its first call, by the second in which it was written
     */
    record Verdict(
            int documents,
            int lost,
            int back,
            TreeMap<Long, Integer> repeated,
            int repeatedTimers,
            TreeMap<Long, Long> waits) {

        long longestWait(long fromMillis, long toMillis) {
            return waits.subMap(fromMillis / 1000, true, toMillis / 1000, true).values().stream()
                    .mapToLong(Long::longValue)
                    .max()
                    .orElse(0);
        }

        int repeated(long fromMillis, long toMillis) {
            return repeated.subMap(fromMillis / 1000, true, toMillis / 1000, true).values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
        }
    }

    RebalanceLoad(RedisDocumentStore store, String source, int rate) {
        this.store = store;
        this.source = source;
        this.rate = rate;
    }

    void start() {
        writer.start();
    }

    /** Ends writing with every document complete. */
    void end() throws InterruptedException {
        ending = true;
        writer.join();
        free.acquire(WRITES_IN_FLIGHT);
        free.release(WRITES_IN_FLIGHT);
    }

    private void write() {
        long began = System.nanoTime();
        long written = 0;
        while (!ending) {
            int block = blocks.get();
            for (int n = 1; n <= STATES; n++) {
                for (int i = 0; i < APART; i++) {
                    long due = began + written++ * 1_000_000_000L / rate;
                    while (System.nanoTime() < due) {
                        LockSupport.parkNanos(due - System.nanoTime());
                    }
                    write(block * APART + i, n);
                }
            }
            blocks.incrementAndGet();
        }
    }

    private void write(int number, int n) {
        free.acquireUninterruptibly();
        String body = "{\"k\":%d,\"n\":%d,\"at\":%d}".formatted(number, n, System.currentTimeMillis());
        DocumentKey key = new DocumentKey(Keyspace.of(source), "d" + number);
        written(Write.upsert(key, body.getBytes(StandardCharsets.UTF_8)))
                .whenComplete((done, failure) -> free.release());
    }

    /** A write that is repeated until Redis took it; its transaction id makes that safe. */
    private CompletableFuture<Void> written(Write write) {
        return store.write(write)
                .<Void>thenApply(done -> null)
                .exceptionallyCompose(failure -> CompletableFuture.supplyAsync(
                                () -> written(write),
                                CompletableFuture.delayedExecutor(AGAIN.toMillis(), TimeUnit.MILLISECONDS))
                        .thenCompose(again -> again));
    }

    /** Looks at everything; to be called when nothing is written any more. */
    Verdict verdict(String target) {
        int documents = blocks.get() * APART;
        int complete = 0;
        int timers = 0;
        int back = 0;
        int repeatedTimers = 0;
        TreeMap<Long, Integer> repeated = new TreeMap<>();
        TreeMap<Long, Long> waits = new TreeMap<>();
        ChangePage page = new ChangePage(List.of(), 0, true);
        while (page.more()) {
            var next = new ChangePage.Request(page.position(), false, 1000, true);
            page = store.page(target, 0, next).join();
            for (Mutation mutation : page.mutations()) {
                JsonNode seen = JSON.readTree(mutation.document().body());
                if (seen.has("fired")) {
                    timers++;
                    repeatedTimers += seen.path("fired").asInt() - 1;
                    continue;
                }
                complete += seen.path("last").asInt() == STATES ? 1 : 0;
                back += seen.path("back").asInt();
                count(seen, repeated, waits);
            }
        }
        int lost = documents - complete + (documents + TIMER_EACH - 1) / TIMER_EACH - timers;
        return new Verdict(documents, lost, back, repeated, repeatedTimers, waits);
    }

    private static void count(JsonNode seen, Map<Long, Integer> repeated, Map<Long, Long> waits) {
        for (Map.Entry<String, JsonNode> state : seen.path("wait").properties()) {
            long second = state.getValue().path(0).asLong() / 1000;
            waits.merge(second, state.getValue().path(1).asLong(), Math::max);
            int more = seen.path("calls").path(state.getKey()).asInt() - 1;
            if (more > 0) {
                repeated.merge(second, more, Integer::sum);
            }
        }
    }
}
