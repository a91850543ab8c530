package io.millrace.rebalance;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The messages as MetaKV keeps them and HTTP shows them: JSON with the names of seed document 000. */
public final class TopologyJson {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private TopologyJson() {}

    public static byte[] write(Object message) {
        return JSON.writeValueAsBytes(message);
    }

    /**
     * Reads a message.
     *
     * @throws tools.jackson.core.JacksonException when it is none
     */
    public static <T> T read(byte[] json, Class<T> type) {
        return JSON.readValue(json, type);
    }
}
