package io.millrace.couch;

import io.millrace.access.Subject;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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

    private static final Pattern COMMA = Pattern.compile(",");

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

    /**
     * Returns whether the client has what has this entity tag: whether {@code If-None-Match} is {@code *} or names the tag, strong
     * or weak (RFC 9110, section 13.1.2).
     */
    public boolean knows(String etag) {
        String known = header("if-none-match");
        return known != null
                && (known.strip().equals("*") || COMMA.splitAsStream(known).anyMatch(tag -> isTag(tag.strip(), etag)));
    }

    private static boolean isTag(String given, String etag) {
        return given.equals(etag) || given.equals("W/" + etag);
    }

    /** Throws a {@link CouchException} if the content type is given and is not JSON. */
    public void requireJson() {
        String type = header("content-type");
        if (type != null && !type.startsWith("application/json")) {
            throw CouchException.contentType("Content-Type must be application/json");
        }
    }
}
