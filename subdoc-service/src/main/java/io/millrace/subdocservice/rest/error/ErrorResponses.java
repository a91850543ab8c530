package io.millrace.subdocservice.rest.error;

import io.millrace.documents.DocumentsException;
import io.millrace.httpdoor.BudgetExceededException;
import io.millrace.problemdetails.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;

/** The responses to requests that fail, as problems. */
public final class ErrorResponses {

    private static final Logger LOG = LoggerFactory.getLogger(ErrorResponses.class);

    private ErrorResponses() {}

    /** A filter that turns every failure of a handler into a problem. */
    public static Mono<ServerResponse> guard(ServerRequest request, HandlerFunction<ServerResponse> handler) {
        return Mono.defer(() -> handler.handle(request))
                .onErrorResume(failure -> problem(request, failure).toServerResponse(headers -> {}));
    }

    public static Mono<ServerResponse> of(ApiError error, String detail) {
        return error.problem(detail).toServerResponse(headers -> {});
    }

    /** Returns an error that the state of a document causes, with its version unless the ETag is null. */
    public static Mono<ServerResponse> of(ApiError error, String detail, @Nullable String etag) {
        return withEtag(error.problem(detail), etag);
    }

    /** Returns a problem as a response that has the version of the document unless the ETag is null. */
    public static Mono<ServerResponse> withEtag(Problem problem, @Nullable String etag) {
        return problem.toServerResponse(headers -> {
            if (etag != null) {
                headers.set(HttpHeaders.ETAG, etag);
            }
        });
    }

    private static Problem problem(ServerRequest request, Throwable failure) {
        return switch (failure) {
            case ApiException known -> known.problem();
            // the client has disconnected, so this answer is not sent
            case AbortedException e -> ApiError.INVALID_BODY.problem("The request was not sent to its end.");
            case BudgetExceededException e -> ApiError.OVERLOADED.problem(BudgetExceededException.MESSAGE);
            case DocumentsException e -> {
                ApiError error = ApiError.of(e.code());
                if (error.status().is5xxServerError()) {
                    LOG.warn("event=store_failed code={} path={} reason=\"{}\"", e.code(), request.path(), detail(e));
                }
                yield error.problem(detail(e));
            }
            default -> {
                LOG.error("event=request_failed method={} path={}", request.method(), request.path(), failure);
                yield ApiError.INTERNAL.problem("The service failed unexpectedly. This is a defect.");
            }
        };
    }

    private static String detail(DocumentsException failure) {
        String message = failure.getMessage();
        return message == null ? "The store failed with %s.".formatted(failure.code()) : message;
    }
}
