package io.millrace.worker.curl;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** The server of the curl tests: listens on the loopback and answers with the request it received. */
final class TestServer implements AutoCloseable {
    static final int LARGE_BYTES = 5_000_000;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile String redirectsTo = "/";
    private final List<String> requests = new CopyOnWriteArrayList<>();

    TestServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            try (exchange) {
                serve(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    /** Sets where {@code /other} leads. */
    void redirectTo(String url) {
        redirectsTo = url;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Returns the requests that came, as method and target. */
    List<String> requests() {
        return requests;
    }

    private void serve(HttpExchange exchange) throws IOException, InterruptedException {
        String path = exchange.getRequestURI().getPath();
        switch (path) {
            case "/gzip" -> {
                exchange.getResponseHeaders().set("Content-Encoding", "gzip");
                answer(exchange, 200, "application/json", gzip("{\"packed\":true}"));
            }
            case "/deflate" -> {
                exchange.getResponseHeaders().set("Content-Encoding", "deflate");
                answer(exchange, 200, "application/json", deflate("{\"packed\":true}", true));
            }
            case "/zlib" -> {
                exchange.getResponseHeaders().set("Content-Encoding", "deflate");
                answer(exchange, 200, "application/json", deflate("{\"packed\":true}", false));
            }
            case "/large" -> answer(exchange, 200, "application/octet-stream", new byte[LARGE_BYTES]);
            case "/empty" -> exchange.sendResponseHeaders(204, -1);
            case "/missing" -> answer(exchange, 404, "text/plain", utf8("nothing here"));
            case "/slow" -> {
                exchange.sendResponseHeaders(200, 10);
                closed.await();
            }
            case "/silent" -> closed.await();
            case "/cookie" -> {
                exchange.getResponseHeaders().set("Set-Cookie", "taste=sweet; Path=/");
                answer(exchange, 200, "text/plain", utf8("set"));
            }
            case "/loop" -> redirect(exchange, 302, "/loop");
            case "/a/page" -> {
                if (exchange.getRequestURI().getQuery() == null) {
                    redirect(exchange, 302, "?number=2");
                } else {
                    echo(exchange);
                }
            }
            case "/scheme" -> redirect(exchange, 302, url().replace("http:", "https:"));
            case "/other" -> redirect(exchange, 302, redirectsTo);
            case "/out" -> redirect(exchange, 302, "http://169.254.169.254/latest/meta-data");
            case "/digest" -> digest(exchange, "");
            case "/kinds" ->
                digest(exchange, "Negotiate, Basic realm=\"of Basic, Digest\", Digest nonce=\"n\", algorithm=X, ");
            default -> {
                if (path.startsWith("/redirect/")) {
                    redirect(exchange, Integer.parseInt(path.substring("/redirect/".length())), "/echo?from=redirect");
                } else {
                    echo(exchange);
                }
            }
        }
    }

    private static void redirect(HttpExchange exchange, int status, String location) throws IOException {
        exchange.getResponseHeaders().set("Location", location);
        answer(exchange, status, "text/plain", utf8("elsewhere"));
    }

    private static void digest(HttpExchange exchange, String others) throws IOException {
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        if (given != null
                && given.startsWith("Digest ")
                && given.contains("username=\"Mufasa\"")
                && given.contains("realm=\"r\"")
                && given.contains("qop=auth")
                && given.contains("opaque=\"o\"")) {
            answer(exchange, 200, "text/plain", utf8("welcome"));
            return;
        }
        exchange.getResponseHeaders()
                .set("WWW-Authenticate", others + "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", opaque=\"o\"");
        answer(exchange, 401, "text/plain", utf8("who are you"));
    }

    /** Answers with a line for the request, for each interesting header, and the body. */
    private static void echo(HttpExchange exchange) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append(exchange.getRequestMethod())
                .append(' ')
                .append(exchange.getRequestURI())
                .append('\n');
        for (String name : List.of("Authorization", "Content-Type", "Cookie", "Traceparent", "X-Mine")) {
            String value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                text.append(name).append(": ").append(value).append('\n');
            }
        }
        text.append(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        exchange.getResponseHeaders().set("X-Answered", "yes");
        answer(exchange, 200, "text/plain; charset=utf-8", utf8(text.toString()));
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(utf8(text));
        }
        return bytes.toByteArray();
    }

    private static byte[] deflate(String text, boolean raw) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new DeflaterOutputStream(bytes, new Deflater(Deflater.DEFAULT_COMPRESSION, raw))) {
            out.write(utf8(text));
        }
        return bytes.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
