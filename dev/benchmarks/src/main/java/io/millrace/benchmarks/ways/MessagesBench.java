package io.millrace.benchmarks.ways;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.millrace.benchmarks.suite.CpuCosts;
import io.millrace.benchmarks.suite.FreshSuite;
import io.millrace.benchmarks.suite.FunctionsClient;
import io.millrace.benchmarks.suite.Goals;
import io.millrace.benchmarks.suite.NodeProgram;
import io.millrace.benchmarks.suite.ProcessUsage;
import io.millrace.benchmarks.suite.RedisConnection;
import io.millrace.benchmarks.suite.SampleDocuments;
import io.millrace.benchmarks.suite.Settling;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.testkit.KafkaBroker;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Drains topics in Redis and in Kafka by a function, and the same messages by a plain consumer that does the same with each: parse
 * it, add up, write the result to Redis, acknowledge.
 */
public final class MessagesBench {

    private static final String HANDLER = """
            function OnMessage(message, meta) {
                message.total = 0;
                for (var item of message.items) {
                    message.total += item.price * item.quantity;
                }
                handled[meta.entry] = message;
            }
            """;

    private static final String TOPIC = "orders";
    private static final String STREAM = "mr:topic:" + TOPIC;
    private static final String CLUSTER = "bench";
    private static final int KEYS = 1000;
    private static final int PARTITIONS = 8;
    private static final int BATCH = 500;
    /** As for requests: the share of a plain program's messages per CPU-second. */
    private static final double GOAL = 0.5;

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final int messages;
    /** How often a topic is drained at most until that costs no less. */
    private final int settling;

    private final PrintStream out;

    /** @param shortRun whether the run is to take less time */
    public MessagesBench(boolean shortRun, PrintStream out) {
        this.messages = shortRun ? 20_000 : 200_000;
        this.settling = shortRun ? 1 : 10;
        this.out = out;
    }

    /** What has drained a topic. */
    private record Drained(double perSecond, CpuCosts costs) {}

    /** Measures a stream of Redis; returns whether the goal was reached. */
    public boolean streams() throws Exception {
        try (Running running = new Running(FreshSuite.start())) {
            fill(running.redis.commands());
            Drained function = running.drainSettled(Map.of());
            return compare("Redis stream", function, NodeProgram.installed() ? plainStream(running) : null);
        }
    }

    private void fill(RedisAsyncCommands<byte[], byte[]> redis) {
        List<RedisFuture<?>> batch = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            batch.add(redis.xadd(
                    bytes(STREAM),
                    Map.of(
                            bytes("key"), bytes("k" + i % KEYS),
                            bytes("content_type"), bytes("application/json"),
                            bytes("data"), SampleDocuments.body(i, System.currentTimeMillis()))));
            if (batch.size() == BATCH || i == messages - 1) {
                LettuceFutures.awaitAll(PATIENCE, batch.toArray(RedisFuture[]::new));
                batch.clear();
            }
        }
    }

    private Drained plainStream(Running running) throws IOException, InterruptedException {
        Duration before = ProcessUsage.cpu(running.redis.pid());
        try (NodeProgram node = NodeProgram.start(
                List.of("consumer.mjs", "redis.mjs"), running.suite.redisUrl(), STREAM, "plain:", "" + messages)) {
            return drained(node.line(), "node", running, before);
        }
    }

    /** Measures a topic of Kafka; returns whether the goal was reached. */
    public boolean kafka() throws Exception {
        Path directory = Files.createTempDirectory("millrace-bench-kafka");
        Path clusters = Files.createDirectory(directory.resolve("clusters"));
        try (KafkaBroker broker = KafkaBroker.start(directory)) {
            Files.writeString(
                    clusters.resolve(CLUSTER + ".properties"), "bootstrap.servers=" + broker.address() + '\n');
            broker.create(TOPIC, PARTITIONS, Map.of());
            fill(broker.address());
            Suite suite = Suite.start(FreshSuite.settings(directory.resolve("suite"))
                    .environment("MILLRACE_ADMIN_PASSWORD", FreshSuite.PASSWORD)
                    .environment("MILLRACE_KAFKA_CLUSTERS", clusters.toString()));
            try (Running running = new Running(suite)) {
                Drained function = running.drainSettled(Map.of("source_cluster", CLUSTER));
                return compare(
                        "Kafka topic, %d partitions".formatted(PARTITIONS), function, plainKafka(running, broker));
            }
        }
    }

    private void fill(String address) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", address);
        settings.put("linger.ms", "20");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < messages; i++) {
                producer.send(new ProducerRecord<>(
                        TOPIC, bytes("k" + i % KEYS), SampleDocuments.body(i, System.currentTimeMillis())));
            }
        }
    }

    private Drained plainKafka(Running running, KafkaBroker broker) throws IOException {
        Duration before = ProcessUsage.cpu(running.redis.pid());
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PlainConsumer.class.getName(),
                        broker.address(),
                        TOPIC,
                        running.suite.redisUrl(),
                        "" + messages)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String line = process.inputReader(StandardCharsets.UTF_8).readLine();
            return drained(String.valueOf(line), "consumer", running, before);
        } finally {
            process.destroyForcibly();
        }
    }

    /** @param line how many were handled, in how many seconds, with how many microseconds of CPU */
    private Drained drained(String line, String name, Running running, Duration redisBefore) throws IOException {
        String[] parts = line.split(" ");
        if (parts.length != 3 || Integer.parseInt(parts[0]) != messages) {
            throw new IOException("The plain consumer failed: " + line);
        }
        Map<String, Double> micros = new LinkedHashMap<>();
        Duration redis = ProcessUsage.cpu(running.redis.pid()).minus(redisBefore);
        micros.put("redis", redis.toNanos() / 1e3 / messages);
        micros.put(name, Double.parseDouble(parts[2]) / messages);
        return new Drained(messages / Double.parseDouble(parts[1]), new CpuCosts(micros));
    }

    private boolean compare(String what, Drained function, @Nullable Drained plain) {
        out.printf("%n%s, %,d messages of 1 KB that wait%n", what, messages);
        out.printf("  function        %,8.0f/s  CPU per message %s%n", function.perSecond(), function.costs());
        if (plain == null) {
            out.println("  plain consumer: node is not installed, so there is nothing to compare with");
            return false;
        }
        out.printf("  plain consumer  %,8.0f/s  CPU per message %s%n", plain.perSecond(), plain.costs());
        out.printf("  the function has %.2f of the rate%n", function.perSecond() / plain.perSecond());
        return new Goals(out)
                .atLeast(
                        "messages per CPU-second / the plain consumer's",
                        plain.costs().sum() / function.costs().sum(),
                        GOAL)
                .met();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A suite with buckets, which drains the topic by functions. */
    private final class Running implements AutoCloseable {

        private final Suite suite;
        private final RedisConnection redis;
        private final RedisDocumentStore store;
        private final FunctionsClient functions;

        Running(Suite suite) {
            this.suite = suite;
            this.redis = RedisConnection.open(suite.redisUrl());
            this.store = redis.documentStore();
            this.functions = new FunctionsClient(suite.url(Service.GATEWAY), suite.login());
            List.of("handled", "eventing")
                    .forEach(bucket -> store.catalog().createBucket(bucket, 1).join());
        }

        /** Drains the topic again and again until that costs no less, and once more. */
        Drained drainSettled(Map<String, String> source) throws IOException, InterruptedException {
            Settling settled = new Settling();
            boolean falls = true;
            for (int i = 1; falls && i <= settling; i++) {
                Drained drained = drain("warm-" + i, source);
                out.printf("%n  warming up      %,8.0f/s  CPU per message %s%n", drained.perSecond(), drained.costs());
                falls = settled.falls(drained.costs().sum());
            }
            return drain("measured", source);
        }

        /** Returns the rate between the first and the last tenth, and the costs of all. */
        Drained drain(String name, Map<String, String> source) throws IOException, InterruptedException {
            int status = functions.save(name, definition(name, source));
            if (status != 200) {
                throw new IOException("The function was not saved: " + status);
            }
            long before = mutations();
            Map<String, Duration> used = ProcessUsage.cpu(processes());
            functions.ask(name, "deploy");
            await(before + messages / 10);
            long tenth = System.nanoTime();
            long counted = mutations();
            await(before + messages);
            double seconds = (System.nanoTime() - tenth) / 1e9;
            CpuCosts costs = CpuCosts.between(used, ProcessUsage.cpu(processes()), messages);
            functions.awaitStatus(name, "deployed", Duration.ofMillis(50));
            functions.undeploy(name);
            return new Drained((before + messages - counted) / seconds, costs);
        }

        private String definition(String name, Map<String, String> source) {
            Map<String, Object> deployment = new LinkedHashMap<>(source);
            deployment.put("source_topic", TOPIC);
            deployment.put("metadata_bucket", "eventing");
            deployment.put("buckets", List.of(Map.of("alias", "handled", "bucket_name", "handled", "access", "rw")));
            return JsonMapper.shared()
                    .writeValueAsString(Map.of(
                            "appname",
                            name,
                            "appcode",
                            HANDLER,
                            "depcfg",
                            deployment,
                            "settings",
                            Map.of("worker_count", 1)));
        }

        private long mutations() {
            // the lower 42 bits of a seqno count the mutations of an incarnation
            return store.highSeqno("handled", 0).join() & ((1L << 42) - 1);
        }

        private void await(long count) throws InterruptedException {
            while (mutations() < count) {
                LockSupport.parkNanos(2_000_000);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }

        private Map<String, Long> processes() {
            Map<String, Long> pids = new LinkedHashMap<>();
            pids.put("redis", redis.pid());
            pids.put("eventing-service", suite.pid(Service.EVENTING));
            List<Long> workers = ProcessHandle.of(suite.pid(Service.EVENTING)).stream()
                    .flatMap(ProcessHandle::children)
                    .map(ProcessHandle::pid)
                    .sorted()
                    .toList();
            for (int i = 0; i < workers.size(); i++) {
                pids.put(i == 0 ? "worker" : "worker-" + (i + 1), workers.get(i));
            }
            return pids;
        }

        @Override
        public void close() {
            redis.close();
            suite.close();
        }
    }
}
