package io.millrace.worker.cases;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The topic whose messages a function handles. */
record SourceTopic(String name, Kind kind) {

    /** What keeps or passes on the messages. */
    enum Kind {
        STREAM("redis-stream"),
        CHANNEL("redis-channel"),
        KAFKA("kafka");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** Returns the name in definitions. */
        String label() {
            return label;
        }
    }

    /** Returns the topic of {@code depcfg}, or null for another source. A cluster makes it one of Kafka, as in the service. */
    static @Nullable SourceTopic of(JsonNode depcfg) {
        if (!depcfg.has("source_topic")) {
            return null;
        }
        Kind standard = depcfg.has("source_cluster") ? Kind.KAFKA : Kind.STREAM;
        String given = depcfg.path("source_kind").asString(standard.label());
        Kind kind = Arrays.stream(Kind.values())
                .filter(known -> known.label().equals(given))
                .findFirst()
                .orElseThrow(() -> new MalformedCase("source_kind in function.json must be one of %s, not '%s'"
                        .formatted(
                                Arrays.stream(Kind.values()).map(Kind::label).collect(Collectors.joining(", ")),
                                given)));
        return new SourceTopic(depcfg.path("source_topic").asString(""), kind);
    }
}
