package io.millrace.subdocservice.rest.request;

import io.millrace.documents.Datatype;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The Content-Type of a request; without one the path decides. Forms are rejected although curl sends every body as a form by
 * default: a page on another site can make a browser send a form, but not JSON.
 */
public final class ContentTypes {

    private static final Set<String> JSON_LINES =
            Set.of("x-ndjson", "ndjson", "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "json-lines");

    private ContentTypes() {}

    public static Datatype ofDocument(ServerRequest request) {
        Optional<MediaType> type = of(request);
        if (type.isEmpty() || json(type.get())) {
            return Datatype.JSON;
        }
        if (type.get().equalsTypeAndSubtype(MediaType.APPLICATION_OCTET_STREAM)) {
            return Datatype.BINARY;
        }
        throw unsupported("A document is sent as 'Content-Type: application/json' or, for any bytes,"
                + " application/octet-stream; not as %s. With curl add -H 'Content-Type: application/json'."
                        .formatted(type.get()));
    }

    public static void requireJson(ServerRequest request) {
        of(request).filter(type -> !json(type)).ifPresent(type -> {
            throw unsupported(
                    "Extended attributes are sent as 'Content-Type: application/json', not as %s.".formatted(type));
        });
    }

    public static void requireJsonLines(ServerRequest request) {
        of(request).filter(type -> !JSON_LINES.contains(type.getSubtype())).ifPresent(type -> {
            throw unsupported(
                    "A bulk load is sent as 'Content-Type: application/x-ndjson', one document a line; not as %s."
                            .formatted(type));
        });
    }

    private static Optional<MediaType> of(ServerRequest request) {
        try {
            return request.headers().contentType();
        } catch (InvalidMediaTypeException e) {
            throw unsupported("The Content-Type cannot be read: %s. Send 'Content-Type: application/json'."
                    .formatted(e.getMessage()));
        }
    }

    private static boolean json(MediaType type) {
        return type.equalsTypeAndSubtype(MediaType.APPLICATION_JSON)
                || type.getSubtype().endsWith("+json");
    }

    private static ApiException unsupported(String message) {
        return ApiException.of(ApiError.UNSUPPORTED_MEDIA_TYPE, message);
    }
}
