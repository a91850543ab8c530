package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.millrace.gateway.FakeService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Clients that stay silent in the middle of a request, in front of a service that closes connections without a request. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "millrace.http.body-timeout=500ms")
class HalfSentRequestsTest {

    private static final String HEADER = """
            PUT /couch/db/half HTTP/1.1\r
            Host: 127.0.0.1:%d\r
            Content-Type: application/json\r
            %s\r
            \r
            %s""";

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final ServerSocket impatient = closingConnections();

    @DynamicPropertySource
    static void services(DynamicPropertyRegistry properties) {
        new FakeService().register(properties);
        properties.add("millrace.subdoc.url", () -> "http://127.0.0.1:" + impatient.getLocalPort());
    }

    @LocalServerPort
    private int port;

    @Autowired
    private CircuitBreakerRegistry breakers;

    @AfterAll
    static void close() throws IOException {
        impatient.close();
    }

    private static ServerSocket closingConnections() {
        try {
            ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread.startVirtualThread(() -> {
                while (!server.isClosed()) {
                    try {
                        server.accept().close();
                    } catch (IOException e) {
                        // the test is over
                    }
                }
            });
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 1000, {\"half\":", "Content-Length: 10000000, ''", "Transfer-Encoding: chunked, ''"})
    void bodyThatStops_timesOutAndNoServiceIsBlamed(String length, String begun) throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.setSoTimeout((int) PATIENCE.toMillis());
            client.getOutputStream().write(HEADER.formatted(port, length, begun).getBytes(StandardCharsets.US_ASCII));

            var response =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(response.readLine()).startsWith("HTTP/1.1 408 ");
        }

        assertThat(breakers.circuitBreaker(Upstreams.SUBDOC).getMetrics().getNumberOfFailedCalls())
                .isZero();
    }
}
