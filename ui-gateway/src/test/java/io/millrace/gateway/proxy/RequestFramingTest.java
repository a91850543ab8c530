package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.gateway.FakeService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/**
 * Where a request ends is said to the service as it was said to the gateway: a service that took a body for the next request would
 * answer it with the rights of the user who asks next on that connection.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class RequestFramingTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String PATH = "/api/v1/keys/x";

    /** A request, if it is taken for one. */
    private static final String HIDDEN = "DELETE /hidden HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

    private static final int LONG = 4_000_000;
    private static final FakeService service = new FakeService();

    @DynamicPropertySource
    static void services(DynamicPropertyRegistry properties) {
        service.register(properties);
    }

    @AfterAll
    static void stop() {
        service.stop();
    }

    @LocalServerPort
    private int port;

    private final List<String> bodies = new CopyOnWriteArrayList<>();

    @BeforeEach
    void listen() {
        service.plays((request, response) -> request.receive()
                .aggregate()
                .asString(StandardCharsets.US_ASCII)
                .defaultIfEmpty("")
                .doOnNext(bodies::add)
                .then(response.status(204).send()));
    }

    static Stream<String> requests() {
        List<String> bodies = List.of(
                "Content-Length: %d\r\n\r\n%s".formatted(HIDDEN.length(), HIDDEN),
                "Connection: keep-alive, Content-Length\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(HIDDEN.length(), HIDDEN),
                "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n".formatted(HIDDEN.length(), HIDDEN),
                "Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
                        .formatted(HIDDEN.length(), HIDDEN));
        return Stream.of("GET", "HEAD", "DELETE", "PUT", "POST", "PATCH", "OPTIONS")
                .flatMap(method -> Stream.of("", "Cookie: a=b\r\n") // which takes the ordinary path
                        .flatMap(cookie -> bodies.stream()
                                .map(body -> method + " " + PATH + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + cookie
                                        + "Content-Type: application/json\r\n" + body)));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void body_isNotTakenForTheNextRequest(String request) throws IOException {
        try (Socket client = connected()) {
            var answers = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            for (int n = 0; n < 2; n++) { // the second comes on the connection of the first
                client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                assertThat(answers.readLine()).startsWith("HTTP/1.1 204");
                while (!answers.readLine().isEmpty()) {
                    // the headers
                }
            }
        }

        String asked = request.substring(0, request.indexOf(' ')) + " " + PATH;
        assertThat(service.asked()).containsExactly(asked, asked);
        assertThat(bodies).containsExactly(HIDDEN, HIDDEN);
    }

    /** A gateway that gathered it would have no room for a few of them. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE", "PUT"})
    void longBody_isPassedOnAsItComes(String method) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        service.plays((request, response) -> request.receive()
                .doOnNext(piece -> begun.countDown())
                .then(response.status(204).send()));
        try (Socket client = connected()) {
            String head =
                    "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                            .formatted(method, PATH, LONG);
            client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().write(new byte[LONG / 2]);

            assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

            client.getOutputStream().write(new byte[LONG - LONG / 2]);
            var answers = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(answers.readLine()).startsWith("HTTP/1.1 204");
        }
    }

    private Socket connected() throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
        client.setSoTimeout((int) PATIENCE.toMillis());
        return client;
    }
}
