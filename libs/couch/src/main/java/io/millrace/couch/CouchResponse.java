package io.millrace.couch;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An answer in the words of HTTP. */
public sealed interface CouchResponse {

    int status();

    Map<String, String> headers();

    /** Returns an answer whose body is JSON. */
    static CouchResponse json(int status, JsonNode body) {
        return json(status, JsonMapper.shared().writeValueAsString(body));
    }

    /** Returns an answer whose body is JSON, which this ends with a line break. */
    static CouchResponse json(int status, String body) {
        return json(status, (body + "\n").getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /**
     * Returns an answer whose body is JSON.
     *
     * @param more headers besides the type
     */
    static CouchResponse json(int status, byte[] body, Map<String, String> more) {
        Map<String, String> headers = new LinkedHashMap<>(Map.of("Content-Type", "application/json"));
        headers.putAll(more);
        return new Whole(status, headers, body);
    }

    /** An answer that is there as a whole. */
    record Whole(int status, Map<String, String> headers, byte[] body) implements CouchResponse {}

    /** An answer that comes in pieces; each is to be sent as soon as it is there. */
    record Streamed(int status, Map<String, String> headers, Chunks chunks) implements CouchResponse {}

    /** The pieces of an answer. */
    interface Chunks extends AutoCloseable {

        /** Returns the next piece, which may be empty, or null when there is none. Blocks as long as it has to. */
        byte @Nullable [] next();

        @Override
        void close();
    }
}
