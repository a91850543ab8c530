package io.millrace.subdocservice.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.documents.DocumentsException;
import io.millrace.json.MalformedJson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Turns whatever goes wrong in a handler into an answer with a status and an error body. */
final class Refusals {

    private static final Logger log = LoggerFactory.getLogger(Refusals.class);

    /** The body of every answer with a status of 400 or more. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ErrorBody(
            String error,
            String message,
            int status,
            @Nullable Integer line,
            @Nullable Integer column) {}

    private Refusals() {}

    /** A filter for all routes. */
    static Mono<ServerResponse> guard(ServerRequest request, HandlerFunction<ServerResponse> handler) {
        return Mono.defer(() -> handler.handle(request)).onErrorResume(failure -> answer(request, failure));
    }

    static Mono<ServerResponse> answer(ApiError error, String message) {
        return answer(error, message, null, null);
    }

    /** Refuses because of the state that the document is in, and says which version that is. */
    static Mono<ServerResponse> answer(ApiError error, String message, @Nullable String etag) {
        return answer(error, message, etag, null);
    }

    private static Mono<ServerResponse> answer(ServerRequest request, Throwable failure) {
        return switch (failure) {
            case Refusal refusal -> answer(refusal.error(), message(refusal), null, refusal.malformed());
            case DocumentsException e -> {
                ApiError error = ApiError.of(e.code());
                if (error.status().is5xxServerError()) {
                    log.warn("event=store_failed code={} path={} reason=\"{}\"", e.code(), request.path(), message(e));
                }
                yield answer(error, message(e));
            }
            default -> {
                log.error("event=request_failed method={} path={}", request.method(), request.path(), failure);
                yield answer(ApiError.INTERNAL, "This is a defect of the service; its log says more.");
            }
        };
    }

    private static String message(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    private static Mono<ServerResponse> answer(
            ApiError error, String message, @Nullable String etag, @Nullable MalformedJson malformed) {
        var response = ServerResponse.status(error.status()).contentType(MediaType.APPLICATION_JSON);
        if (etag != null) {
            response.header(HttpHeaders.ETAG, etag);
        }
        if (error == ApiError.UNAVAILABLE || error == ApiError.TOO_MANY_LOADS) {
            response.header(HttpHeaders.RETRY_AFTER, "1");
        }
        return response.bodyValue(new ErrorBody(
                error.code(),
                message,
                error.status().value(),
                malformed == null ? null : malformed.line(),
                malformed == null ? null : malformed.column()));
    }
}
