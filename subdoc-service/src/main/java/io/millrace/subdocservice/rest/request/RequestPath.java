package io.millrace.subdocservice.rest.request;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The names in the path of a request. Reads the path as it was sent: Spring's path variables drop everything after a
 * semicolon and replace bytes that are not UTF-8, so two different ids could become one.
 */
public final class RequestPath {

    // /api/v1/buckets/{bucket}/scopes/{scope}/collections/{collection}/docs/{id}: the index of each segment
    private static final int BUCKET = 3;
    private static final int SCOPES = 4;
    private static final int SCOPE = 5;
    private static final int COLLECTION = 7;

    private RequestPath() {}

    public static String bucket(ServerRequest request) {
        return segment(elements(request), BUCKET);
    }

    public static String scope(ServerRequest request) {
        return segment(elements(request), SCOPE);
    }

    /** Returns the keyspace: the one in the path, or the default collection if the path has no scope. */
    public static Keyspace keyspace(ServerRequest request) {
        List<PathContainer.Element> elements = elements(request);
        String bucket = bucket(request);
        if (!hasScope(elements)) {
            return Keyspace.of(bucket);
        }
        return new Keyspace(bucket, segment(elements, SCOPE), segment(elements, COLLECTION));
    }

    /** Returns the document whose id follows {@code docs}. */
    public static DocumentKey document(ServerRequest request) {
        List<PathContainer.Element> elements = elements(request);
        Keyspace keyspace = keyspace(request);
        int docs = hasScope(elements) ? COLLECTION + 1 : SCOPES;
        return new DocumentKey(keyspace, segment(elements, docs + 1));
    }

    private static List<PathContainer.Element> elements(ServerRequest request) {
        return request.requestPath().pathWithinApplication().elements();
    }

    /** Returns whether the route is one of a collection. Routes, and the rights to them, read the word decoded, without parameters. */
    private static boolean hasScope(List<PathContainer.Element> elements) {
        return element(elements, SCOPES) instanceof PathContainer.PathSegment segment
                && segment.valueToMatch().equals("scopes");
    }

    /** Returns a segment; separators and segments alternate, because a route has matched. */
    private static PathContainer.@Nullable Element element(List<PathContainer.Element> elements, int index) {
        int at = 2 * index + 1;
        return at < elements.size() ? elements.get(at) : null;
    }

    private static String segment(List<PathContainer.Element> elements, int index) {
        PathContainer.Element element = element(elements, index);
        if (element == null) {
            throw new IllegalStateException("The path of a matched route has no segment " + index);
        }
        String raw = element.value();
        return raw.indexOf('%') < 0 ? raw : decode(raw);
    }

    /** Decodes percent-encoding (RFC 3986); unlike in a query, a plus sign stays a plus sign. */
    static String decode(String raw) {
        ByteBuffer bytes = ByteBuffer.allocate(raw.length() * 3);
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c != '%') {
                bytes.put(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            int high = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 1), 16) : -1;
            int low = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 2), 16) : -1;
            if (high < 0 || low < 0) {
                throw notUtf8(raw);
            }
            bytes.put((byte) (high << 4 | low));
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            throw notUtf8(raw);
        }
    }

    private static ApiException notUtf8(String raw) {
        return ApiException.of(ApiError.INVALID_ID, "'%s' in the path is not percent-encoded UTF-8.".formatted(raw));
    }
}
