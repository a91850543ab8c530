package io.millrace.problemdetails;

import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.NotAcceptableStatusException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/**
 * Turns every failure of a service's API into a problem. The service names its own failures; this class knows those of
 * Spring and answers 500 for the rest.
 */
public abstract class ProblemHandler implements WebExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    /** Returns the problem of a failure that the service defines, or null for any other failure. */
    protected abstract @Nullable Problem problem(Throwable failure);

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        if (exchange.getResponse().isCommitted()) {
            return Mono.error(failure); // closes the connection, so the client sees that the response is incomplete
        }
        Problem problem = of(exchange.getRequest(), failure);
        if (problem.code().equals(Problem.INTERNAL)) {
            LOG.error(
                    "event=request_failed method={} path={}",
                    exchange.getRequest().getMethod(),
                    exchange.getRequest().getPath(),
                    failure);
        }
        HttpHeaders headers = exchange.getResponse().getHeaders();
        headers.clear();
        if (failure instanceof ResponseStatusException known) {
            headers.addAll(known.getHeaders()); // Allow, Accept
        }
        return problem.writeTo(exchange);
    }

    private Problem of(ServerHttpRequest request, Throwable failure) {
        Problem own = own(failure);
        if (own == null && failure.getCause() != null) {
            own = own(failure.getCause());
        }
        if (own != null) {
            return own;
        }
        if (failure instanceof InvalidMediaTypeException unknown) {
            return Problem.of(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "unsupported_media_type",
                    "'%s' is not a media type.".formatted(unknown.getMediaType()));
        }
        return failure instanceof ResponseStatusException known ? ofSpring(request, known) : Problem.internal();
    }

    private @Nullable Problem own(Throwable failure) {
        return failure instanceof ProblemException known ? known.problem() : problem(failure);
    }

    /** Returns the problem of a request that matches no endpoint or does not have the form that the endpoint expects. */
    public static Problem ofSpring(ServerHttpRequest request, ResponseStatusException failure) {
        HttpStatus status = HttpStatus.valueOf(failure.getStatusCode().value());
        if (status == HttpStatus.INTERNAL_SERVER_ERROR) {
            return Problem.internal();
        }
        String code = status == HttpStatus.BAD_REQUEST
                ? Problem.INVALID_REQUEST
                : status.name().toLowerCase(Locale.ROOT);
        JacksonException unreadable = unreadable(failure);
        if (unreadable != null) {
            return Problem.of(status, code, ofJson(unreadable));
        }
        if (status == HttpStatus.NOT_FOUND) {
            return Problem.of(
                            status,
                            code,
                            "No endpoint matches %s %s.".formatted(request.getMethod(), request.getPath()))
                    .withAction("Compare the path with the OpenAPI document at /v3/api-docs.");
        }
        if (failure instanceof MethodNotAllowedException wrong) {
            return Problem.of(
                    status,
                    code,
                    "%s does not support %s, only %s."
                            .formatted(request.getPath(), wrong.getHttpMethod(), wrong.getSupportedMethods()));
        }
        if (failure instanceof UnsupportedMediaTypeStatusException wrong) {
            return Problem.of(status, code, ofMediaType(wrong));
        }
        if (failure instanceof NotAcceptableStatusException wrong) {
            return Problem.of(
                    status,
                    code,
                    "The answer does not exist as '%s'; accept one of %s."
                            .formatted(
                                    request.getHeaders().getFirst(HttpHeaders.ACCEPT), wrong.getSupportedMediaTypes()));
        }
        String reason = failure.getReason();
        return Problem.of(status, code, reason == null ? status.getReasonPhrase() + "." : reason);
    }

    /** Spring's words name the Java class that the body would become. */
    private static String ofMediaType(UnsupportedMediaTypeStatusException failure) {
        String expected = failure.getSupportedMediaTypes().isEmpty()
                ? "send another one"
                : "send one of " + failure.getSupportedMediaTypes();
        return "The Content-Type '%s' is not supported here; %s.".formatted(failure.getContentType(), expected);
    }

    private static @Nullable JacksonException unreadable(Throwable failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof JacksonException known) {
                return known;
            }
        }
        return null;
    }

    private static String ofJson(JacksonException failure) {
        String field = failure.getPath().stream()
                .map(JacksonException.Reference::getPropertyName)
                .filter(Objects::nonNull)
                .collect(Collectors.joining("."));
        String where = field.isEmpty() ? "The body" : "The field '" + field + "' of the body";
        return where + " is not the JSON that this endpoint expects: " + JsonMistake.of(failure);
    }
}
