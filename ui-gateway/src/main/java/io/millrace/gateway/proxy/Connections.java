package io.millrace.gateway.proxy;

import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServerRequest;

/**
 * The connections to a service, apart for each event loop: the thread that reads a request passes it on and passes the response
 * back, and wakes no other one for it. Thread-safe.
 */
final class Connections {

    private final Supplier<HttpClient> pool;
    private final Map<EventLoop, HttpClient> byLoop = new ConcurrentHashMap<>();

    /** @param pool makes a client with connections of its own */
    Connections(Supplier<HttpClient> pool) {
        this.pool = pool;
    }

    /** Returns the client whose connections the event loop of a request serves. */
    HttpClient near(HttpServerRequest request) {
        return byLoop.computeIfAbsent(loopOf(request), loop -> pool.get().runOn(loop));
    }

    /** Returns the event loop that reads a request. */
    static EventLoop loopOf(HttpServerRequest request) {
        var found = new AtomicReference<@Nullable EventLoop>();
        request.withConnection(connection -> found.set(connection.channel().eventLoop()));
        return Objects.requireNonNull(found.get());
    }
}
