package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.timers.NewTimer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.TimerCounts;
import io.millrace.timers.redis.RedisTimerStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/**
 * Measures timers of a function on one node: from the store to the worker, the JavaScript callback, and back. One callback in
 * a hundred records its lag.
 */
final class TimerNodeBench {

    /** The value in Couchbase's functional tests. */
    static final int PARTITIONS = 128;

    private static final String NAME = "timers";
    private static final int SAMPLE = 100;

    private static final String HANDLER = """
        function OnUpdate(doc, meta) {}
        function callback(context) {
            if (context.n %% %d === 0) {
                lags[context.at + '-' + context.n] = {late: Date.now() - context.due};
            }
        }
        """.formatted(SAMPLE);

    private final TimersBench.Scale scale;
    private final TimerTable table;
    private final BenchSuite suite;
    private final TimerStore store;

    TimerNodeBench(TimersBench.Scale scale, TimerTable table, BenchSuite suite) {
        this.scale = scale;
        this.table = table;
        this.suite = suite;
        this.store = new RedisTimerStore(() -> CompletableFuture.completedStage(suite.commands()));
    }

    void run() throws IOException, InterruptedException {
        suite.createBucket("nothing");
        suite.createBucket("lags");
        suite.createBucket("eventing");
        suite.create(
                NAME,
                HANDLER,
                "nothing",
                "lags",
                "eventing",
                Map.of("num_timer_partitions", PARTITIONS, "cpp_worker_thread_count", 2));
        suite.deploy(NAME);
        TimerGroup group = group();
        int warmUp = scale.nodeFired() / 2;
        create(group, "w", warmUp, System.currentTimeMillis(), 0);
        awaitEnd(group);
        fire(group);
        lag(group);
        suite.undeploy(NAME);
    }

    /** Fires at full speed after all timers have been created. */
    private void fire(TimerGroup group) throws InterruptedException {
        int count = scale.nodeFired();
        long due = afterCreating(count);
        create(group, "f", count, due, 0);
        suite.pause(Duration.ofMillis(Math.max(0, due - System.currentTimeMillis())));
        TimerTable.Measurement measured = table.new Measurement(suite::cpu);
        awaitEnd(group);
        measured.done("a node fires %,d, with a callback in its worker".formatted(count), count, null);
    }

    private void lag(TimerGroup group) throws InterruptedException {
        int count = scale.rate() * scale.seconds();
        long first = afterCreating(count);
        create(group, "l", count, first, scale.rate());
        suite.pause(Duration.ofMillis(Math.max(0, first - System.currentTimeMillis())));
        TimerTable.Measurement measured = table.new Measurement(suite::cpu);
        awaitEnd(group);
        long[] late = new long[count / SAMPLE];
        for (int i = 0; i < late.length; i++) {
            late[i] = suite.number("lags", "l-" + i * SAMPLE, "late");
        }
        measured.done(
                "a node fires %,d due/s for %d s; lag of the callback".formatted(scale.rate(), scale.seconds()),
                count,
                new Percentiles(late));
    }

    private long createdPerSecond = 5_000;

    private long afterCreating(int count) {
        return System.currentTimeMillis() + 1000 + count * 1500L / createdPerSecond;
    }

    /** Creates timers due at one moment, or at this many per second from then on. */
    private void create(TimerGroup group, String at, int count, long due, int rate) throws InterruptedException {
        long began = System.nanoTime();
        TimerStoreBench.calls(count, i -> {
            long each = rate == 0 ? due : due + 1000L * i / rate;
            String context = "{\"at\":\"%s\",\"n\":%d,\"due\":%d}".formatted(at, i, each);
            TimerId id = new TimerId("callback", "order-%08d".formatted(i));
            return store.create(group, new NewTimer(id, each, NewTimer.NEVER_STALE, "", context));
        });
        createdPerSecond = Math.max(1, count * 1_000_000_000L / (System.nanoTime() - began));
    }

    private void awaitEnd(TimerGroup group) throws InterruptedException {
        while (!store.directory(group, 1).join().isEmpty()
                || !store.counts(group).join().equals(new TimerCounts(0, 0, 0))) {
            suite.pause(Duration.ofMillis(5));
        }
    }

    private TimerGroup group() throws IOException, InterruptedException {
        JsonNode definition = suite.definition(NAME);
        return new TimerGroup(
                "eventing",
                1,
                definition.path("handleruuid").asString(),
                definition.path("function_instance_id").asString(),
                PARTITIONS);
    }
}
