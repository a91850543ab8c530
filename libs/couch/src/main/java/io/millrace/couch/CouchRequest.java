package io.millrace.couch;

import io.millrace.access.Subject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request.
 *
 * @param path the decoded segments after the root of the server
 * @param query parameters by name
 * @param headers by lower-case name
 * @param subject who asks
 */
public record CouchRequest(
        String method,
        List<String> path,
        Map<String, String> query,
        Map<String, String> headers,
        byte[] body,
        Subject subject) {

    /** Returns a header, or null when the request does not have it. */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    public boolean is(String wanted) {
        return method.equals(wanted);
    }

    /** Returns whether the method is GET or HEAD. */
    public boolean reads() {
        return is("GET") || is("HEAD");
    }

    /** Throws a {@link CouchException} if the content type is given and is not JSON. */
    public void requireJson() {
        String type = header("content-type");
        if (type != null && !type.startsWith("application/json")) {
            throw CouchException.contentType("Content-Type must be application/json");
        }
    }
}
