package io.millrace.gateway.proxy;

import io.millrace.access.Subject;
import io.millrace.accessspring.ClusterIdentity;
import io.millrace.accessspring.RefusalMarks;
import io.millrace.accessspring.Subjects;
import io.millrace.gateway.GatewayException;
import io.millrace.gateway.limits.ClientName;
import io.millrace.gateway.limits.FeedLimit;
import io.millrace.gateway.websocket.WebSocketFeeds;
import io.millrace.httpdoor.Pieces;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
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
import org.springframework.http.HttpStatus;
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
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Streams a request to a service and its response back with back-pressure: the gateway hands their buffers from one connection
 * to the other and keeps none. Only short ones wait until they are whole, see {@link WholeBodies}; the service hears nothing of
 * a request before its short body is whole, or the first piece of a long one has come.
 */
@Component
final class Proxy {

    private final Duration idleTimeout;
    private final ClusterIdentity identity;
    private final FeedAccess access;
    private final WebSocketFeeds sockets;

    Proxy(ProxySettings settings, ClusterIdentity identity, FeedAccess access, WebSocketFeeds sockets) {
        this.idleTimeout = settings.idleTimeout();
        this.identity = identity;
        this.access = access;
        this.sockets = sockets;
    }

    Mono<ServerResponse> forward(ServerRequest request, Upstream upstream) {
        // the body is written while the service's response is open, so it cannot be passed to a builder
        return ServerResponse.ok().build((exchange, context) -> pipe(Passage.of(exchange), upstream));
    }

    Mono<Void> pipe(Passage passage, Upstream upstream) {
        String client = ClientName.of(passage.request());
        return FeedLimit.isFeed(passage.request()) || WebSocketFeeds.isAsked(passage.request())
                ? Admissions.ofFeed(
                        upstream, client, access.watched(passage, pipe(passage, upstream, upstream.feeds())))
                : Admissions.ofRequest(
                        upstream,
                        client,
                        passage.response()::getStatusCode,
                        pipe(passage, upstream, upstream.requests()));
    }

    private Mono<Void> pipe(Passage passage, Upstream upstream, Connections connections) {
        return Mono.defer(() -> {
            var upload = new Upload();
            Flux<DataBuffer> body = upload.watch(passage.request().getBody());
            Mono<UpstreamAnswer> answer;
            if (WholeBodies.isShort(passage.length())) {
                answer = WholeBodies.of(body)
                        .onErrorMap(failure -> GatewayException.clientTimeout())
                        .flatMap(whole -> guarded(passage, upstream, connections, upload, retained(whole))
                                .doFinally(end -> DataBufferUtils.release(whole)));
            } else if (passage.hasBody()) {
                answer = WholeBodies.begun(
                        body,
                        pieces -> guarded(
                                passage, upstream, connections, upload, pieces.map(NettyDataBufferFactory::toByteBuf)));
            } else {
                answer = guarded(passage, upstream, connections, upload, Mono.empty());
            }
            return answer.flatMap(begun -> write(begun, passage, upstream));
        });
    }

    /** The sender releases what it gets, and may not get to it. */
    private static Mono<ByteBuf> retained(DataBuffer whole) {
        return Mono.fromSupplier(() -> NettyDataBufferFactory.toByteBuf(DataBufferUtils.retain(whole)));
    }

    private Mono<UpstreamAnswer> guarded(
            Passage passage, Upstream upstream, Connections connections, Upload upload, Publisher<ByteBuf> body) {
        return upstream.guard().guarded(call(passage, upstream, connections, body), upload);
    }

    /** Sends the request; emits the response when its header has arrived. */
    private Mono<UpstreamAnswer> call(
            Passage passage, Upstream upstream, Connections connections, Publisher<ByteBuf> body) {
        ServerHttpRequest request = passage.request();
        HttpServerRequest incoming = ServerHttpRequestDecorator.getNativeRequest(request);
        URI asked = request.getURI();
        String target = upstream.target(asked.getRawPath(), asked.getRawQuery());
        var begun = new AtomicReference<@Nullable UpstreamAnswer>();
        return connections
                .near(incoming)
                .request(HttpMethod.valueOf(request.getMethod().name()))
                .uri(target)
                .send((outgoing, out) -> send(passage, body, outgoing, out))
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
            Passage passage, Publisher<ByteBuf> body, HttpClientRequest outgoing, NettyOutbound out) {
        ServerHttpRequest request = passage.request();
        HttpServerRequest incoming = ServerHttpRequestDecorator.getNativeRequest(request);
        ForwardedHeaders.ofRequest(incoming.requestHeaders(), request, outgoing.requestHeaders());
        if (WebSocketFeeds.isAsked(request)) {
            outgoing.requestHeaders().set(HttpHeaderNames.ACCEPT, HttpHeaderValues.TEXT_EVENT_STREAM);
        }
        PassedSubject.set(identity, passage.subject(), outgoing.requestHeaders());
        if (!passage.hasBody()) {
            return out;
        }
        if (WholeBodies.isShort(passage.length())) {
            return out.send(body);
        }
        if (passage.length() < 0) {
            // the HTTP client sets it for some methods only, and the service would take the body for the next request
            outgoing.requestHeaders().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        return out.send(body, piece -> true); // without flushes it gathers the bodies of GET, HEAD and DELETE
    }

    private Mono<Void> write(UpstreamAnswer answer, Passage passage, Upstream upstream) {
        boolean events = isEventStream(answer.headers().get(HttpHeaderNames.CONTENT_TYPE));
        if (events && answer.status() == HttpStatus.OK.value() && WebSocketFeeds.isAsked(passage.request())) {
            return sockets.send(passage.response(), body(answer, passage)).doFinally(end -> answer.abandon());
        }
        ServerHttpResponse response = passage.response();
        HttpServerResponse outgoing = ServerHttpResponseDecorator.getNativeResponse(response);
        response.setRawStatusCode(answer.status());
        ForwardedHeaders.ofAnswer(answer.headers(), outgoing.responseHeaders());
        passage.answered().run();
        Flux<DataBuffer> body = body(answer, passage);
        if (!events) {
            body = body.timeout(idleTimeout);
        }
        return written(answer, body, passage, upstream).doFinally(end -> answer.abandon());
    }

    private static Flux<DataBuffer> body(UpstreamAnswer answer, Passage passage) {
        return answer.body((NettyDataBufferFactory) passage.response().bufferFactory())
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
    }

    private static Mono<Void> written(
            UpstreamAnswer answer, Flux<DataBuffer> body, Passage passage, Upstream upstream) {
        ServerHttpResponse response = passage.response();
        if (WholeBodies.isShort(answer, passage.request().getMethod())) {
            // nothing has been sent yet, so that the client can be told
            return response.writeWith(
                    WholeBodies.of(body).onErrorMap(failure -> upstream.guard().broken(failure)));
        }
        return answer.headers().contains(HttpHeaderNames.CONTENT_LENGTH)
                ? response.writeWith(body)
                : Pieces.send(response, body);
    }

    static boolean isEventStream(@Nullable String type) {
        return type != null && type.regionMatches(true, 0, "text/event-stream", 0, "text/event-stream".length());
    }

    /**
     * A request that is passed on.
     *
     * @param subject who asks
     * @param answered runs when the status and the headers of the service's response have been taken over, before they are sent
     */
    record Passage(ServerHttpRequest request, ServerHttpResponse response, Subject subject, Runnable answered) {

        /** Returns that of a request that has come through the filters. */
        static Passage of(ServerWebExchange exchange) {
            return new Passage(
                    exchange.getRequest(),
                    exchange.getResponse(),
                    Subjects.of(exchange),
                    () -> RefusalMarks.passedOn(exchange));
        }

        /** Returns the length of its body, or -1 if it is not known. */
        long length() {
            return request.getHeaders().getContentLength();
        }

        boolean hasBody() {
            return length() > 0 || request.getHeaders().containsHeader(HttpHeaders.TRANSFER_ENCODING);
        }
    }
}
