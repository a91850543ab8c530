package io.millrace.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.millrace.testkit.StandInServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoadTest {

    private final AtomicInteger requests = new AtomicInteger();
    private final Set<InetSocketAddress> clients = ConcurrentHashMap.newKeySet();
    private final Set<String> bodies = ConcurrentHashMap.newKeySet();
    private StandInServer server;

    @BeforeEach
    void start() throws IOException {
        server = StandInServer.start(this::answer);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        clients.add(exchange.getRemoteAddress());
        bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        int status = exchange.getRequestURI().getPath().equals("/missing") ? 404 : 200;
        StandInServer.answer(exchange, status, "x".repeat(20_000)); // more than one packet
    }

    @Test
    void everyResponse_isCountedOnce_overKeptConnections() throws IOException {
        try (Load load = new Load(server.address(), 3)) {
            Load.Answers answers = load.run(List.of(put("a"), put("b")), Duration.ofMillis(100));

            assertThat(answers.micros()).hasSizeGreaterThanOrEqualTo(3);
            assertThat(requests).hasValue(answers.micros().length);
            assertThat(clients).hasSize(3);
            assertThat(bodies).containsExactlyInAnyOrder("a", "b");
        }
    }

    @Test
    void error_endsTheRun() throws IOException {
        try (Load load = new Load(server.address(), 1)) {
            Wire missing = Wire.http("GET", server.uri("/missing"), "", new byte[0]);

            assertThatThrownBy(() -> load.run(List.of(missing), Duration.ofMillis(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("404");
        }
    }

    private Wire put(String body) {
        return Wire.http("PUT", server.uri("/d"), "", body.getBytes(StandardCharsets.UTF_8));
    }
}
