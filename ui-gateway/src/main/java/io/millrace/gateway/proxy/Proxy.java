package io.millrace.gateway.proxy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Streams a request to a service and its response back with back-pressure: the gateway buffers neither of them.
 */
@Component
final class Proxy {

    private final Duration idleTimeout;

    Proxy(ProxySettings settings) {
        this.idleTimeout = settings.idleTimeout();
    }

    Mono<ServerResponse> forward(ServerRequest request, Upstream upstream) {
        // the body is written while the service's response is open, so it cannot be passed to a builder
        return ServerResponse.ok().build((exchange, context) -> pipe(exchange, upstream));
    }

    private Mono<Void> pipe(ServerWebExchange exchange, Upstream upstream) {
        String client = ClientName.of(exchange.getRequest());
        return Feeds.isFeed(exchange.getRequest())
                ? Admissions.ofFeed(upstream, client, pipe(exchange, upstream, upstream.feeds()))
                : Admissions.ofRequest(
                        upstream, client, exchange.getResponse(), pipe(exchange, upstream, upstream.client()));
    }

    private Mono<Void> pipe(ServerWebExchange exchange, Upstream upstream, WebClient client) {
        ServerHttpRequest request = exchange.getRequest();
        var upload = new Upload();
        WebClient.RequestBodySpec call = client.method(request.getMethod())
                .uri(upstream.uri(
                        request.getURI().getRawPath(), request.getURI().getRawQuery()))
                .headers(headers -> ForwardedHeaders.ofRequest(request, headers))
                .attribute(Upload.ATTRIBUTE, upload)
                .attributes(PassedSubject.of(exchange));
        if (hasBody(request.getHeaders())) {
            Flux<DataBuffer> body = upload.watch(request.getBody());
            call.body((output, context) -> request.getHeaders().getContentLength() >= 0
                    ? output.writeWith(body)
                    : output.writeAndFlushWith(body.map(Mono::just)));
        }
        return call.exchangeToMono(answer -> write(answer, exchange.getResponse()));
    }

    private static boolean hasBody(HttpHeaders headers) {
        return headers.getContentLength() > 0 || headers.getFirst(HttpHeaders.TRANSFER_ENCODING) != null;
    }

    private Mono<Void> write(ClientResponse answer, ServerHttpResponse response) {
        HttpHeaders headers = answer.headers().asHttpHeaders();
        response.setRawStatusCode(answer.statusCode().value());
        ForwardedHeaders.ofAnswer(headers, response.getHeaders());
        Flux<DataBuffer> body =
                answer.body(BodyExtractors.toDataBuffers()).doOnDiscard(DataBuffer.class, DataBufferUtils::release);
        if (!isEventStream(headers.getContentType())) {
            body = body.timeout(idleTimeout);
        }
        return headers.getContentLength() >= 0
                ? response.writeWith(body)
                : response.writeAndFlushWith(body.map(Mono::just));
    }

    private static boolean isEventStream(@Nullable MediaType type) {
        return type != null && type.isCompatibleWith(MediaType.TEXT_EVENT_STREAM);
    }
}
