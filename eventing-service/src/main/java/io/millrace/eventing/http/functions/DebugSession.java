package io.millrace.eventing.http.functions;

import io.millrace.eventing.consumer.DebugRun;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.WebsocketServerSpec;
import reactor.netty.http.websocket.WebsocketInbound;
import reactor.netty.http.websocket.WebsocketOutbound;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A debugger of one event: a WebSocket on the loopback address, with a path that cannot be guessed, and behind it a worker. One client
 * is connected at a time; a later one takes the place of the earlier one.
 */
final class DebugSession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DebugSession.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int TOKEN_BYTES = 16;
    private static final int MAX_MESSAGE_BYTES = 8 << 20;

    /** Messages of a client that come before the worker is ready wait here. */
    private static final int MAX_WAITING = 1_000;

    private final String path;
    private final Instant ends;
    private final DisposableServer server;
    private final BlockingQueue<String> toWorker = new LinkedBlockingQueue<>(MAX_WAITING);

    private final Announcements announcements = new Announcements();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    // guarded by this
    private Sinks.@Nullable Many<String> client;
    private @Nullable DebugRun run;
    private @Nullable ObjectNode invocation;
    private String failure = "";
    private boolean closed;

    DebugSession(Instant ends) {
        byte[] token = new byte[TOKEN_BYTES];
        RANDOM.nextBytes(token);
        this.path = "/" + HexFormat.of().formatHex(token);
        this.ends = ends;
        this.server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(this::accept)
                .bindNow();
    }

    /** Completes when the worker and the connection have ended. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Returns the address for clients of the DevTools protocol. */
    String url() {
        return "ws://" + authority();
    }

    private String authority() {
        return "127.0.0.1:" + server.port() + path;
    }

    /** Pages of the web must not reach it, whatever name they use for this machine: only they send an origin. */
    private Publisher<Void> accept(HttpServerRequest request, HttpServerResponse response) {
        String origin = request.requestHeaders().get("Origin");
        boolean trusted = origin == null || origin.startsWith("devtools://");
        return trusted && request.uri().equals(path)
                ? response.sendWebsocket(
                        this::serve,
                        WebsocketServerSpec.builder()
                                .maxFramePayloadLength(MAX_MESSAGE_BYTES)
                                .build())
                : response.sendNotFound();
    }

    private Publisher<Void> serve(WebsocketInbound in, WebsocketOutbound out) {
        Sinks.Many<String> sink = Sinks.many().unicast().onBackpressureBuffer();
        boolean later = connect(sink);
        Mono<Void> received = in.aggregateFrames(MAX_MESSAGE_BYTES)
                .receive()
                .asString()
                .doOnNext(message -> {
                    if (later) {
                        announcements.answering(message).forEach(this::toClient);
                    }
                })
                .takeWhile(toWorker::offer)
                .then();
        return Mono.firstWithSignal(received, out.sendString(sink.asFlux()).then());
    }

    /** Returns whether another client was connected before. */
    private synchronized boolean connect(Sinks.Many<String> sink) {
        Sinks.Many<String> before = client;
        client = sink;
        if (before != null) {
            before.tryEmitComplete();
        }
        return before != null;
    }

    private synchronized void toClient(String message) {
        if (client != null) {
            client.tryEmitNext(message);
        }
    }

    /** Passes messages between client and worker until the code has run or the session is closed. */
    void follow(DebugRun opened) {
        if (!own(opened)) {
            opened.close();
            return;
        }
        Thread sender = Thread.ofVirtual().name("debug-sender").start(() -> send(opened));
        try {
            invoked(opened.follow(message -> {
                announcements.heard(message);
                toClient(message);
            }));
        } catch (IOException e) {
            fail("The worker ended before the code had run");
        } finally {
            sender.interrupt();
            close();
        }
    }

    private synchronized boolean own(DebugRun opened) {
        if (!closed) {
            run = opened;
        }
        return !closed;
    }

    private void send(DebugRun opened) {
        try {
            while (true) {
                opened.send(toWorker.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.debug("event=debug_message_lost", e);
        }
    }

    private synchronized void invoked(byte[] json) {
        invocation = (ObjectNode) JsonMapper.shared().readTree(json);
    }

    synchronized void fail(String why) {
        if (!closed) {
            failure = why;
        }
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Returns the state as clients of the REST API see it. */
    synchronized ObjectNode describe() {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.put("state", closed ? "ended" : run == null ? "waiting" : "running")
                .put("url", url())
                .put("devtools", "devtools://devtools/bundled/js_app.html?ws=" + authority())
                .put("ends", ends.toString());
        if (invocation != null) {
            shown.set("invocation", invocation);
        }
        if (!failure.isEmpty()) {
            shown.put("error", failure);
        }
        return shown;
    }

    /** Ends the worker and the connection of the client. May be repeated. */
    @Override
    public void close() {
        DebugRun last;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            last = run;
            if (client != null) {
                client.tryEmitComplete();
            }
        }
        server.dispose();
        if (last != null) {
            last.close();
        }
        ended.complete(null);
    }
}
