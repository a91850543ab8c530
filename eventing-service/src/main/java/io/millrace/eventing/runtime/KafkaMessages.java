package io.millrace.eventing.runtime;

import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.kafka.KafkaMessage;
import io.millrace.workerprotocol.Event;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Messages of topics of Kafka as functions see them. The seqno of such an event is the offset, and its CAS the partition. */
public final class KafkaMessages {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    /** Headers of messages that functions have published. */
    private static final String ID = "millrace-id";

    private static final String CONTENT_TYPE = "content-type";

    private KafkaMessages() {}

    /** Returns the partition of an event. */
    public static int partition(Event event) {
        return (int) event.cas();
    }

    /** Returns a message as it is sent to workers. */
    public static Event event(String topic, KafkaMessage message, int vbucket) {
        byte @Nullable [] value = message.value();
        String type = message.headers().getOrDefault(CONTENT_TYPE, "");
        byte @Nullable [] json = value == null ? NULL : TopicMessages.json(value, type);
        byte[] body = json == null ? Objects.requireNonNull(value) : json;
        return new Event(
                Event.Kind.APPENDED,
                new Event.Key(Event.TOPIC_SCOPE, topic, entry(message), vbucket),
                new Event.Version(message.offset(), message.partition(), 0),
                new Event.Content(0, 0, json == null, body, about(topic, message), null));
    }

    /** Reads the message that a replay of a letter handles. */
    static CompletableFuture<Optional<Event>> ofLetter(
            DeadLetter.Change change, FunctionSpec spec, RuntimeEnvironment environment) {
        FunctionSpec.Source source = spec.source();
        return environment
                .kafka()
                .find(source.cluster(), source.topic(), (int) change.cas(), change.seqno())
                .thenApply(found -> found.map(message -> event(source.topic(), message, change.vbucket())));
    }

    private static String entry(KafkaMessage message) {
        return message.partition() + "-" + message.offset();
    }

    private static byte[] about(String topic, KafkaMessage message) {
        ObjectNode about = JsonNodeFactory.instance.objectNode();
        about.put("topic", topic).put("id", message.headers().getOrDefault(ID, entry(message)));
        byte @Nullable [] key = message.key();
        if (key != null) {
            about.put("key", new String(key, StandardCharsets.UTF_8));
        }
        ObjectNode headers = about.putObject("headers");
        message.headers().forEach((name, value) -> {
            if (!name.equals(ID) && !name.equals(CONTENT_TYPE)) {
                headers.put(name, value);
            }
        });
        about.put("entry", entry(message))
                .put("partition", message.partition())
                .put("offset", message.offset())
                .put("time", Instant.ofEpochMilli(message.millis()).toString());
        return JSON.writeValueAsBytes(about);
    }
}
