package io.millrace.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server on the loopback address that stands in for a service in tests of clients; one handler gets every request. */
public final class StandInServer implements AutoCloseable {

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    private StandInServer(HttpServer server) {
        this.server = server;
    }

    /** Starts a server on a free port. */
    public static StandInServer start(HttpHandler handler) throws IOException {
        StandInServer started =
                new StandInServer(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        started.server.setExecutor(started.threads);
        started.server.createContext("/", handler);
        started.server.start();
        return started;
    }

    /** Responds with a text and ends the exchange. */
    public static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Returns the URI of a path on this server. */
    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + address().getPort() + path);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
