package io.millrace.eventing.language;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What the handlers of the kit call with curl. */
final class KitServer implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);

    KitServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                serve(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void serve(HttpExchange exchange) throws IOException, InterruptedException {
        switch (exchange.getRequestURI().getPath()) {
            case "/text" -> answer(exchange, 200, "text/plain", "plain");
            case "/json" -> answer(exchange, 200, "application/json; charset=utf-8", "{\"a\":[1]}");
            case "/malformed" -> answer(exchange, 200, "application/json", "{\"a\":");
            case "/form" -> answer(exchange, 200, "application/x-www-form-urlencoded", "a=1+2&b=%C3%BC");
            case "/binary" -> answer(exchange, 200, "image/png", "\u0001\u0002\u0003");
            case "/missing" -> answer(exchange, 404, "text/plain", "missing");
            case "/empty" -> exchange.sendResponseHeaders(204, -1);
            case "/redirect" -> redirect(exchange, "/text");
            case "/loop" -> redirect(exchange, "/loop");
            case "/slow" -> closed.await();
            case "/header" -> answer(exchange, 200, "text/plain", header(exchange, "X-Mine"));
            case "/auth" -> answer(exchange, 200, "text/plain", header(exchange, "Authorization"));
            default -> {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                answer(
                        exchange,
                        200,
                        "text/plain",
                        "%s %s %s %s"
                                .formatted(
                                        exchange.getRequestMethod(),
                                        exchange.getRequestURI(),
                                        header(exchange, "Content-Type"),
                                        body));
            }
        }
    }

    private static String header(HttpExchange exchange, String name) {
        return Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst(name), "null");
    }

    private static void redirect(HttpExchange exchange, String to) throws IOException {
        exchange.getResponseHeaders().set("Location", to);
        exchange.sendResponseHeaders(302, -1);
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
