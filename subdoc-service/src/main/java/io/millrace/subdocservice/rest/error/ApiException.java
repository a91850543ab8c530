package io.millrace.subdocservice.rest.error;

import io.millrace.httpdoor.LimitedBody;
import io.millrace.json.MalformedJson;
import io.millrace.problemdetails.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** Ends a request with an error; {@link ErrorResponses} makes the response. Has no stack trace. */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ApiError error;
    private final @Nullable MalformedJson malformed;

    private ApiException(ApiError error, String message, @Nullable MalformedJson malformed) {
        super(message, null, false, false);
        this.error = error;
        this.malformed = malformed;
    }

    public static ApiException of(ApiError error, String message) {
        return new ApiException(error, message, null);
    }

    public static ApiException of(MalformedJson malformed) {
        String message = "The body is not JSON: " + malformed.getMessage() + ".";
        return new ApiException(ApiError.INVALID_JSON, message, malformed);
    }

    /** Reads the body of a request; fails with {@code tooLarge} if it is longer than the limit. */
    public static Mono<byte[]> readUpTo(ServerRequest request, int maxBytes, ApiError tooLarge) {
        return LimitedBody.readCounted(
                request.exchange(),
                maxBytes,
                () -> of(tooLarge, "The body is larger than the limit of %,d bytes.".formatted(maxBytes)));
    }

    public ApiError error() {
        return error;
    }

    Problem problem() {
        Problem problem = error.problem(String.valueOf(getMessage()));
        return malformed == null
                ? problem
                : problem.with("line", malformed.line()).with("column", malformed.column());
    }
}
