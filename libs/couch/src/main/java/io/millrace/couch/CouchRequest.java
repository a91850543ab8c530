package io.millrace.couch;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request in the words of HTTP.
 *
 * @param path the decoded segments after the root of the server
 * @param query the parameters, each once
 * @param headers by lower-case name
 */
public record CouchRequest(
        String method, List<String> path, Map<String, String> query, Map<String, String> headers, byte[] body) {

    @Nullable
    String header(String name) {
        return headers.get(name);
    }

    boolean is(String wanted) {
        return method.equals(wanted);
    }

    boolean reads() {
        return is("GET") || is("HEAD");
    }
}
