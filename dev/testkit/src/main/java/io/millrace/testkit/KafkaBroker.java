package io.millrace.testkit;

import io.millrace.launcher.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A Kafka of one node, controller and broker in a process of its own, that can be killed and started again with its data. */
public final class KafkaBroker implements AutoCloseable {

    /** A broker takes seconds to start, and much longer on a machine that is busy. */
    private static final Duration PATIENCE = Duration.ofSeconds(180);

    private static final Duration ATTEMPT = Duration.ofSeconds(5);
    private static final String NODE = "1";

    private final Path directory;
    private final Path configuration;
    private final int port;
    private Process process;

    private KafkaBroker(Path directory, String scheme, Map<String, String> more) throws IOException {
        this.directory = directory;
        this.port = Ports.free();
        this.configuration = directory.resolve("server.properties");
        int controller = Ports.free();
        Properties settings = new Properties();
        settings.putAll(Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                NODE,
                "controller.quorum.voters",
                NODE + "@127.0.0.1:" + controller,
                "listeners",
                "%s://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(scheme, port, controller),
                "controller.listener.names",
                "CONTROLLER",
                "inter.broker.listener.name",
                scheme,
                "log.dirs",
                directory.resolve("data").toString(),
                "auto.create.topics.enable",
                "false",
                "offsets.topic.replication.factor",
                "1"));
        settings.putAll(more);
        try (var file = Files.newBufferedWriter(configuration)) {
            settings.store(file, null);
        }
        format(Files.createDirectories(directory.resolve("data")));
        process = run();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> process.destroyForcibly(), "kafka-remover"));
    }

    /** Names the cluster and the node in the directory of the data, as {@code kafka-storage format} would in a JVM of its own. */
    private static void format(Path data) throws IOException {
        Properties names = new Properties();
        names.putAll(Map.of(
                "version",
                "1",
                "cluster.id",
                Uuid.randomUuid().toString(),
                "node.id",
                NODE,
                "directory.id",
                Uuid.randomUuid().toString()));
        try (var file = Files.newBufferedWriter(data.resolve("meta.properties"))) {
            names.store(file, null);
        }
    }

    /** Starts a broker that knows no topic and makes none by itself. */
    public static KafkaBroker start(Path directory) throws Exception {
        KafkaBroker broker = new KafkaBroker(directory, "PLAINTEXT", Map.of());
        try {
            broker.awaitReady();
            return broker;
        } catch (Exception e) {
            broker.close();
            throw e;
        }
    }

    /** Starts a broker that takes one account by SASL; it is not asked whether it is ready. */
    public static KafkaBroker startWithAccount(Path directory, String user, String password) throws Exception {
        return new KafkaBroker(
                directory,
                "SASL_PLAINTEXT",
                Map.of(
                        "listener.security.protocol.map",
                        "SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "sasl.enabled.mechanisms",
                        "PLAIN",
                        "sasl.mechanism.inter.broker.protocol",
                        "PLAIN",
                        "listener.name.sasl_plaintext.plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\" user_%s=\"%s\";"
                                .formatted(user, password, user, password)));
    }

    private Process run() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx384m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "kafka.Kafka",
                        configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
    }

    private String log() throws IOException {
        return Files.readString(directory.resolve("log"));
    }

    private void awaitReady() throws Exception {
        try (Admin admin = admin()) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (true) {
                try {
                    admin.describeCluster().nodes().get(ATTEMPT.toMillis(), TimeUnit.MILLISECONDS);
                    return;
                } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
                    if (System.nanoTime() - end > 0 || !process.isAlive()) {
                        throw new IllegalStateException("Kafka does not answer:\n" + log(), e);
                    }
                }
            }
        }
    }

    private Admin admin() {
        return Admin.create(Map.of(
                "bootstrap.servers",
                address(),
                // otherwise it spins until a broker answers, on the cores on which the broker starts
                "metadata.recovery.strategy",
                "none"));
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Makes a topic, as soon as the broker answers. */
    public void create(String topic, int partitions, Map<String, String> settings) throws Exception {
        try (Admin admin = admin()) {
            create(admin, topic, partitions, settings);
        }
    }

    /** @param account settings of a client that may do it */
    public void create(String topic, Path account) throws Exception {
        Properties client = new Properties();
        try (var file = Files.newBufferedReader(account)) {
            client.load(file);
        }
        try (Admin admin = Admin.create(client)) {
            create(admin, topic, 1, Map.of());
        }
    }

    private static void create(Admin admin, String topic, int partitions, Map<String, String> settings)
            throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
                .all()
                .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        awaitLeader(admin, topic, partitions);
    }

    /**
     * Waits until the broker itself knows its new partitions. One that learns of a partition between two batches of a producer
     * refuses the first and takes the second, and then never takes the first (KAFKA-15591).
     */
    private static void awaitLeader(Admin admin, String topic, int partitions) throws Exception {
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(topic, partition), partition -> OffsetSpec.latest()));
        admin.listOffsets(ends).all().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns all messages of a topic, those of a partition in their order. */
    public List<ConsumerRecord<String, String>> messages(String topic) {
        List<ConsumerRecord<String, String>> all = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", address()), new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic, PATIENCE).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!reached(consumer, ends)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("Kafka does not give its messages");
                }
                consumer.poll(Duration.ofMillis(100)).forEach(all::add);
            }
        }
        return all;
    }

    private static boolean reached(KafkaConsumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    /** Kills the process, as by kill -9. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Starts it again with the same port and data. */
    public void restart() throws Exception {
        process = run();
        awaitReady();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
