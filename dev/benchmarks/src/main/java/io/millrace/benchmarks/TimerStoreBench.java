package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.Periods;
import io.millrace.timers.TimerStore.TimerQuery;
import io.millrace.timers.TimersException;
import io.millrace.timers.firing.RetryPolicy;
import io.millrace.timers.firing.Schedules;
import io.millrace.timers.firing.TimerLoop;
import io.millrace.timers.firing.TimerScanner;
import io.millrace.timers.firing.TimerSink;
import io.millrace.timers.firing.TimerSink.Ending;
import io.millrace.timers.redis.RedisTimerStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Measures timers in one Redis, fired by a scanner in this process. Its clock starts when all timers have been created, so
 * that none is late at the start.
 */
final class TimerStoreBench {

    private static final int IN_FLIGHT = 1000;
    private static final int ROUNDS = 2;
    private static final Duration TWO_DAYS = Duration.ofDays(2);

    private final TimersBench.Scale scale;
    private final TimerTable table;
    private final RedisConnection redis;
    private final TimerStore store;

    TimerStoreBench(TimersBench.Scale scale, TimerTable table, RedisConnection redis) {
        this.scale = scale;
        this.table = table;
        this.redis = redis;
        this.store = new RedisTimerStore(() -> CompletableFuture.completedStage(redis.commands()));
    }

    /** Fires at full speed. */
    void fire() throws InterruptedException {
        warmUp();
        TimerGroup group = opened("fire");
        long start = System.currentTimeMillis();
        calls(scale.fired(), i -> store.create(group, timer(i, start)));
        try (Firing firing = new Firing(group, start, Duration.ZERO, scale.fired())) {
            TimerTable.Measurement measured = table.new Measurement(this::cpu);
            firing.run();
            measured.done("fire %,d: claim, hand out, confirm".formatted(scale.fired()), scale.fired(), null);
        }
        store.drop(group).join();
    }

    private void warmUp() throws InterruptedException {
        TimerGroup group = opened("warm");
        int count = scale.fired() / 3;
        long start = System.currentTimeMillis();
        calls(count, i -> store.create(group, timer(i, start)));
        try (Firing firing = new Firing(group, start, Duration.ZERO, count)) {
            firing.run();
        }
        store.drop(group).join();
    }

    void lag() throws InterruptedException {
        TimerGroup group = opened("lag");
        int count = scale.rate() * scale.seconds();
        long start = System.currentTimeMillis() + 1000;
        calls(count, i -> store.create(group, timer(i, start + 1000L * i / scale.rate())));
        try (Firing firing = new Firing(group, start, Duration.ZERO, count)) {
            TimerTable.Measurement measured = table.new Measurement(this::cpu);
            firing.run();
            measured.done(
                    "fire %,d due/s for %d s".formatted(scale.rate(), scale.seconds()), count, firing.percentiles());
        }
        store.drop(group).join();
    }

    void schedules() throws InterruptedException {
        TimerGroup group = opened("schedules");
        int count = scale.schedules();
        Duration period = Duration.ofSeconds(scale.periodSeconds());
        long start = System.currentTimeMillis() + 1000;
        calls(count, i -> store.create(group, timer(count + i, start + TWO_DAYS.toMillis() + i)));
        calls(count, i -> store.create(group, timer(i, start + period.toMillis() * i / count)));
        try (Firing firing = new Firing(group, start, period, ROUNDS * count)) {
            TimerTable.Measurement measured = table.new Measurement(this::cpu);
            firing.run();
            measured.done(
                    "%,d schedules, each fired and created again every %d s, while %,d wait two days"
                            .formatted(count, period.toSeconds(), count),
                    ROUNDS * count,
                    firing.percentiles());
        }
        store.drop(group).join();
    }

    void pending() throws InterruptedException {
        TimerGroup group = opened("pending");
        int count = scale.pending();
        long memory = redis.usedMemory();
        long later = System.currentTimeMillis() + TWO_DAYS.toMillis();
        TimerTable.Measurement creating = table.new Measurement(this::cpu);
        calls(count, i -> store.create(group, timer(i, later + i)));
        creating.done("create %,d".formatted(count), count, null);
        table.line(found(group, count), "", "", "", "");
        double bytes = (double) (redis.usedMemory() - memory) / count;
        int cancelled = count / 5;
        TimerTable.Measurement cancelling = table.new Measurement(this::cpu);
        calls(cancelled, i -> store.cancel(group, timer(i, 0).id()));
        cancelling.done("cancel %,d of them".formatted(cancelled), cancelled, null);
        table.line("%,.0f bytes of Redis per pending timer of %,d".formatted(bytes, count), "", "", "", "");
        store.drop(group).join();
    }

    /** Looks for one timer as the console does, and counts all, and says how long that took. */
    private String found(TimerGroup group, int count) {
        long start = System.nanoTime();
        TimerQuery query = new TimerQuery(null, "%08d".formatted(count / 3), null, 0, Long.MAX_VALUE, null, 100);
        int found = store.list(group, query).join().size();
        long middle = System.nanoTime();
        long due =
                store
                        .density(group, new Periods(System.currentTimeMillis(), TWO_DAYS.toMillis() / 96, 97))
                        .join()
                        .stream()
                        .mapToLong(Long::longValue)
                        .sum();
        long end = System.nanoTime();
        return "%d of %,d found by a part of its reference in %d ms; %,d counted by due time in %d ms"
                .formatted(
                        found,
                        count,
                        Duration.ofNanos(middle - start).toMillis(),
                        due,
                        Duration.ofNanos(end - middle).toMillis());
    }

    private TimerGroup opened(String function) {
        TimerGroup group = new TimerGroup("bench", 1, function, "1", TimerNodeBench.PARTITIONS);
        store.open(group).join();
        return group;
    }

    private Map<String, Duration> cpu() {
        Map<String, Long> processes = new LinkedHashMap<>();
        processes.put("program", ProcessHandle.current().pid());
        processes.put("Redis", redis.pid());
        return ProcessUsage.cpu(processes);
    }

    private static NewTimer timer(int number, long due) {
        return new NewTimer(
                new TimerId("callback", "order-%08d".formatted(number)), due, NewTimer.NEVER_STALE, "", null);
    }

    /** Calls as fast as a window of outstanding calls allows. */
    static void calls(int count, IntFunction<? extends CompletableFuture<?>> call) throws InterruptedException {
        Semaphore free = new Semaphore(IN_FLIGHT);
        for (int i = 0; i < count; i++) {
            free.acquire();
            var unused = call.apply(i).whenComplete((answer, failure) -> free.release());
        }
        free.acquire(IN_FLIGHT);
    }

    /** A scanner with callbacks that return immediately; with a positive period, they create the timer again. */
    private final class Firing implements TimerSink, AutoCloseable {

        private final Duration period;
        private final int wanted;
        private final TimerGroup group;
        private final TimerScanner scanner;
        private final TimerLoop loop;
        private final AtomicInteger count = new AtomicInteger();
        private final long[] lags;
        private final long aheadMillis;

        /** @param start the initial time of the clock */
        Firing(TimerGroup group, long start, Duration period, int wanted) {
            this.group = group;
            this.period = period;
            this.wanted = wanted;
            this.lags = new long[wanted];
            this.aheadMillis = start - System.currentTimeMillis();
            InstantSource clock = () -> InstantSource.system().instant().plusMillis(aheadMillis);
            scanner = new TimerScanner(store, group, clock, this, RetryPolicy.NONE, Schedules.NONE, lag -> {});
            loop = new TimerLoop("bench-timers", scanner, TimerStoreBench::failed);
            scanner.take(1, 0, group.partitions() - 1).join();
        }

        /** Waits until the wanted number has fired. */
        void run() {
            loop.start();
            while (count.get() < wanted) {
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            }
        }

        @Override
        public int room() {
            return IN_FLIGHT;
        }

        @Override
        public void fire(List<Timer> timers) {
            long now = System.currentTimeMillis() + aheadMillis;
            for (Timer timer : timers) {
                int number = count.getAndIncrement();
                if (number < lags.length) {
                    lags[number] = now - timer.due();
                }
                if (period.isZero()) {
                    scanner.ended(timer, Ending.DONE);
                } else {
                    NewTimer next = new NewTimer(
                            timer.id(), timer.due() + period.toMillis(), NewTimer.NEVER_STALE, "", timer.context());
                    var unused = store.create(group, next).thenRun(() -> scanner.ended(timer, Ending.DONE));
                }
            }
        }

        Percentiles percentiles() {
            return new Percentiles(Arrays.copyOf(lags, wanted));
        }

        @Override
        public void close() {
            loop.close();
        }
    }

    private static void failed(TimersException failure) {
        throw new IllegalStateException("The scanner failed", failure);
    }
}
