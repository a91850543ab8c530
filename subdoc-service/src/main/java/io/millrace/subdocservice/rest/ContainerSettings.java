package io.millrace.subdocservice.rest;

import io.millrace.json.JsonCursor;
import io.millrace.json.MalformedJson;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/**
 * The settings that a request to create a bucket, a scope or a collection has. Every other setting is refused: a largest
 * time to live, for instance, that is left out without a word would be noticed when documents stay.
 */
final class ContainerSettings {

    /** Leaves the number of shards to the service. */
    static final int ANY_SHARDS = 0;

    private static final String SHARDS = "shards";

    private enum Kind {
        BUCKET("a bucket has the setting 'shards', in the body"),
        SCOPE("a scope has no settings"),
        COLLECTION("a collection has no settings; documents expire by an expiry of their own");

        private final String settings;

        Kind(String settings) {
            this.settings = settings;
        }
    }

    private ContainerSettings() {}

    /** Returns the number of shards in {@code {"shards": n}}, or {@link #ANY_SHARDS}. */
    static Mono<Integer> ofBucket(ServerRequest request) {
        return read(request, Kind.BUCKET);
    }

    /** Completes if the request has no settings, and fails otherwise. */
    static Mono<Void> ofScope(ServerRequest request) {
        return read(request, Kind.SCOPE).then();
    }

    /** Completes if the request has no settings, and fails otherwise. */
    static Mono<Void> ofCollection(ServerRequest request) {
        return read(request, Kind.COLLECTION).then();
    }

    private static Mono<Integer> read(ServerRequest request, Kind kind) {
        Optional<String> parameter = request.queryParams().keySet().stream().findFirst();
        if (parameter.isPresent()) {
            return Mono.error(unknown(ApiError.INVALID_PARAMETER, "parameter", parameter.get(), kind));
        }
        return ApiException.readUpTo(request, RestLimits.MAX_SETTINGS_BYTES, ApiError.BODY_TOO_LARGE)
                .map(body -> shards(body, kind));
    }

    private static int shards(byte[] body, Kind kind) {
        if (body.length == 0) {
            return ANY_SHARDS;
        }
        try {
            JsonCursor.check(body);
            JsonCursor cursor = new JsonCursor(body, 0, body.length);
            @Nullable Integer shards = null;
            cursor.beginObject();
            while (cursor.nextMember()) {
                String name = cursor.readName();
                if (kind != Kind.BUCKET || !name.equals(SHARDS)) {
                    throw unknown(ApiError.INVALID_BODY, "setting", name, kind);
                }
                cursor.peek();
                int from = cursor.position();
                cursor.skipValue();
                shards = number(new String(body, from, cursor.position() - from, StandardCharsets.UTF_8));
            }
            return shards == null ? ANY_SHARDS : shards;
        } catch (MalformedJson e) {
            throw ApiException.of(e);
        }
    }

    private static ApiException unknown(ApiError error, String what, String name, Kind kind) {
        return ApiException.of(error, "The %s '%s' does not exist; %s.".formatted(what, name, kind.settings));
    }

    private static int number(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // falls through: the message is the same
        }
        throw ApiException.of(
                ApiError.INVALID_SHARDS,
                "The number of shards must be a power of two from 1 to 1024, not %s.".formatted(text));
    }
}
