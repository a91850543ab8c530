package io.millrace.couch;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An HTTP response. */
public sealed interface CouchResponse {

    int status();

    Map<String, String> headers();

    /** Returns a response with a JSON body. */
    static CouchResponse json(int status, JsonNode body) {
        return json(status, JsonMapper.shared().writeValueAsString(body));
    }

    /** Returns a response with a JSON body; a line break is appended. */
    static CouchResponse json(int status, String body) {
        return json(status, (body + "\n").getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /**
     * Returns a response with a JSON body.
     *
     * @param more headers besides the content type
     */
    static CouchResponse json(int status, byte[] body, Map<String, String> more) {
        Map<String, String> headers = new LinkedHashMap<>(Map.of("Content-Type", "application/json"));
        headers.putAll(more);
        return new Whole(status, headers, body);
    }

    /** Returns the path of a resource from the root of the server, for {@code Location}; the names are encoded. */
    static String location(String... names) {
        StringBuilder path = new StringBuilder();
        for (String name : names) {
            path.append('/')
                    .append(URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"));
        }
        return path.toString();
    }

    /** A response whose body is complete. */
    record Whole(int status, Map<String, String> headers, byte[] body) implements CouchResponse {}

    /** A response whose body is produced in chunks; each must be sent at once. */
    record Streamed(int status, Map<String, String> headers, Chunks chunks) implements CouchResponse {}

    /** The chunks of a response body. */
    interface Chunks extends AutoCloseable {

        /** Returns the next chunk, which may be empty, or null at the end. Blocks until one is available. */
        byte @Nullable [] next();

        @Override
        void close();
    }
}
