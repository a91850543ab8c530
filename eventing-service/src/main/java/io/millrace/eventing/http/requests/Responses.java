package io.millrace.eventing.http.requests;

import io.millrace.accessspring.RefusalMarks;
import io.millrace.eventing.consumer.StreamedResponse;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

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
        HttpHeaders headers = begin(exchange, returned);
        ServerHttpResponse response = exchange.getResponse();
        if (notModified(exchange, returned.status()) || !mayHaveBody(returned.status())) {
            headers.remove(HttpHeaders.CONTENT_TYPE);
            return response.setComplete();
        }
        byte[] bytes = returned.body().bytes();
        headers.setContentLength(bytes.length);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(bytes)));
    }

    /**
     * Sends each part as soon as there is one. A response that fails in the middle, or that the client takes too slowly, ends with
     * its connection, so that the client does not mistake what it got for the whole. The caller abandons what is not wanted any more.
     *
     * @param timeout how long the handler may run
     */
    static Mono<Void> write(ServerWebExchange exchange, StreamedResponse streamed, Duration timeout) {
        HttpResponse returned = streamed.beginning();
        HttpHeaders headers = begin(exchange, returned);
        ServerHttpResponse response = exchange.getResponse();
        boolean head = exchange.getRequest().getMethod().equals(HttpMethod.HEAD);
        if (head || notModified(exchange, returned.status()) || !mayHaveBody(returned.status())) {
            streamed.abandon();
            return response.setComplete();
        }
        headers.set("X-Accel-Buffering", "no"); // proxies pass on what they have
        return response.writeAndFlushWith(streamed.parts()
                        .map(part -> Mono.fromSupplier(() -> {
                            streamed.taken(part.length); // the part before is with the client
                            return response.bufferFactory().wrap(part);
                        })))
                .timeout(timeout.plus(RequestLimits.GRACE));
    }

    /** Has something done when the response has been sent or its connection has ended; in this way only, one that waits learns of that. */
    static void whenOver(ServerHttpResponse response, Runnable over) {
        HttpServerResponse server = ServerHttpResponseDecorator.getNativeResponse(response);
        server.withConnection(
                connection -> connection.onTerminate().subscribe(nothing -> {}, failure -> over.run(), over));
    }

    private static HttpHeaders begin(ServerWebExchange exchange, HttpResponse returned) {
        RefusalMarks.passedOn(exchange); // the status is the function's, also 401 and 403
        HttpHeaders headers = exchange.getResponse().getHeaders();
        exchange.getResponse().setRawStatusCode(returned.status());
        returned.headers().stream()
                .filter(header -> !OtherNodes.isMark(header.name()))
                .forEach(header -> headers.add(header.name(), header.value()));
        String type = usualType(returned.body().kind());
        if (type != null && !headers.containsHeader(HttpHeaders.CONTENT_TYPE)) {
            headers.set(HttpHeaders.CONTENT_TYPE, type);
        }
        headers.set("Content-Security-Policy", POLICY);
        return headers;
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
