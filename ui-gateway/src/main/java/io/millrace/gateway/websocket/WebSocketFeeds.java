package io.millrace.gateway.websocket;

import io.millrace.httpdoor.BufferBytes;
import io.millrace.httpdoor.UnreadBytes;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.WebsocketServerSpec;
import reactor.netty.http.websocket.WebsocketInbound;
import reactor.netty.http.websocket.WebsocketOutbound;

/**
 * Topics, live queries and event streams over WebSockets. Services speak server-sent events alone; the gateway turns these into
 * messages, when it has the beginning of the response. A refusal is thus the same response as without a WebSocket.
 */
@Component
public final class WebSocketFeeds implements SmartLifecycle {

    private static final Pattern FEEDS =
            Pattern.compile("/api/v1/(?:topics/.*|buckets/[^/]+(?:/scopes/[^/]+/collections/[^/]+)?/live|streams)");

    /** The version of the protocol in RFC 6455, the only one that is used. */
    private static final String VERSION = "13";

    private static final WebsocketServerSpec SPEC = WebsocketServerSpec.builder()
            .maxFramePayloadLength(WebSocketLimits.MAX_CLIENT_FRAME_BYTES)
            .build();

    private final Duration patience;
    private final Sinks.Empty<WebSocketEnd> stopping = Sinks.empty();
    private volatile boolean running;

    /** @param writeTimeout after this time a connection is closed that is not read; the client is told why before */
    WebSocketFeeds(@Value("${millrace.http.write-timeout}") Duration writeTimeout) {
        this.patience = writeTimeout.multipliedBy(3).dividedBy(4);
    }

    /** Returns whether a request asks for a feed over a WebSocket. */
    public static boolean isAsked(ServerHttpRequest request) {
        HttpServerRequest received = ServerHttpRequestDecorator.getNativeRequest(request);
        HttpHeaders headers = received.requestHeaders();
        return request.getMethod().equals(HttpMethod.GET)
                && FEEDS.matcher(request.getURI().getRawPath()).matches()
                && headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
                && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
                && VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))
                && headers.contains(HttpHeaderNames.SEC_WEBSOCKET_KEY);
    }

    /**
     * Accepts the WebSocket and sends the events of a body as messages; ends when no more are sent. The client is then told why and may
     * still read what it was sent before. To cancel it means that the reader has lost the access to the feed.
     */
    public Mono<Void> send(ServerHttpResponse response, Flux<DataBuffer> body) {
        HttpServerResponse outgoing = ServerHttpResponseDecorator.getNativeResponse(response);
        Sinks.Empty<WebSocketEnd> lost = Sinks.empty();
        Sinks.Empty<Void> ended = Sinks.empty();
        response.setStatusCode(HttpStatus.SWITCHING_PROTOCOLS);
        return response.setComplete() // adds the headers of the filters
                .then(Mono.defer(() -> outgoing.sendWebsocket(
                        (in, out) -> talk(in, out, body, ending(lost, WebSocketEnd.ACCESS_CHANGED))
                                .doFinally(end -> ended.tryEmitEmpty())
                                .flatMap(end -> tell(out, end)),
                        SPEC)))
                .then(ended.asMono())
                .doOnCancel(lost::tryEmitEmpty);
    }

    private static Mono<Void> tell(WebsocketOutbound out, WebSocketEnd end) {
        return end == WebSocketEnd.CLIENT_GONE
                ? Mono.empty()
                : out.sendClose(end.code(), end.reason()).onErrorComplete();
    }

    private Mono<WebSocketEnd> talk(
            WebsocketInbound in, WebsocketOutbound out, Flux<DataBuffer> body, Mono<WebSocketEnd> lost) {
        return Mono.firstWithSignal(List.of(
                messages(out, body),
                listening(in),
                unread(in),
                pings(out),
                ending(stopping, WebSocketEnd.STOPPING),
                lost));
    }

    private static Mono<WebSocketEnd> ending(Sinks.Empty<WebSocketEnd> sink, WebSocketEnd end) {
        return sink.asMono().defaultIfEmpty(end);
    }

    /** Reads the next piece of the response when the messages of the one before have left for the client. */
    private static Mono<WebSocketEnd> messages(WebsocketOutbound out, Flux<DataBuffer> body) {
        var events = new EventMessages();
        return body.concatMap(
                        piece -> {
                            List<String> messages = events.read(BufferBytes.take(piece));
                            return messages.isEmpty()
                                    ? Mono.<Void>empty()
                                    : out.sendObject(Flux.fromIterable(messages).map(TextWebSocketFrame::new))
                                            .then();
                        },
                        1)
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release)
                .then(Mono.just(WebSocketEnd.FEED_ENDED))
                .onErrorResume(failure -> Mono.just(
                        failure instanceof EventMessages.TooLarge
                                ? WebSocketEnd.EVENT_TOO_LARGE
                                : WebSocketEnd.FEED_ENDED));
    }

    /** What the client sends is followed to the end of the connection: to stop it would close the WebSocket without a code. */
    private static Mono<WebSocketEnd> listening(WebsocketInbound in) {
        Sinks.One<WebSocketEnd> client = Sinks.one();
        in.receiveFrames()
                .timeout(WebSocketLimits.SILENCE)
                .subscribe(
                        frame -> heard(frame, client),
                        gone -> client.tryEmitValue(WebSocketEnd.CLIENT_GONE),
                        () -> client.tryEmitValue(WebSocketEnd.CLIENT_GONE));
        return client.asMono();
    }

    private static void heard(WebSocketFrame frame, Sinks.One<WebSocketEnd> client) {
        if (!(frame instanceof PongWebSocketFrame)) {
            client.tryEmitValue(WebSocketEnd.NO_MESSAGES_EXPECTED);
        }
    }

    private Mono<WebSocketEnd> unread(WebsocketInbound in) {
        Channel channel = channel(in);
        var unread = new UnreadBytes();
        return Flux.interval(WebSocketLimits.LOOK, Schedulers.fromExecutor(channel.eventLoop()))
                .onBackpressureDrop()
                .filter(look -> unread.nanos(channel) > patience.toNanos())
                .next()
                .map(look -> WebSocketEnd.TOO_SLOW);
    }

    private static Channel channel(WebsocketInbound in) {
        var found = new AtomicReference<@Nullable Channel>();
        in.withConnection(connection -> found.set(connection.channel()));
        return Objects.requireNonNull(found.get());
    }

    private static Mono<WebSocketEnd> pings(WebsocketOutbound out) {
        return Flux.interval(WebSocketLimits.PING)
                .onBackpressureDrop()
                .concatMap(
                        ping -> out.sendObject(Mono.fromSupplier(PingWebSocketFrame::new))
                                .then(),
                        1)
                .onErrorComplete() // the client has gone, which its silence shows
                .then(Mono.never());
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        stopping.tryEmitEmpty();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Before the graceful end of the server, which waits for connections. */
    @Override
    public int getPhase() {
        return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE + 1;
    }
}
