package io.millrace.benchmarks;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.millrace.benchmarks.suite.NodeProgram;
import io.millrace.benchmarks.suite.Pace;
import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.benchmarks.suite.SampleDocuments;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What functions are compared with: the loop over a Redis stream that a user could write in Node.js without them, in the same
 * run, over the same documents and on the same Redis.
 */
final class NodeLoop {

    /** CPU per mutation on a quiet machine when this was written; printed where Node is missing. */
    private static final double LAST_MICROS = 37.8;

    private static final String STREAM = "loop:changes";
    private static final String LIVE_STREAM = "loop:live";
    private static final String RESULTS = "loop-handled:";

    /** How long documents come before their times count. */
    private static final int FIRST_SECONDS = 3;

    private static final int BATCH = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final BenchSuite suite;
    private final PrintStream out;

    NodeLoop(BenchSuite suite, PrintStream out) {
        this.suite = suite;
        this.out = out;
    }

    /** Drains documents with the loop; returns its CPU time per mutation in microseconds. */
    double drain(int count) throws IOException, InterruptedException {
        if (!NodeProgram.installed()) {
            out.printf("%nNode loop: node is not installed; %.1f us per mutation in an earlier run%n", LAST_MICROS);
            return LAST_MICROS;
        }
        fill(count);
        Duration redisBefore = ProcessUsage.cpu(suite.redisPid());
        Answer answer;
        try (NodeProgram node = start(STREAM, count)) {
            answer = awaitAnswer(node, count);
        }
        double redis = ProcessUsage.cpu(suite.redisPid()).minus(redisBefore).toNanos() / 1e3 / count;
        double node = answer.cpuMicros / count;
        out.printf("%nNode loop over a stream, %,d documents that wait%n", count);
        out.printf("  %,.0f handled/s%n", count / answer.seconds);
        out.printf("  CPU per mutation: %.1f us, redis %.1f, node %.1f%n", redis + node, redis, node);
        return redis + node;
    }

    private record Answer(int handled, double seconds, double cpuMicros) {

        static Answer of(String line) throws IOException {
            String[] parts = line.strip().split(" ");
            if (parts.length != 3) {
                throw new IOException("The Node loop failed: " + line);
            }
            return new Answer(Integer.parseInt(parts[0]), Double.parseDouble(parts[1]), Double.parseDouble(parts[2]));
        }
    }

    /** Stores documents, and their ids in the stream. */
    private void fill(int count) {
        RedisAsyncCommands<byte[], byte[]> redis = suite.commands();
        List<RedisFuture<?>> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] key = bytes("loop:" + i);
            batch.add(redis.set(key, SampleDocuments.body(i, System.currentTimeMillis())));
            batch.add(redis.xadd(bytes(STREAM), Map.of(bytes("id"), key)));
            if (batch.size() >= BATCH || i == count - 1) {
                LettuceFutures.awaitAll(PATIENCE, batch.toArray(RedisFuture[]::new));
                batch.clear();
            }
        }
    }

    private NodeProgram start(String stream, int count) throws IOException {
        return NodeProgram.start(List.of("loop.mjs", "redis.mjs"), suite.redisUrl(), stream, RESULTS, "" + count);
    }

    private static Answer awaitAnswer(NodeProgram node, int count) throws IOException, InterruptedException {
        Answer answer = Answer.of(node.line());
        node.awaitEnd(PATIENCE);
        if (answer.handled != count) {
            throw new IOException("The Node loop handled %,d of %,d documents".formatted(answer.handled, count));
        }
        return answer;
    }

    /** Writes documents at a steady rate while the loop follows, and prints how long each waited for its handler. */
    void follow(int rate, int seconds) throws IOException, InterruptedException {
        if (!NodeProgram.installed()) {
            return;
        }
        int uncounted = rate * FIRST_SECONDS;
        int count = uncounted + rate * seconds;
        try (NodeProgram node = start(LIVE_STREAM, count)) {
            Pace pace = new Pace(rate);
            for (int i = 0; i < count; i++) {
                pace.awaitTurn(i);
                byte[] key = bytes(LIVE_STREAM + ':' + i);
                suite.commands().set(key, SampleDocuments.body(i, System.currentTimeMillis()));
                suite.commands().xadd(bytes(LIVE_STREAM), Map.of(bytes("id"), key));
            }
            awaitAnswer(node, count);
        }
        long[] millis = new long[count - uncounted];
        for (int i = uncounted; i < count; i++) {
            byte[] handled = suite.commands()
                    .get(bytes(RESULTS + LIVE_STREAM + ':' + i))
                    .toCompletableFuture()
                    .join();
            millis[i - uncounted] = BenchSuite.millisToHandler(handled);
        }
        Percentiles percentiles = new Percentiles(millis);
        out.printf("%nNode loop that follows a stream, write -> handler start at %,d documents/s%n", rate);
        out.println("  " + percentiles.millis());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
