package io.millrace.eventing.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A message of a topic.
 *
 * @param millis its timestamp, in milliseconds since 1970
 * @param key null for none
 * @param value null for none, by which compacted topics delete a key
 * @param headers in UTF-8; of several with one name the last
 */
public record KafkaMessage(
        int partition,
        long offset,
        long millis,
        byte @Nullable [] key,
        byte @Nullable [] value,
        Map<String, String> headers) {

    static KafkaMessage of(ConsumerRecord<byte[], byte[]> found) {
        Map<String, String> headers = new TreeMap<>();
        for (Header header : found.headers()) {
            byte[] value = header.value();
            headers.put(header.key(), value == null ? "" : new String(value, StandardCharsets.UTF_8));
        }
        return new KafkaMessage(
                found.partition(), found.offset(), Math.max(0, found.timestamp()), found.key(), found.value(), headers);
    }

    /** Returns about how many bytes it has. */
    public int bytes() {
        return (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
    }
}
