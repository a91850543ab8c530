package io.millrace.worker.cases;

import io.millrace.workerprotocol.Event;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The steps {@code message} of a case: messages of the function's topic, as {@code OnMessage} gets them from its kind of topic. */
final class MessageStep {

    private final @Nullable SourceTopic topic;

    /** The number of messages of each partition; 0 is the only one outside of Kafka. */
    private final Map<Long, Long> counts = new HashMap<>();

    /** @param topic the source of the function, or null if that is not a topic */
    MessageStep(@Nullable SourceTopic topic) {
        this.topic = topic;
    }

    /** Reads the next message, which arrives at a time. */
    Event read(JsonNode step, Instant now) {
        if (topic == null) {
            throw new MalformedCase(
                    "message is for a function whose source is a topic: function.json has no source_topic");
        }
        Cases.members("a message of the kind " + topic.kind().label(), step, members(topic));
        if (step.has("content") == step.has("base64")) {
            throw new MalformedCase("message needs content, or base64 with the bytes of a binary one: " + step);
        }
        boolean kafka = topic.kind() == SourceTopic.Kind.KAFKA;
        long partition = step.path("partition").asLong(0);
        long number = counts.merge(partition, 1L, Long::sum) - 1;
        String entry = (kafka ? partition : now.toEpochMilli()) + "-" + number;
        ObjectNode about = about(topic, step, entry);
        if (kafka) {
            about.put("partition", partition).put("offset", number);
        }
        about.put("time", now.toString());
        byte[] body = step.has("base64") ? Cases.bytes(step.path("base64")) : utf8(step.path("content"));
        return new Event(
                Event.Kind.APPENDED,
                new Event.Key(Event.TOPIC_SCOPE, topic.name(), entry, 0),
                new Event.Version(number, number, 0),
                new Event.Content(0, 0, step.has("base64"), body, utf8(about), null));
    }

    /** Redis sends of a message of a channel nothing but its content. */
    private static Set<String> members(SourceTopic topic) {
        return switch (topic.kind()) {
            case STREAM -> Set.of("content", "base64", "key", "headers", "id");
            case CHANNEL -> Set.of("content", "base64");
            case KAFKA -> Set.of("content", "base64", "key", "headers", "id", "partition");
        };
    }

    private static ObjectNode about(SourceTopic topic, JsonNode step, String entry) {
        ObjectNode about = JsonNodeFactory.instance.objectNode();
        about.put("topic", topic.name()).put("id", step.path("id").asString(entry));
        if (step.has("key")) {
            about.put("key", step.path("key").asString());
        }
        ObjectNode headers = about.putObject("headers");
        step.path("headers")
                .properties()
                .forEach(
                        header -> headers.put(header.getKey(), header.getValue().asString()));
        if (topic.kind() != SourceTopic.Kind.CHANNEL) {
            about.put("entry", entry);
        }
        return about;
    }

    private static byte[] utf8(JsonNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }
}
