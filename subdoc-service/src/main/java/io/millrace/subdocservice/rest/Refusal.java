package io.millrace.subdocservice.rest;

import io.millrace.json.MalformedJson;
import io.millrace.subdocservice.http.LimitedBody;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** A request that is not carried out, and why; becomes the answer in {@link Refusals}. Carries no stack trace. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ApiError error;
    private final @Nullable MalformedJson malformed;

    private Refusal(ApiError error, String message, @Nullable MalformedJson malformed) {
        super(message, null, false, false);
        this.error = error;
        this.malformed = malformed;
    }

    static Refusal of(ApiError error, String message) {
        return new Refusal(error, message, null);
    }

    static Refusal of(MalformedJson malformed) {
        String message = "The body is not JSON: " + malformed.getMessage() + ".";
        return new Refusal(ApiError.INVALID_JSON, message, malformed);
    }

    /** Reads the body of a request and refuses one that is longer than a limit. */
    static Mono<byte[]> readUpTo(ServerRequest request, int maxBytes, ApiError tooLarge) {
        return LimitedBody.read(
                request,
                maxBytes,
                () -> of(tooLarge, "The body is larger than the limit of %,d bytes.".formatted(maxBytes)));
    }

    ApiError error() {
        return error;
    }

    /** Where the text stops being JSON, for {@link ApiError#INVALID_JSON} of a whole body. */
    @Nullable
    MalformedJson malformed() {
        return malformed;
    }
}
