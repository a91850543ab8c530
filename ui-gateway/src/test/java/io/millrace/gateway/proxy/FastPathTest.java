package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.gateway.FakeService;
import io.millrace.gateway.fastpath.FastPath;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Which requests go from connection to connection, and that clients see no difference. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class FastPathTest {

    private static final FakeService service = new FakeService();
    private static final Duration LONG = Duration.ofMinutes(2);

    /** For one response that others would overtake if they could. */
    private static final Duration LATE = Duration.ofMillis(300);

    @TestConfiguration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        List<String> taken() {
            return new CopyOnWriteArrayList<>();
        }

        @Bean
        @Primary
        FastPath watched(ShortRequests paths, List<String> taken) {
            return request -> {
                var passage = paths.passage(request);
                if (passage != null) {
                    taken.add(request.getURI().getRawPath());
                }
                return passage;
            };
        }
    }

    @DynamicPropertySource
    static void services(DynamicPropertyRegistry properties) {
        service.register(properties);
        properties.add("millrace.access.open", () -> "yes");
    }

    @AfterAll
    static void stop() {
        service.stop();
    }

    @LocalServerPort
    private int port;

    @Autowired
    private List<String> taken;

    @Autowired
    private Upstreams upstreams;

    @BeforeEach
    void echo() {
        taken.clear();
        service.plays((request, response) -> request.receive()
                .aggregate()
                .asString()
                .defaultIfEmpty("-")
                .flatMap(body -> {
                    String text = request.method() + " " + request.uri() + " " + body;
                    Mono<String> answer =
                            request.uri().endsWith("/2") ? Mono.just(text).delayElement(LATE) : Mono.just(text);
                    return response.header("Content-Length", Integer.toString(text.length()))
                            .sendString(answer)
                            .then();
                }));
    }

    @Test
    void requestsInOneGo_areAnsweredInTheirOrder_whicheverWayEachTakes() throws IOException {
        try (Socket client = client(port)) {
            send(
                    client,
                    get("/1", "") + get("/2", "Cookie: a=b\r\n") + get("/3", "") + put("/4", "four") + get("/5", ""));

            for (String expected : List.of("GET /1 -", "GET /2 -", "GET /3 -", "PUT /4 four", "GET /5 -")) {
                assertThat(body(client)).isEqualTo(expected.replace(" /", " /api/v1/keys/"));
            }
            send(client, get("/6", ""));
            assertThat(body(client)).isEqualTo("GET /api/v1/keys/6 -");
        }

        assertThat(taken).contains("/api/v1/keys/1", "/api/v1/keys/6").doesNotContain("/api/v1/keys/2");
    }

    @Test
    void requestInPieces_isLeftToTheServer() throws IOException {
        String whole = put("/pieces", "twelve bytes");
        try (Socket client = client(port)) {
            send(client, whole.substring(0, whole.length() - 6));
            await().until(() -> upstreams.subdoc().inFlight().running() == 1); // before the rest is there
            send(client, whole.substring(whole.length() - 6) + get("/next", ""));

            assertThat(body(client)).isEqualTo("PUT /api/v1/keys/pieces twelve bytes");
            assertThat(body(client)).isEqualTo("GET /api/v1/keys/next -");
        }
    }

    @Test
    void headersThatNeedTheServer_areLeftToIt() throws IOException {
        for (String header : List.of("Cookie: a=b", "Connection: close", "Accept: text/event-stream")) {
            try (Socket client = client(port)) {
                send(client, get("/x", header + "\r\n"));
                assertThat(body(client)).as(header).isEqualTo("GET /api/v1/keys/x -");
            }
        }
        try (Socket client = client(port)) {
            send(client, get("/x#/../y", ""));
            assertThat(line(client.getInputStream())).startsWith("HTTP/1.1 ");
        }

        assertThat(taken).isEmpty();
    }

    @Test
    void responseWithoutLength_arrivesInChunks_andTheConnectionStays() throws IOException {
        String piece = "0123456789".repeat(5_000);
        service.plays(
                (request, response) -> response.sendString(Flux.range(0, 20).map(i -> piece)));

        try (Socket client = client(port)) {
            for (int i = 0; i < 2; i++) {
                send(client, get("/long", ""));
                assertThat(body(client)).isEqualTo(piece.repeat(20));
            }
        }
        assertThat(taken).hasSize(2);
    }

    @Test
    void clientThatGoesAway_endsItsRequestAtTheService() throws IOException {
        var gone = new AtomicBoolean();
        service.plays((request, response) -> {
            request.withConnection(connection -> connection.onDispose(() -> gone.set(true)));
            return Mono.never();
        });
        try (Socket client = client(port)) {
            send(client, get("/waits", ""));
            await().until(() -> service.asked().size() == 1);
            assertThat(gone).isFalse();
        }

        await().untilTrue(gone);
        await().until(() -> upstreams.subdoc().inFlight().running() == 0);
        assertThat(taken).hasSize(1);
    }

    @Test
    void clientThatTakesNoResponses_getsNoMoreOfThem() throws IOException {
        int most = 3_000; // responses of 48 MB, for which no socket has room
        answersOf(16_000);
        try (Socket client = client(port)) {
            int sent = 0;
            do {
                send(client, get("/full", ""));
                sent++;
            } while (sent < most && arrived(sent));
            assertThat(sent).isLessThan(most);

            for (int i = 0; i < sent; i++) {
                assertThat(body(client)).hasSize(16_000);
            }
        }
    }

    private static boolean arrived(int count) {
        try {
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(Duration.ofSeconds(2))
                    .until(() -> service.asked().stream()
                                    .filter(request -> request.endsWith("/full"))
                                    .count()
                            == count);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    @Test
    void responseThatFillsTheBuffersAtItsEnd_leavesTheConnectionToTheServiceInUse() throws IOException {
        answersOf(66_000);
        try (Socket client = client(port)) {
            for (int i = 0; i < 10; i++) {
                send(client, get("/filling", ""));
                assertThat(body(client)).hasSize(66_000);
            }
        }
        assertThat(taken).hasSize(10);
    }

    private static void answersOf(int length) {
        String text = "x".repeat(length);
        service.plays((request, response) -> response.header("Content-Length", Integer.toString(length))
                .sendString(Mono.just(text))
                .then());
    }

    @Test
    void responseThatBreaksOff_endsTheConnectionOfTheClient() throws IOException {
        service.plays((request, response) -> response.sendString(Flux.just("x".repeat(50_000))
                .concatWith(Mono.fromRunnable(
                        () -> response.withConnection(c -> c.channel().close())))));

        try (Socket client = client(port)) {
            send(client, get("/breaks", ""));
            String all = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(all).startsWith("HTTP/1.1 200").doesNotEndWith("0\r\n\r\n");
        }
    }

    private static Socket client(int port) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
        client.setSoTimeout((int) LONG.toMillis());
        return client;
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().flush();
    }

    private static String get(String path, String more) {
        return "GET /api/v1/keys" + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + more + "\r\n";
    }

    private static String put(String path, String body) {
        return "PUT /api/v1/keys" + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** Reads a response with a length or in chunks. */
    private static String body(Socket client) throws IOException {
        InputStream in = client.getInputStream();
        int length = -1;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        return length < 0 ? chunks(in) : text(in, length);
    }

    private static String chunks(InputStream in) throws IOException {
        StringBuilder all = new StringBuilder();
        for (int length = -1; length != 0; ) {
            length = Integer.parseInt(line(in), 16);
            all.append(text(in, length));
            line(in);
        }
        return all.toString();
    }

    private static String text(InputStream in, int length) throws IOException {
        return new String(in.readNBytes(length), StandardCharsets.US_ASCII);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }
}
