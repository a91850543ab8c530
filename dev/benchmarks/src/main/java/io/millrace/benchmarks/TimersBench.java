package io.millrace.benchmarks;

import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.launcher.redis.RedisServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Measures timers in one table: first the store and its scanner, with callbacks that return immediately, then a node
 * of the suite with its worker. Redis has an append-only file.
 */
final class TimersBench {

    /**
     * The size of a run.
     *
     * @param pending timers that are created to wait
     * @param fired timers that are fired as fast as possible
     * @param rate timers due per second in the measurements of lag
     * @param seconds their length
     * @param schedules timers that run every period while as many wait two days
     * @param periodSeconds its length; there are two of them
     * @param nodeFired timers that a node fires as fast as it can
     */
    record Scale(int pending, int fired, int rate, int seconds, int schedules, int periodSeconds, int nodeFired) {

        /** About eight minutes on two cores. */
        public static final Scale FULL = new Scale(1_000_000, 300_000, 10_000, 30, 120_000, 60, 300_000);

        /** Within a minute. */
        public static final Scale SHORT = new Scale(50_000, 50_000, 10_000, 3, 10_000, 5, 20_000);
    }

    private final Scale scale;
    private final PrintStream out;

    TimersBench(Scale scale, PrintStream out) {
        this.scale = scale;
        this.out = out;
    }

    void run() throws IOException, InterruptedException {
        TimerTable table = new TimerTable(out);
        table.head();
        Path directory = Files.createTempDirectory("millrace-bench");
        try (RedisServer server = RedisServer.start(RedisServer.Settings.durableIn(directory));
                RedisConnection redis = RedisConnection.open(server.url())) {
            TimerStoreBench store = new TimerStoreBench(scale, table, redis);
            store.fire();
            store.lag();
            store.schedules();
            store.pending();
        }
        try (BenchSuite suite = BenchSuite.start()) {
            new TimerNodeBench(scale, table, suite).run();
        }
    }
}
