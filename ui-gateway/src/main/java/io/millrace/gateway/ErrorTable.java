package io.millrace.gateway;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Maps every failure of the gateway itself to its status and JSON; answers of services pass through as they are. */
@Component
@Order(-2) // before the handler of Spring Boot
final class ErrorTable implements WebExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(ErrorTable.class);

    /**
     * The body of an answer that is no success.
     *
     * @param error a code to act on
     * @param message what is wrong and what to do, for people
     * @param service the service that failed, if one did
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ApiError(
            String error,
            String message,
            int status,
            @Nullable String service,
            @Nullable Long retryAfterSeconds) {}

    private final JsonMapper json;

    ErrorTable(JsonMapper json) {
        this.json = json;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        var response = exchange.getResponse();
        if (response.isCommitted()) {
            return Mono.error(failure); // cuts the connection: the client sees that the answer is not whole
        }
        ApiError error = error(failure);
        log(exchange, error, failure);
        response.setRawStatusCode(error.status());
        response.getHeaders().clear();
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        if (error.retryAfterSeconds() != null) {
            response.getHeaders()
                    .set(HttpHeaders.RETRY_AFTER, error.retryAfterSeconds().toString());
        }
        DataBuffer body = response.bufferFactory().wrap(json.writeValueAsBytes(error));
        return response.writeWith(Mono.just(body));
    }

    private static void log(ServerWebExchange exchange, ApiError error, Throwable failure) {
        var request = exchange.getRequest();
        if (error.status() == HttpStatus.INTERNAL_SERVER_ERROR.value()) {
            log.error("method={} path={} error=internal", request.getMethod(), request.getPath(), failure);
        } else if (error.status() > HttpStatus.INTERNAL_SERVER_ERROR.value()) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            log.warn(
                    "method={} path={} service={} error={} cause=\"{}\"",
                    request.getMethod(),
                    request.getPath(),
                    error.service(),
                    error.error(),
                    cause.toString());
        }
    }

    private static ApiError error(Throwable failure) {
        return switch (failure) {
            case GatewayException known -> {
                Duration retryAfter = known.retryAfter();
                yield new ApiError(
                        known.code().name().toLowerCase(Locale.ROOT),
                        String.valueOf(known.getMessage()),
                        status(known.code()).value(),
                        known.service(),
                        retryAfter == null ? null : Math.max(1, (retryAfter.toMillis() + 999) / 1000));
            }
            case ResponseStatusException known -> framework(known);
            default ->
                new ApiError(
                        "internal",
                        "The gateway failed in a way that was not foreseen; its log has the details.",
                        HttpStatus.INTERNAL_SERVER_ERROR.value(),
                        null,
                        null);
        };
    }

    private static HttpStatus status(GatewayException.Code code) {
        return switch (code) {
            case UPSTREAM_DOWN, UPSTREAM_SUSPENDED -> HttpStatus.SERVICE_UNAVAILABLE;
            case UPSTREAM_TIMEOUT -> HttpStatus.GATEWAY_TIMEOUT;
            case UPSTREAM_BROKEN, UPSTREAM_UNEXPECTED -> HttpStatus.BAD_GATEWAY;
            case CLIENT_TIMEOUT -> HttpStatus.REQUEST_TIMEOUT;
            case INVALID_ARCHIVE -> HttpStatus.BAD_REQUEST;
            case ARCHIVE_TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
        };
    }

    private static ApiError framework(ResponseStatusException failure) {
        HttpStatus status = HttpStatus.valueOf(failure.getStatusCode().value());
        String reason = failure.getReason();
        String message = status == HttpStatus.NOT_FOUND
                ? "The gateway has nothing at this path. Its start page / lists what there is."
                : reason == null ? status.getReasonPhrase() + "." : reason;
        return new ApiError(status.name().toLowerCase(Locale.ROOT), message, status.value(), null, null);
    }
}
