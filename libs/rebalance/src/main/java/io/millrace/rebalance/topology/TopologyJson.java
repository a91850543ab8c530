package io.millrace.rebalance.topology;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The JSON form of the messages in MetaKV and HTTP, with the names of seed document 000. */
final class TopologyJson {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private TopologyJson() {}

    public static byte[] write(Object message) {
        return JSON.writeValueAsBytes(message);
    }

    /**
     * Parses a message.
     *
     * @throws tools.jackson.core.JacksonException if it is malformed
     */
    public static <T> T read(byte[] json, Class<T> type) {
        return JSON.readValue(json, type);
    }
}
