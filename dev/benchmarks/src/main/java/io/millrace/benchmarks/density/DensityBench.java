package io.millrace.benchmarks.density;

import io.millrace.benchmarks.suite.Memory;
import io.millrace.benchmarks.suite.Percentiles;
import io.millrace.documents.ChangePage;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.redis.RedisDocumentStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures one node with more and more deployed functions, each with a source bucket of its own: what they take while nothing
 * happens, soon after the last deployment and when the node has settled; how long the last deployment took; and mutations spread
 * over all of them. Also thirty deployments requested at once, and the time until two hundred run again after the node was
 * killed, at work and at rest.
 */
public final class DensityBench {

    /** How many functions there are by default. */
    private static final List<Integer> COUNTS = List.of(1, 30, 200, 500);

    private static final int AT_ONCE = 30;
    private static final int RESTARTED = 200;
    private static final int RATE = 2_000;
    private static final int SECONDS = 20;
    private static final Duration SOON = Duration.ofSeconds(10);

    /** By then feeds and pagers that find nothing have reached their longest pauses. */
    private static final Duration SETTLED = Duration.ofSeconds(90);

    private static final Duration REST = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration OFTEN = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int PAGE = 1_000;
    private static final String HANDLED = "handled";
    private static final JsonMapper JSON = new JsonMapper();

    private static final String HANDLER = """
            function OnUpdate(doc, meta) {
                doc.startedAt = Date.now();
                handled[meta.id] = doc;
            }
            """;

    private final List<Integer> counts;
    private final PrintStream out;
    private int functions;
    private int written;
    private long readTo;

    private DensityBench(List<Integer> counts, PrintStream out) {
        this.counts = counts;
        this.out = out;
    }

    /** Reads the arguments behind the name of the benchmark: how many functions, in ascending order. */
    public static DensityBench of(List<String> args, PrintStream out) {
        try {
            List<Integer> counts = args.stream().map(Integer::valueOf).toList();
            if (counts.stream().anyMatch(count -> count < 1)
                    || !counts.equals(counts.stream().sorted().toList())) {
                throw new NumberFormatException();
            }
            return new DensityBench(counts.isEmpty() ? COUNTS : counts, out);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Expected numbers of functions in ascending order, such as '1 30 200', not '"
                            + String.join(" ", args) + "'.");
        }
    }

    public void run() throws IOException, InterruptedException, ExecutionException {
        try (Node node = Node.start()) {
            node.createBucket(HANDLED);
            Node.pause(SETTLED);
            Memory before = Memory.ofAll(node.pids());
            out.printf("%nno function: %d MiB; at rest %s%n", before.proportionalMiB(), atRest(node));
            for (int count : counts) {
                measure(node, count, before);
            }
        }
    }

    private void measure(Node node, int count, Memory before)
            throws IOException, InterruptedException, ExecutionException {
        int fresh = count - functions - 1;
        if (fresh > 0) {
            deploy(node, fresh);
        }
        String last = create(node);
        long began = System.nanoTime();
        node.functions().ask(last, "deploy");
        node.functions().awaitStatus(last, "deployed", OFTEN);
        double deployment = seconds(began);
        Node.pause(SOON);
        long more = Memory.ofAll(node.pids()).proportionalMiB() - before.proportionalMiB();
        out.printf("%n%d functions: last deployment %.2f s, %d MiB more than without%n", count, deployment, more);
        out.printf("  at rest after %d s: %s%n", SOON.toSeconds(), atRest(node));
        Node.pause(SETTLED.minus(SOON).minus(REST));
        out.printf("  at rest after %d s: %s%n", SETTLED.toSeconds(), atRest(node));
        mutate(node);
        if (count == RESTARTED) {
            restart(node, "with events that are not saved as handled");
            Node.pause(SETTLED);
            restart(node, "at rest");
        }
    }

    private String create(Node node) throws IOException, InterruptedException {
        int number = functions++;
        node.createBucket(source(number));
        node.create(name(number), HANDLER, source(number), HANDLED);
        return name(number);
    }

    private static String name(int number) {
        return "density" + number;
    }

    private static String source(int number) {
        return "source" + number;
    }

    /** Deploys functions, with as many requests at a time as there are functions, at most {@link #AT_ONCE}. */
    private void deploy(Node node, int fresh) throws IOException, InterruptedException, ExecutionException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < fresh; i++) {
            names.add(create(node));
        }
        long began = System.nanoTime();
        try (ExecutorService requests = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<?>> asked = new ArrayList<>();
            for (String name : names) {
                asked.add(requests.submit(() -> {
                    node.functions().ask(name, "deploy");
                    return name;
                }));
            }
            for (Future<?> each : asked) {
                each.get();
            }
        }
        awaitDeployed(node);
        out.printf("%n%d deployments requested at once: all after %.1f s%n", fresh, seconds(began));
    }

    private void awaitDeployed(Node node) throws InterruptedException {
        long began = System.nanoTime();
        for (int deployed = node.functions().deployed();
                deployed < functions;
                deployed = node.functions().deployed()) {
            if (System.nanoTime() - began > PATIENCE.toNanos()) {
                throw new IllegalStateException(
                        deployed + " of " + functions + " functions are deployed after " + PATIENCE);
            }
            Node.pause(LOOK);
        }
    }

    /** Describes which part of a core the processes of the node use while nothing happens. */
    private static String atRest(Node node) throws InterruptedException {
        Map<String, Duration> before = node.cpu();
        Node.pause(REST);
        StringBuilder text = new StringBuilder();
        double sum = 0;
        for (Map.Entry<String, Duration> after : node.cpu().entrySet()) {
            Duration earlier = Optional.ofNullable(before.get(after.getKey())).orElse(Duration.ZERO);
            double share = 100.0 * after.getValue().minus(earlier).toMillis() / REST.toMillis();
            sum += share;
            text.append(", %s %.1f".formatted(after.getKey(), share));
        }
        return "%.1f %% of a core%s".formatted(sum, text);
    }

    /** Writes at a steady rate to the sources in turn, and waits until every mutation is handled. */
    private void mutate(Node node) throws InterruptedException {
        int count = RATE * SECONDS;
        Map<String, Duration> before = node.cpu();
        List<CompletableFuture<?>> writes = new ArrayList<>(count);
        long madeFrom = System.currentTimeMillis();
        long began = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Node.pause(Duration.ofNanos(began + i * 1_000_000_000L / RATE - System.nanoTime()));
            DocumentKey key = new DocumentKey(Keyspace.of(source(i % functions)), "document" + written++);
            byte[] body = "{\"madeAt\":%d,\"number\":%d}"
                    .formatted(System.currentTimeMillis(), i)
                    .getBytes(StandardCharsets.UTF_8);
            writes.add(node.store().write(Write.upsert(key, body)));
        }
        CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).join();
        double wrote = seconds(began);
        long[] millis = handled(node.store(), count, madeFrom);
        Percentiles percentiles = new Percentiles(millis);
        double cpu = node.cpu().entrySet().stream()
                .mapToDouble(after -> after.getValue()
                                .minus(Optional.ofNullable(before.get(after.getKey()))
                                        .orElse(Duration.ZERO))
                                .toNanos()
                        / 1e3
                        / count)
                .sum();
        out.printf(
                "  %,d mutations in %.1f s, all handled %.1f s after the first; to the handler p50 %d ms, p99 %d ms, max %d ms;"
                        + " CPU %.0f us each%n",
                count, wrote, seconds(began), percentiles.at(50), percentiles.at(99), percentiles.at(100), cpu);
    }

    /**
     * Waits for so many more results and returns how long each mutation was on its way to the handler.
     *
     * @param madeFrom the milliseconds since 1970 before which mutations do not count; a killed node may repeat some
     */
    private long[] handled(RedisDocumentStore store, int count, long madeFrom) throws InterruptedException {
        LongStream.Builder millis = LongStream.builder();
        long began = System.nanoTime();
        for (int seen = 0; seen < count; ) {
            ChangePage page = store.page(HANDLED, 0, new ChangePage.Request(readTo, false, PAGE, true))
                    .join();
            readTo = page.position();
            for (var mutation : page.mutations()) {
                JsonNode document = JSON.readTree(mutation.document().body());
                long madeAt = document.path("madeAt").asLong();
                if (madeAt >= madeFrom) {
                    millis.add(document.path("startedAt").asLong() - madeAt);
                    seen++;
                }
            }
            if (!page.more()) {
                if (System.nanoTime() - began > PATIENCE.toNanos()) {
                    throw new IllegalStateException(
                            "%d of %d mutations are handled after %s".formatted(seen, count, PATIENCE));
                }
                Node.pause(LOOK);
            }
        }
        return millis.build().toArray();
    }

    private void restart(Node node, String when) throws InterruptedException {
        long began = System.nanoTime();
        node.kill();
        awaitDeployed(node);
        out.printf("  killed %s: all %d deployed again after %.1f s%n", when, functions, seconds(began));
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }
}
