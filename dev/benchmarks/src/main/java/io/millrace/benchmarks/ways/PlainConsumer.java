package io.millrace.benchmarks.ways;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a user writes without Millrace: a consumer of a topic of Kafka that handles messages and writes the results to Redis. It
 * repeats nothing that fails and has no time limits. Prints how many it has handled, in how many seconds, and with how many
 * microseconds of CPU.
 */
final class PlainConsumer {

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private PlainConsumer() {}

    /** @param args the address of the broker, the topic, the URL of Redis, and how many messages there are */
    public static void main(String[] args) {
        int wanted = Integer.parseInt(args[3]);
        RedisClient client = RedisClient.create(args[2]);
        RedisAsyncCommands<byte[], byte[]> redis =
                client.connect(ByteArrayCodec.INSTANCE).async();
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                args[0],
                "group.id",
                "plain",
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                "false");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(args[1]));
            int handled = 0;
            long began = 0;
            while (handled < wanted) {
                List<RedisFuture<String>> writes = new ArrayList<>();
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofMillis(100))) {
                    began = began == 0 ? System.nanoTime() : began; // the group has formed
                    byte[] key =
                            ("plain:" + message.partition() + '-' + message.offset()).getBytes(StandardCharsets.UTF_8);
                    writes.add(redis.set(key, handle(message.value())));
                }
                LettuceFutures.awaitAll(PATIENCE, writes.toArray(RedisFuture[]::new));
                consumer.commitSync();
                handled += writes.size();
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            long cpuMicros = ProcessHandle.current()
                            .info()
                            .totalCpuDuration()
                            .orElse(Duration.ZERO)
                            .toNanos()
                    / 1000;
            System.out.printf("%d %s %d%n", handled, seconds, cpuMicros);
        }
        client.shutdown();
    }

    private static byte[] handle(byte[] message) {
        ObjectNode order = (ObjectNode) JsonMapper.shared().readTree(message);
        double total = 0;
        for (JsonNode item : order.path("items")) {
            total += item.path("price").asDouble() * item.path("quantity").asDouble();
        }
        return JsonMapper.shared().writeValueAsBytes(order.put("total", total));
    }
}
