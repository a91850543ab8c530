package io.millrace.gateway.proxy;

import io.millrace.accessspring.ClusterIdentity;
import io.millrace.accessspring.RefusalMarks;
import io.millrace.accessspring.Subjects;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.NettyOutbound;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Streams a request to a service and its response back with back-pressure: the gateway buffers neither of them, and hands
 * their buffers from one connection to the other.
 */
@Component
final class Proxy {

    private final Duration idleTimeout;
    private final ClusterIdentity identity;

    Proxy(ProxySettings settings, ClusterIdentity identity) {
        this.idleTimeout = settings.idleTimeout();
        this.identity = identity;
    }

    Mono<ServerResponse> forward(ServerRequest request, Upstream upstream) {
        // the body is written while the service's response is open, so it cannot be passed to a builder
        return ServerResponse.ok().build((exchange, context) -> pipe(exchange, upstream));
    }

    Mono<Void> pipe(ServerWebExchange exchange, Upstream upstream) {
        String client = ClientName.of(exchange.getRequest());
        return Feeds.isFeed(exchange.getRequest())
                ? Admissions.ofFeed(upstream, client, pipe(exchange, upstream, upstream.feeds()))
                : Admissions.ofRequest(
                        upstream, client, exchange.getResponse(), pipe(exchange, upstream, upstream.requests()));
    }

    private Mono<Void> pipe(ServerWebExchange exchange, Upstream upstream, HttpClient connections) {
        return Mono.defer(() -> {
            var upload = new Upload();
            return upstream.guard()
                    .guarded(call(exchange, upstream, connections, upload), upload)
                    .flatMap(answer -> {
                        RefusalMarks.passedOn(exchange);
                        return write(answer, exchange.getResponse());
                    });
        });
    }

    /** Sends the request; emits the response when its header has arrived. */
    private Mono<UpstreamAnswer> call(
            ServerWebExchange exchange, Upstream upstream, HttpClient connections, Upload upload) {
        ServerHttpRequest request = exchange.getRequest();
        URI asked = request.getURI();
        String target = upstream.target(asked.getRawPath(), asked.getRawQuery());
        var begun = new AtomicReference<@Nullable UpstreamAnswer>();
        return connections
                .request(HttpMethod.valueOf(request.getMethod().name()))
                .uri(target)
                .send((outgoing, out) -> send(exchange, upload, outgoing, out))
                .responseConnection((response, connection) -> {
                    var answer = new UpstreamAnswer(response, connection);
                    begun.set(answer);
                    return Mono.just(answer);
                })
                .next()
                .onErrorMap(failure -> new WebClientRequestException(
                        failure, request.getMethod(), URI.create(target), HttpHeaders.EMPTY))
                .doOnCancel(() -> {
                    UpstreamAnswer answer = begun.get();
                    if (answer != null) {
                        answer.abandon();
                    }
                });
    }

    private Publisher<Void> send(
            ServerWebExchange exchange, Upload upload, HttpClientRequest outgoing, NettyOutbound out) {
        ServerHttpRequest request = exchange.getRequest();
        HttpServerRequest incoming = ServerHttpRequestDecorator.getNativeRequest(request);
        ForwardedHeaders.ofRequest(incoming, request, outgoing.requestHeaders());
        PassedSubject.set(identity, Subjects.of(exchange), outgoing.requestHeaders());
        long length = request.getHeaders().getContentLength();
        if (length <= 0 && !incoming.requestHeaders().contains(HttpHeaderNames.TRANSFER_ENCODING)) {
            return out;
        }
        var body = upload.watch(request.getBody()).map(NettyDataBufferFactory::toByteBuf);
        return length >= 0 ? out.send(body) : out.send(body, piece -> true);
    }

    private Mono<Void> write(UpstreamAnswer answer, ServerHttpResponse response) {
        HttpServerResponse outgoing = ServerHttpResponseDecorator.getNativeResponse(response);
        response.setRawStatusCode(answer.status());
        ForwardedHeaders.ofAnswer(answer.headers(), outgoing.responseHeaders());
        Flux<DataBuffer> body = answer.body((NettyDataBufferFactory) response.bufferFactory())
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
        if (!isEventStream(answer.headers().get(HttpHeaderNames.CONTENT_TYPE))) {
            body = body.timeout(idleTimeout);
        }
        Mono<Void> written = answer.headers().contains(HttpHeaderNames.CONTENT_LENGTH)
                ? response.writeWith(body)
                : response.writeAndFlushWith(body.map(Mono::just));
        return written.doFinally(end -> answer.abandon());
    }

    private static boolean isEventStream(@Nullable String type) {
        return type != null && type.regionMatches(true, 0, "text/event-stream", 0, "text/event-stream".length());
    }
}
