package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.gateway.FakeService;
import io.millrace.gateway.MemoryUsers;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Topics, live queries and event streams that are followed over WebSockets. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "millrace.gateway.max-feeds-per-client=3",
            "millrace.http.write-timeout=40s" // ten seconds to begin to read, on a busy machine
        })
@Import(MemoryUsers.class)
@Timeout(180)
class WebSocketFeedsTest {

    private static final String TOPIC = "/api/v1/topics/news";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final List<Role> READER = Role.parseAll("topics_reader[news]");
    private static final User ANN = User.create("ann", "Ann", READER, "right horse");
    private static final String LOGIN =
            "Basic " + Base64.getEncoder().encodeToString("ann:right horse".getBytes(StandardCharsets.UTF_8));
    private static final String LARGE = "x".repeat(20_000);
    private static final FakeService service = new FakeService();
    private static final HttpClient http = HttpClient.newHttpClient();

    /** What a client hears. */
    private static final class Follower implements WebSocket.Listener {

        private final List<String> messages = new CopyOnWriteArrayList<>();
        private final CompletableFuture<String> closed = new CompletableFuture<>();
        private final StringBuilder message = new StringBuilder();
        private final boolean reads;

        Follower(boolean reads) {
            this.reads = reads;
        }

        @Override
        public void onOpen(WebSocket socket) {
            if (reads) {
                socket.request(1);
            }
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            message.append(part);
            if (last) {
                messages.add(message.toString());
                message.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            closed.complete(code + " " + reason);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable failure) {
            closed.completeExceptionally(failure);
        }
    }

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

    @Autowired
    private UserDirectory users;

    @Autowired
    private Upstreams upstreams;

    private final List<WebSocket> open = new ArrayList<>();

    @BeforeEach
    void begin() {
        users.save(ANN).block();
        await().atMost(PATIENCE)
                .until(() -> users.ready()
                        && users.find("ann")
                                .filter(ann -> ann.roles().equals(READER))
                                .isPresent());
        sends(Flux.just("event: following\nid: 0-0\ndata: {}\n\n", "id: 1-0\ndata: {\"message\":1}\n\n")
                .concatWith(Flux.never()));
    }

    @AfterEach
    void end() {
        open.forEach(WebSocket::abort);
        await().atMost(PATIENCE)
                .until(() -> Stream.of(upstreams.eventing(), upstreams.subdoc(), upstreams.metakv())
                        .allMatch(upstream -> upstream.openFeeds().open() == 0));
    }

    private void sends(Flux<String> events) {
        service.plays((request, response) -> response.sse().sendString(events));
    }

    private Follower follow(String path, String... headers) {
        return follow(new Follower(true), path, headers);
    }

    private Follower follow(Follower follower, String path, String... headers) {
        WebSocket.Builder builder = http.newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        open.add(builder.buildAsync(URI.create("ws://127.0.0.1:" + port + path), follower)
                .join());
        return follower;
    }

    /** Asks for a WebSocket and returns the response, which ends the connection. */
    private String refused(String path, String headers) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write("""
                    GET %s HTTP/1.1
                    Host: 127.0.0.1:%d
                    Connection: Upgrade
                    Upgrade: websocket
                    Sec-WebSocket-Version: 13
                    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
                    %s

                    """.formatted(path, port, headers)
                    .replace("\n", "\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            StringBuilder answer = new StringBuilder();
            while (answer.indexOf("}") < 0) {
                int next = socket.getInputStream().read();
                if (next < 0) {
                    break;
                }
                answer.append((char) next);
            }
            return answer.toString();
        }
    }

    @Test
    void events_areMessages() {
        Sinks.Many<String> later = Sinks.many().unicast().onBackpressureBuffer();
        sends(Flux.just("event: following\nid: 0-0\ndata: {}\n\n").concatWith(later.asFlux()));
        Follower follower = follow(TOPIC + "?since=7-0", "Authorization", LOGIN);
        await().atMost(PATIENCE).until(() -> follower.messages.size() == 1);

        later.tryEmitNext("id: 8-0\ndata: {\"message\":8}\n\n");

        await().atMost(PATIENCE).until(() -> follower.messages.size() == 2);
        assertThat(follower.messages)
                .containsExactly(
                        "{\"event\":\"following\",\"id\":\"0-0\",\"data\":{}}",
                        "{\"event\":\"message\",\"id\":\"8-0\",\"data\":{\"message\":8}}");
        assertThat(service.asked()).containsExactly("GET " + TOPIC + "?since=7-0");
        assertThat(follower.closed).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/buckets/tasks/live?filter=n",
                "/api/v1/buckets/tasks/scopes/s/collections/c/live?since=0.7",
                "/api/v1/streams?category=Cart&since=7"
            })
    void liveQueriesAndStreams_areAskedForAsServerSentEvents(String path) {
        List<String> accepted = new CopyOnWriteArrayList<>();
        service.plays((request, response) -> {
            accepted.add(request.requestHeaders().get("Accept", ""));
            return response.sse()
                    .sendString(Flux.just("event: enter\nid: 7\ndata: {\"id\":\"t\"}\n\n")
                            .concatWith(Flux.never()));
        });

        Follower follower = follow(path, "Authorization", LOGIN);

        await().atMost(PATIENCE).until(() -> follower.messages.size() == 1);
        assertThat(follower.messages).containsExactly("{\"event\":\"enter\",\"id\":\"7\",\"data\":{\"id\":\"t\"}}");
        assertThat(accepted).containsExactly("text/event-stream");
        assertThat(Stream.of(upstreams.subdoc(), upstreams.metakv())
                        .mapToInt(upstream -> upstream.openFeeds().open()))
                .as("counted as a feed")
                .containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void otherPath_staysARequest() throws Exception {
        service.answers(200, "{}");

        assertThat(refused("/api/v1/buckets/tasks/docs/live", "Authorization: " + LOGIN))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void refusalOfTheService_isTheResponse() throws Exception {
        service.answers(403, "{\"code\":\"forbidden\",\"status\":403}");

        assertThat(refused(TOPIC, "Authorization: " + LOGIN))
                .startsWith("HTTP/1.1 403 ")
                .contains("\"code\":\"forbidden\"");
    }

    @Test
    void pageOfThisSite_opensIt_andThoseOfOthersDoNot() throws Exception {
        String session = session();
        Follower own = follow(TOPIC, "Cookie", session, "Origin", "http://127.0.0.1:" + port);
        await().atMost(PATIENCE).until(() -> own.messages.size() == 2);
        assertThat(service.asked()).hasSize(1);

        for (String origin : List.of("http://evil.example", "http://127.0.0.1:" + (port + 1), "null")) {
            assertThat(refused(TOPIC, "Origin: " + origin + "\nCookie: " + session))
                    .as(origin)
                    .startsWith("HTTP/1.1 403 ")
                    .contains("\"code\":\"cross_site\"");
        }
        assertThat(service.asked()).hasSize(1);
    }

    @Test
    void limitOfFeeds_holdsForWebSocketsToo() throws Exception {
        for (int i = 0; i < 3; i++) {
            follow(TOPIC, "Authorization", LOGIN);
        }

        assertThat(refused(TOPIC, "Authorization: " + LOGIN))
                .startsWith("HTTP/1.1 429 ")
                .contains("\"code\":\"too_many_feeds\"");
        open.removeFirst().sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        await().atMost(PATIENCE).until(() -> upstreams.eventing().openFeeds().open() == 2);
        follow(TOPIC, "Authorization", LOGIN);
    }

    @Test
    void lostRights_endIt() {
        String session = session();
        Follower byPassword = follow(TOPIC, "Authorization", LOGIN);
        Follower bySession = follow(TOPIC, "Cookie", session);
        await().atMost(PATIENCE).until(() -> bySession.messages.size() == 2);

        users.save(ANN.with("Ann", Role.parseAll("topics_reader[shop]"))).block();

        assertThat(byPassword.closed).succeedsWithin(PATIENCE).isEqualTo("1008 access_changed");
        assertThat(bySession.closed).succeedsWithin(PATIENCE).isEqualTo("1008 access_changed");
    }

    @Test
    void endOfTheFeed_isToldWithItsCode() {
        Sinks.Empty<String> end = Sinks.empty();
        sends(Flux.just("id: 1-0\ndata: {}\n\n").concatWith(end.asMono()));
        Follower follower = follow(TOPIC, "Authorization", LOGIN);
        await().atMost(PATIENCE).until(() -> follower.messages.size() == 1);

        end.tryEmitEmpty();

        assertThat(follower.closed).succeedsWithin(PATIENCE).isEqualTo("1012 feed_ended");
    }

    @Test
    void messageOfAClient_endsIt() {
        Follower follower = follow(TOPIC, "Authorization", LOGIN);

        open.getFirst().sendText("hello", true).join();

        assertThat(follower.closed).succeedsWithin(PATIENCE).isEqualTo("1003 no_messages_expected");
    }

    @Test
    void clientThatDoesNotRead_isToldWhy_andHasEveryMessageUpToThere() {
        AtomicInteger sent = new AtomicInteger();
        sends(Flux.generate(sink -> sink.next("id: %d-0\ndata: \"%s\"\n\n".formatted(sent.incrementAndGet(), LARGE))));
        Follower slow = follow(new Follower(false), TOPIC, "Authorization", LOGIN);
        await().atMost(PATIENCE).until(() -> upstreams.eventing().openFeeds().open() == 0);

        open.getFirst().request(Long.MAX_VALUE);

        assertThat(slow.closed).succeedsWithin(PATIENCE).isEqualTo("4408 too_slow");
        assertThat(slow.messages).isNotEmpty();
        for (int i = 0; i < slow.messages.size(); i++) {
            assertThat(slow.messages.get(i)).startsWith("{\"event\":\"message\",\"id\":\"%d-0\"".formatted(i + 1));
        }
        assertThat(sent.get()).as("what the gateway has read for it").isLessThan(10_000);
    }

    @Test
    void clientThatDisconnects_endsTheFeedOfTheService() {
        Sinks.Empty<Void> gone = Sinks.empty();
        service.plays((request, response) -> {
            request.withConnection(connection -> connection.onDispose(gone::tryEmitEmpty));
            return response.sse().sendString(Flux.just("data: 1\n\n").concatWith(Flux.never()));
        });
        Follower follower = follow(TOPIC, "Authorization", LOGIN);
        await().atMost(PATIENCE).until(() -> follower.messages.size() == 1);

        open.getFirst().abort();

        assertThat(gone.asMono().then(Mono.just(true)).block(PATIENCE)).isTrue();
    }

    private String session() {
        return "millrace-session="
                + Objects.requireNonNull(WebTestClient.bindToServer()
                                .baseUrl("http://127.0.0.1:" + port)
                                .responseTimeout(PATIENCE)
                                .build()
                                .post()
                                .uri("/api/v1/session")
                                .contentType(MediaType.APPLICATION_JSON)
                                .header("Sec-Fetch-Dest", "empty")
                                .bodyValue("{\"user\":\"ann\",\"password\":\"right horse\"}")
                                .exchange()
                                .expectBody()
                                .returnResult()
                                .getResponseCookies()
                                .getFirst("millrace-session"))
                        .getValue();
    }
}
