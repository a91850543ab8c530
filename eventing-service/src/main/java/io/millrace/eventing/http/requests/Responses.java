package io.millrace.eventing.http.requests;

import io.millrace.accessspring.RefusalMarks;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpResponse;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Writes what {@code OnRequest} has returned; the worker has checked it. */
final class Responses {

    /**
     * A page that a function returns has no origin and runs no script: in the origin of the gateway it could use the
     * session of whom it is shown to.
     */
    private static final String POLICY =
            "sandbox; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; frame-ancestors 'none'";

    private Responses() {}

    static Mono<Void> write(ServerWebExchange exchange, HttpResponse returned) {
        RefusalMarks.passedOn(exchange); // the status is the function's, also 401 and 403
        ServerHttpResponse response = exchange.getResponse();
        HttpHeaders headers = response.getHeaders();
        response.setRawStatusCode(returned.status());
        returned.headers().forEach(header -> headers.add(header.name(), header.value()));
        String type = usualType(returned.body().kind());
        if (type != null && !headers.containsHeader(HttpHeaders.CONTENT_TYPE)) {
            headers.set(HttpHeaders.CONTENT_TYPE, type);
        }
        headers.set("Content-Security-Policy", POLICY);
        if (notModified(exchange, returned.status()) || !mayHaveBody(returned.status())) {
            headers.remove(HttpHeaders.CONTENT_TYPE);
            return response.setComplete();
        }
        byte[] bytes = returned.body().bytes();
        headers.setContentLength(bytes.length);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(bytes)));
    }

    private static @Nullable String usualType(HttpBody.Kind kind) {
        return switch (kind) {
            case NONE -> null;
            case JSON -> "application/json";
            case TEXT -> "text/plain;charset=UTF-8";
            case BYTES -> "application/octet-stream";
        };
    }

    /** Answers a conditional GET by the ETag that the function returned. */
    private static boolean notModified(ServerWebExchange exchange, int status) {
        HttpMethod method = exchange.getRequest().getMethod();
        String tag = exchange.getResponse().getHeaders().getETag();
        return status == HttpStatus.OK.value()
                && (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD))
                && tag != null
                && exchange.checkNotModified(tag, Instant.MIN);
    }

    private static boolean mayHaveBody(int status) {
        return status != HttpStatus.NO_CONTENT.value()
                && status != HttpStatus.RESET_CONTENT.value()
                && status != HttpStatus.NOT_MODIFIED.value();
    }
}
