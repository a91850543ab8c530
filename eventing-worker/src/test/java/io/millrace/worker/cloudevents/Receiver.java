package io.millrace.worker.cloudevents;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server for CloudEvents on the loopback, which fails as a test says and can be killed and started again. */
public final class Receiver implements AutoCloseable {

    /** A status that no server sends: the request is not answered. */
    public static final int STALL = 0;

    /**
     * A request.
     *
     * @param headers by name in lower case
     * @param status how it was answered
     */
    public record Request(String method, String path, Map<String, String> headers, byte[] body, int status) {

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        public JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    /** Decides how a request is answered. */
    public interface Behaviour {
        int status(int number);
    }

    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final int port;
    private volatile Behaviour behaviour = number -> 204;
    private volatile Map<String, String> answered = Map.of();
    private volatile HttpServer server;

    public Receiver() throws IOException {
        server = started(0);
        port = server.getAddress().getPort();
    }

    private HttpServer started(int at) throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 0);
        made.setExecutor(threads);
        made.createContext("/", this::serve);
        made.start();
        return made;
    }

    public String url() {
        return "http://127.0.0.1:" + port + "/events";
    }

    /** Sets how the next requests are answered, and with which headers. */
    public void behaves(Behaviour next, Map<String, String> headers) {
        answered = headers;
        behaviour = next;
    }

    public void behaves(Behaviour next) {
        behaves(next, Map.of());
    }

    public List<Request> requests() {
        return requests;
    }

    /** The requests that were accepted. */
    public List<Request> accepted() {
        return requests.stream().filter(request -> request.status() / 100 == 2).toList();
    }

    private void serve(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Map<String, String> headers = new TreeMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
        int status;
        synchronized (this) {
            status = behaviour.status(requests.size() + 1);
            requests.add(new Request(
                    exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, body, status));
        }
        try (exchange) {
            if (status == STALL) {
                closed.await();
                return;
            }
            answered.forEach(exchange.getResponseHeaders()::set);
            byte[] text = status < 300 ? new byte[0] : "not now".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(status, text.length == 0 ? -1 : text.length);
            exchange.getResponseBody().write(text);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the port and every connection, in the middle of requests. */
    public void kill() {
        server.stop(0);
    }

    /** Listens on the same port again. */
    public void restart() {
        Awaitility.await().ignoreException(BindException.class).until(() -> {
            server = started(port);
            return true;
        });
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
