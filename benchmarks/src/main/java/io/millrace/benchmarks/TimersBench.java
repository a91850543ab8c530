package io.millrace.benchmarks;

import io.millrace.launcher.RedisServer;
import io.millrace.timers.Ending;
import io.millrace.timers.NewTimer;
import io.millrace.timers.RedisTimerStore;
import io.millrace.timers.RetryPolicy;
import io.millrace.timers.Schedules;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerLoop;
import io.millrace.timers.TimerScanner;
import io.millrace.timers.TimerSink;
import io.millrace.timers.TimerStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * What timers cost in the store and its scanner, with callbacks that return at once: creating, cancelling and firing as
 * fast as possible, memory per pending timer, lag at a steady rate, and a load of schedules that run every minute while
 * as many timers wait. Redis has an append-only file.
 */
final class TimersBench {

    /**
     * How much to measure.
     *
     * @param pending timers that are created to wait
     * @param fired timers that are fired as fast as possible
     * @param rate timers due per second in the measurement of lag
     * @param seconds its length
     * @param schedules timers that run every minute, for one minute, while as many wait two days
     */
    record Scale(int pending, int fired, int rate, int seconds, int schedules) {
        static final Scale FULL = new Scale(1_000_000, 200_000, 10_000, 20, 120_000);
        static final Scale SMALL = new Scale(2_000, 2_000, 1_000, 1, 1_200);
    }

    private static final int IN_FLIGHT = 1000;
    private static final Duration TWO_DAYS = Duration.ofDays(2);

    private final Scale scale;
    private final PrintStream out;

    TimersBench(Scale scale, PrintStream out) {
        this.scale = scale;
        this.out = out;
    }

    void run() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("millrace-bench");
        try (RedisServer server = RedisServer.start(RedisServer.Settings.durableIn(directory));
                RedisConnection redis = RedisConnection.open(server.url())) {
            TimerStore store = new RedisTimerStore(() -> CompletableFuture.completedStage(redis.commands()));
            Run run = new Run(redis, store);
            run.pending();
            run.fire();
            run.lag();
            run.schedules();
        }
    }

    /** One run against one Redis. */
    private final class Run {

        private final RedisConnection redis;
        private final TimerStore store;
        private double createdPerSecond;

        Run(RedisConnection redis, TimerStore store) {
            this.redis = redis;
            this.store = store;
        }

        void pending() throws InterruptedException {
            TimerGroup group = opened("pending");
            long memory = redis.usedMemory();
            long later = System.currentTimeMillis() + TWO_DAYS.toMillis();
            createdPerSecond = measured("create", scale.pending(), i -> store.create(group, timer(i, later + i)));
            out.printf(
                    "  %,.0f bytes of Redis per pending timer without context, %,d pending%n",
                    (double) (redis.usedMemory() - memory) / scale.pending(), scale.pending());
            int cancelled = scale.pending() / 5;
            measured("cancel", cancelled, i -> store.cancel(group, timer(i, 0).id()));
            store.drop(group).join();
        }

        void fire() throws InterruptedException {
            TimerGroup group = opened("fire");
            long now = System.currentTimeMillis();
            calls(scale.fired(), i -> store.create(group, timer(i, now)));
            try (Firing firing = new Firing(group, Duration.ZERO)) {
                Map<String, Duration> before = cpu();
                long began = System.nanoTime();
                firing.start();
                firing.await(scale.fired());
                report("fire", scale.fired(), began, before);
            }
            store.drop(group).join();
        }

        void lag() throws InterruptedException {
            TimerGroup group = opened("lag");
            int count = scale.rate() * scale.seconds();
            long first = afterCreating(count);
            calls(count, i -> store.create(group, timer(i, first + (long) i * 1000 / scale.rate())));
            if (System.currentTimeMillis() > first) {
                out.println("  creating took longer than expected: the first timers are late from the start");
            }
            try (Firing firing = new Firing(group, Duration.ZERO)) {
                firing.start();
                firing.await(count);
                firing.printLag("lag at %,d due/s for %d s".formatted(scale.rate(), scale.seconds()));
            }
            store.drop(group).join();
        }

        void schedules() throws InterruptedException {
            TimerGroup group = opened("schedules");
            int count = scale.schedules();
            long minute = Duration.ofMinutes(1).toMillis();
            long first = afterCreating(2 * count);
            calls(count, i -> store.create(group, timer(count + i, first + TWO_DAYS.toMillis() + i)));
            calls(count, i -> store.create(group, timer(i, first + minute * i / count)));
            try (Firing firing = new Firing(group, Duration.ofMinutes(1))) {
                Map<String, Duration> before = cpu();
                long began = System.nanoTime();
                firing.start();
                firing.await(count);
                report("schedules run and armed again", count, began, before);
                firing.printLag("lag of %,d schedules, each once a minute, while %,d wait".formatted(count, count));
            }
            store.drop(group).join();
        }

        private TimerGroup opened(String function) {
            TimerGroup group = new TimerGroup("bench", 1, function, "1", 128);
            store.open(group).join();
            return group;
        }

        /** Returns the millisecond by which so many timers are there, with half as much time to spare. */
        private long afterCreating(int count) {
            return System.currentTimeMillis() + 1000 + (long) (count * 1500 / createdPerSecond);
        }

        /** Returns how many there were per second. */
        private double measured(String what, int count, IntFunction<? extends CompletableFuture<?>> call)
                throws InterruptedException {
            Map<String, Duration> before = cpu();
            long began = System.nanoTime();
            calls(count, call);
            return report(what, count, began, before);
        }

        private double report(String what, int count, long began, Map<String, Duration> before) {
            double seconds = (System.nanoTime() - began) / 1e9;
            double micros = 0;
            StringBuilder parts = new StringBuilder();
            for (Map.Entry<String, Duration> used : cpu().entrySet()) {
                Duration earlier = before.getOrDefault(used.getKey(), Duration.ZERO);
                double each = used.getValue().minus(earlier).toNanos() / 1e3 / count;
                micros += each;
                parts.append(", %s %.1f".formatted(used.getKey(), each));
            }
            out.printf(
                    "%n%s: %,d in %.1f s, %,.0f/s, %,.0f per CPU-second%n  CPU per timer: %.1f us%s%n",
                    what, count, seconds, count / seconds, 1e6 / micros, micros, parts);
            return count / seconds;
        }

        private Map<String, Duration> cpu() {
            Map<String, Long> processes = new LinkedHashMap<>();
            processes.put("program", ProcessHandle.current().pid());
            processes.put("redis", redis.pid());
            return ProcessUsage.cpu(processes);
        }

        /** A scanner with callbacks that return at once; a positive period arms each timer again. */
        private final class Firing implements TimerSink, AutoCloseable {

            private final Duration period;
            private final TimerGroup group;
            private final TimerScanner scanner;
            private final TimerLoop loop;
            private final AtomicInteger count = new AtomicInteger();
            private final long[] lags =
                    new long[Math.max(scale.fired(), scale.rate() * scale.seconds()) * 2 + scale.schedules()];

            Firing(TimerGroup group, Duration period) {
                this.group = group;
                this.period = period;
                scanner = new TimerScanner(
                        store, group, InstantSource.system(), this, RetryPolicy.NONE, Schedules.NONE, lag -> {});
                loop = new TimerLoop("bench-timers", scanner, failure -> out.println(failure.getMessage()));
                scanner.take(1, 0, group.partitions() - 1).join();
            }

            void start() {
                loop.start();
            }

            @Override
            public int room() {
                return IN_FLIGHT;
            }

            @Override
            public void fire(List<Timer> timers) {
                long now = System.currentTimeMillis();
                for (Timer timer : timers) {
                    lags[count.getAndIncrement() % lags.length] = now - timer.due();
                    if (period.isZero()) {
                        scanner.ended(timer, Ending.DONE);
                    } else {
                        NewTimer next = new NewTimer(
                                timer.id(), timer.due() + period.toMillis(), NewTimer.NEVER_STALE, "", timer.context());
                        var unused = store.create(group, next).thenRun(() -> scanner.ended(timer, Ending.DONE));
                    }
                }
            }

            void await(int fired) {
                while (count.get() < fired) {
                    LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
                }
            }

            void printLag(String what) {
                long[] measured = Arrays.copyOf(lags, Math.min(count.get(), lags.length));
                Percentiles percentiles = new Percentiles(measured);
                out.printf(
                        "%n%s%n  p50 %d ms, p99 %d ms, p99.9 %d ms, max %d ms%n",
                        what, percentiles.at(50), percentiles.at(99), percentiles.at(99.9), percentiles.at(100));
            }

            @Override
            public void close() {
                loop.close();
            }
        }
    }

    private static NewTimer timer(int number, long due) {
        return new NewTimer(
                new TimerId("callback", "order-%08d".formatted(number)), due, NewTimer.NEVER_STALE, "", null);
    }

    /** Calls as fast as a window of unanswered calls lets. */
    private static void calls(int count, IntFunction<? extends CompletableFuture<?>> call) throws InterruptedException {
        Semaphore free = new Semaphore(IN_FLIGHT);
        for (int i = 0; i < count; i++) {
            free.acquire();
            var unused = call.apply(i).whenComplete((answer, failure) -> free.release());
        }
        free.acquire(IN_FLIGHT);
    }
}
