package io.millrace.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoadTest {

    private final AtomicInteger requests = new AtomicInteger();
    private final Set<InetSocketAddress> clients = ConcurrentHashMap.newKeySet();
    private final Set<String> bodies = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        clients.add(exchange.getRemoteAddress());
        bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        byte[] body = "x".repeat(20_000).getBytes(StandardCharsets.UTF_8); // more than one packet
        exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/missing") ? 404 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void everyResponse_isCountedOnce_overKeptConnections() throws IOException {
        try (Load load = new Load(server.getAddress(), 3)) {
            Load.Answers answers = load.run(List.of(put("a"), put("b")), Duration.ofMillis(100));

            assertThat(answers.micros()).hasSizeGreaterThanOrEqualTo(3);
            assertThat(requests).hasValue(answers.micros().length);
            assertThat(clients).hasSize(3);
            assertThat(bodies).containsExactlyInAnyOrder("a", "b");
        }
    }

    @Test
    void error_endsTheRun() throws IOException {
        try (Load load = new Load(server.getAddress(), 1)) {
            Wire missing = Wire.http("GET", address("/missing"), "", new byte[0]);

            assertThatThrownBy(() -> load.run(List.of(missing), Duration.ofMillis(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("404");
        }
    }

    private Wire put(String body) {
        return Wire.http("PUT", address("/d"), "", body.getBytes(StandardCharsets.UTF_8));
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }
}
