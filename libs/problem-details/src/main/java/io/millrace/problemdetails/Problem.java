package io.millrace.problemdetails;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * The body of an error response, media type {@code application/problem+json} (RFC 9457). There is no {@code type}
 * member, which means {@code about:blank}; the {@code code} identifies the kind of error.
 *
 * @param title the reason phrase of the status
 * @param status the HTTP status
 * @param code the kind of error in snake_case; it never changes, so programs can act on it
 * @param detail what is wrong with this request, and what was expected
 * @param action what the caller can do about it
 * @param retryAfterSeconds when the same request may succeed, also sent as {@code Retry-After}; null if repeating it
 *     does not help
 * @param members further members that the code defines, such as the current rev of an entry
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"title", "status", "code", "detail", "action", "retryAfterSeconds"})
public record Problem(
        String title,
        int status,
        String code,
        String detail,
        String action,
        @Nullable Long retryAfterSeconds,
        @JsonAnyGetter Map<String, Object> members) {

    /** The code of an error that no code of an API describes: a defect. */
    public static final String INTERNAL = "internal";

    /** The code of a request that does not have the form that the endpoint expects. */
    public static final String INVALID_REQUEST = "invalid_request";

    private static final long RETRY_AFTER_SECONDS = 1;

    public Problem {
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    /** Returns a problem whose action is the usual one for its status. */
    public static Problem of(HttpStatus status, String code, String detail) {
        boolean temporary = status == HttpStatus.SERVICE_UNAVAILABLE || status == HttpStatus.INSUFFICIENT_STORAGE;
        Long retryAfter = temporary ? RETRY_AFTER_SECONDS : null;
        return new Problem(
                status.getReasonPhrase(), status.value(), code, detail, usualAction(status), retryAfter, Map.of());
    }

    /** Returns a problem whose code is the name of a constant in lower case. */
    public static Problem of(HttpStatus status, Enum<?> code, String detail) {
        return of(status, code.name().toLowerCase(Locale.ROOT), detail);
    }

    /** Returns the problem of a failure that the API does not expect. The details are in the log only. */
    public static Problem internal() {
        return of(HttpStatus.INTERNAL_SERVER_ERROR, INTERNAL, "The service failed unexpectedly. This is a defect.");
    }

    private static String usualAction(HttpStatus status) {
        return switch (status) {
            case UNAUTHORIZED -> "Log in, and send the request again.";
            case FORBIDDEN -> "Send the request as a user whose roles allow it.";
            case NOT_FOUND -> "Check the names in the path.";
            case METHOD_NOT_ALLOWED -> "Use a method that the Allow header lists.";
            case CONFLICT, PRECONDITION_FAILED -> "Read the current state and decide again.";
            case CONTENT_TOO_LARGE -> "Send less.";
            case TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE -> "Repeat the request after the time in Retry-After.";
            case INSUFFICIENT_STORAGE -> "Check the memory and the persistence of Redis.";
            case INTERNAL_SERVER_ERROR -> "Look for the request in the log of the service, and report the defect.";
            default -> "Correct the request and send it again.";
        };
    }

    /** Returns this problem with another action. */
    public Problem withAction(String action) {
        return new Problem(title, status, code, detail, action, retryAfterSeconds, members);
    }

    /** Returns this problem with one more member; a null value leaves it out. */
    public Problem with(String member, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        Map<String, Object> more = new LinkedHashMap<>(members);
        more.put(member, value);
        return new Problem(title, status, code, detail, action, retryAfterSeconds, more);
    }

    /** Returns this problem with the time after which the same request may succeed, rounded up to whole seconds. */
    public Problem retryAfter(Duration pause) {
        long seconds = Math.max(1, (pause.toMillis() + 999) / 1000);
        return new Problem(title, status, code, detail, action, seconds, members);
    }

    /** Writes the problem as the whole response of an exchange that is not committed. */
    public Mono<Void> writeTo(ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        response.setRawStatusCode(status);
        setHeaders(response.getHeaders());
        DataBuffer body = response.bufferFactory().wrap(JsonMapper.shared().writeValueAsBytes(this));
        return response.writeWith(Mono.just(body));
    }

    /** Returns the problem as the response of a handler function. */
    public Mono<ServerResponse> toServerResponse(Consumer<HttpHeaders> headers) {
        return ServerResponse.status(status)
                .headers(this::setHeaders)
                .headers(headers)
                .bodyValue(this);
    }

    /** Returns the problem as the response of a controller method. */
    public ResponseEntity<Object> toResponseEntity() {
        return ResponseEntity.status(status).headers(this::setHeaders).body(this);
    }

    private void setHeaders(HttpHeaders headers) {
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        if (retryAfterSeconds != null) {
            headers.set(HttpHeaders.RETRY_AFTER, retryAfterSeconds.toString());
        }
    }
}
