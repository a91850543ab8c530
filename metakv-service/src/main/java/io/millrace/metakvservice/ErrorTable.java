package io.millrace.metakvservice;

import io.millrace.documents.DocumentsException;
import io.millrace.metakv.MetakvException;
import io.millrace.metakv.MetakvLimits;
import io.millrace.streams.StreamsException;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Maps every failure to its status and JSON: the one table of this edge. */
@Component
@Order(-2) // before the handler of Spring Boot
final class ErrorTable implements WebExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(ErrorTable.class);

    private final JsonMapper json;

    ErrorTable(JsonMapper json) {
        this.json = json;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        var response = exchange.getResponse();
        if (response.isCommitted()) {
            return Mono.error(failure);
        }
        ApiError error = error(failure);
        if (error.status() == HttpStatus.INTERNAL_SERVER_ERROR.value()) {
            log.error(
                    "request={} {} failed",
                    exchange.getRequest().getMethod(),
                    exchange.getRequest().getPath(),
                    failure);
        }
        response.setRawStatusCode(error.status());
        response.getHeaders().clear();
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        if (error.status() == HttpStatus.SERVICE_UNAVAILABLE.value()) {
            response.getHeaders().set("Retry-After", "1");
        }
        DataBuffer body = response.bufferFactory().wrap(json.writeValueAsBytes(error));
        return response.writeWith(Mono.just(body));
    }

    private static ApiError error(Throwable failure) {
        return switch (failure) {
            case MetakvException known -> ApiError.of(status(known.code()), lower(known.code()), message(known));
            case DocumentsException known -> documents(known);
            case StreamsException known -> streams(known);
            case ResponseStatusException known -> framework(known);
            default ->
                ApiError.of(
                        HttpStatus.INTERNAL_SERVER_ERROR,
                        "internal",
                        "The service failed in a way that was not foreseen; its log has the details.");
        };
    }

    private static HttpStatus status(MetakvException.Code code) {
        return switch (code) {
            case INVALID_PATH, INVALID_REQUEST -> HttpStatus.BAD_REQUEST;
            case NODE_ID_TAKEN -> HttpStatus.CONFLICT;
            case VALUE_TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
            case TOO_MANY_WATCHERS, UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
            case REFUSED -> HttpStatus.INSUFFICIENT_STORAGE;
            case UNEXPECTED -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
    }

    private static ApiError documents(DocumentsException failure) {
        if (failure.unavailable()) {
            return ApiError.of(HttpStatus.SERVICE_UNAVAILABLE, "unavailable", message(failure));
        }
        return failure.code() == DocumentsException.Code.REFUSED
                ? ApiError.of(HttpStatus.INSUFFICIENT_STORAGE, "refused", message(failure))
                : ApiError.of(HttpStatus.INTERNAL_SERVER_ERROR, "internal", message(failure));
    }

    private static ApiError streams(StreamsException failure) {
        HttpStatus status = switch (failure.code()) {
            case NOTHING_TO_WRITE, TOO_MANY_EVENTS, MALFORMED -> HttpStatus.BAD_REQUEST;
            case EVENT_TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
            case ORIGIN_NOT_FOUND -> HttpStatus.GONE;
            case NOT_A_STREAM, MAX_RESYNCS_EXHAUSTED -> HttpStatus.CONFLICT;
            case TOO_MANY_REQUESTS, CORRUPT -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
        return ApiError.of(status, lower(failure.code()), message(failure));
    }

    private static ApiError framework(ResponseStatusException failure) {
        if (failure.getCause() instanceof DataBufferLimitException
                || failure.getStatusCode().value() == 413) {
            return ApiError.of(
                    HttpStatus.CONTENT_TOO_LARGE,
                    lower(MetakvException.Code.VALUE_TOO_LARGE),
                    "The body is larger than %d bytes.".formatted(MetakvLimits.MAX_VALUE_BYTES));
        }
        HttpStatus status = HttpStatus.valueOf(failure.getStatusCode().value());
        if (failure.getCause() instanceof MetakvException known) {
            return ApiError.of(status(known.code()), lower(known.code()), message(known));
        }
        String code = status == HttpStatus.BAD_REQUEST
                ? lower(MetakvException.Code.INVALID_REQUEST)
                : status.name().toLowerCase(Locale.ROOT);
        JacksonException unreadable = unreadable(failure);
        if (unreadable != null) {
            return ApiError.of(status, code, whatIsUnreadable(unreadable));
        }
        String reason = failure.getReason();
        return ApiError.of(status, code, reason == null ? status.getReasonPhrase() + "." : reason);
    }

    private static @Nullable JacksonException unreadable(Throwable failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof JacksonException known) {
                return known;
            }
        }
        return null;
    }

    private static String whatIsUnreadable(JacksonException failure) {
        String field = failure.getPath().stream()
                .map(JacksonException.Reference::getPropertyName)
                .filter(Objects::nonNull)
                .collect(Collectors.joining("."));
        String where = field.isEmpty() ? "The body" : "The field '" + field + "' of the body";
        return where + " is not the JSON that is expected: " + failure.getOriginalMessage();
    }

    private static String message(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }

    private static String lower(Enum<?> code) {
        return code.name().toLowerCase(Locale.ROOT);
    }
}
