package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.gateway.FakeService;
import io.millrace.gateway.MemoryUsers;
import io.millrace.testkit.LeakDetector;
import io.millrace.users.ApiKey;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Feeds that stay open while the rights of their readers change. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(MemoryUsers.class)
class FeedAccessTest {

    private static final String LOG = "/api/v1/functions/f/log";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final List<Role> READER = Role.parseAll("data_reader[orders]");
    private static final User ANN = User.create("ann", "Ann", READER, "right horse");
    private static final User BOB = User.create("bob", "Bob", READER, "battery staple");
    private static final ApiKey.Created KEY = ApiKey.create("a program", "ann", READER, Instant.now(), null);
    private static final String ANNS_LOGIN = basic("ann", "right horse");
    private static final String BOBS_LOGIN = basic("bob", "battery staple");
    private static final String LARGE = "x".repeat(20_000);
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

    @Autowired
    private UserDirectory users;

    @Autowired
    private Upstreams upstreams;

    private final Map<String, List<String>> told = new ConcurrentHashMap<>();
    private final List<String> ended = new CopyOnWriteArrayList<>();
    private final List<Disposable> open = new ArrayList<>();

    @BeforeEach
    void begin() {
        users.save(ANN).block();
        users.save(BOB).block();
        users.save(KEY.key()).block();
        await().until(() -> users.ready()
                && users.find("ann").filter(FeedAccessTest::isAsMade).isPresent()
                && users.find("bob").isPresent()
                && users.owner(KEY.token()).isPresent());
        service.plays((request, response) -> request.uri().contains("waits")
                ? Flux.never().then()
                : response.sse().sendString(Flux.just("data: begun\n\n").concatWith(Flux.never())));
    }

    @AfterEach
    void end() {
        open.forEach(Disposable::dispose);
        await().atMost(PATIENCE).until(() -> upstreams.eventing().openFeeds().open() == 0);
    }

    private static boolean isAsMade(User ann) {
        return ann.roles().equals(READER) && Arrays.equals(ann.stamp(), ANN.stamp());
    }

    static Stream<Named<Change>> changes() {
        return Stream.of(
                Named.of("deleted", users -> users.delete("ann").block()),
                Named.of(
                        "other roles",
                        users -> users.save(ANN.with("Ann", Role.parseAll("data_reader[shop]")))
                                .block()),
                Named.of(
                        "another password",
                        users -> users.save(ANN.withPassword("new horse")).block()));
    }

    interface Change {
        void of(UserDirectory users);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void feedOfAUser_endsWithTheAccess_andThoseOfOthersStayOpen(Change change) {
        String session = session();
        follow("password", "Authorization", ANNS_LOGIN);
        follow("session", "Cookie", session);
        follow("other", "Authorization", BOBS_LOGIN);
        await().atMost(PATIENCE).until(() -> told.size() == 3);

        change.of(users);

        await().atMost(PATIENCE).until(() -> ended.containsAll(List.of("password", "session")));
        assertThat(upstreams.eventing().openFeeds().open()).isEqualTo(1);
        assertThat(ended).doesNotContain("other");
        assertThat(users.throttle().delay("ann", "127.0.0.1")).isZero();
    }

    @Test
    void feedOfAnApiKey_endsWithIt() {
        follow("key", "Authorization", "Bearer " + KEY.token());
        follow("password", "Authorization", ANNS_LOGIN);
        await().atMost(PATIENCE).until(() -> told.size() == 2);

        users.deleteKey(KEY.key().id()).block();

        await().atMost(PATIENCE).until(() -> ended.contains("key"));
        assertThat(ended).doesNotContain("password");
    }

    @Test
    void feedThatHasNotBegun_isAnswered() {
        var answer = client().headers(
                        headers -> headers.set("Authorization", ANNS_LOGIN).set("Accept", "text/event-stream"))
                .get()
                .uri("http://127.0.0.1:" + port + LOG + "?waits")
                .responseSingle((response, body) ->
                        body.asString().map(text -> response.status().code() + " " + text))
                .toFuture();
        await().atMost(PATIENCE).until(() -> !service.asked().isEmpty());

        users.delete("ann").block();

        await().atMost(PATIENCE).until(answer::isDone);
        assertThat(answer.join()).startsWith("401 ").contains("\"code\":\"access_changed\"");
    }

    /** What has come from the service, and the server has not begun to send. */
    @Test
    void feedOfAClientThatDoesNotRead_leavesNoBuffers() throws IOException {
        AtomicLong sent = new AtomicLong();
        service.plays((request, response) -> response.sse()
                .sendString(Flux.generate(
                        sink -> sink.next("id: %d\ndata: %s\n\n".formatted(sent.incrementAndGet(), LARGE)))));
        try (Socket client = new Socket("127.0.0.1", port)) {
            client.getOutputStream().write("""
                    GET %s HTTP/1.1
                    Host: 127.0.0.1:%d
                    Accept: text/event-stream
                    Authorization: %s

                    """.formatted(LOG, port, ANNS_LOGIN)
                    .replace("\n", "\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            AtomicLong before = new AtomicLong();
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> sent.get() > 0 && before.getAndSet(sent.get()) == sent.get());
        }
        await().atMost(PATIENCE).until(() -> upstreams.eventing().openFeeds().open() == 0);

        LeakDetector.check();
    }

    private String session() {
        return "millrace-session="
                + Objects.requireNonNull(WebTestClient.bindToServer()
                                .baseUrl("http://127.0.0.1:" + port)
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

    private void follow(String reader, String header, String credentials) {
        open.add(client().headers(headers -> headers.set(header, credentials).set("Accept", "text/event-stream"))
                .get()
                .uri("http://127.0.0.1:" + port + LOG)
                .responseContent()
                .asString()
                .doFinally(end -> ended.add(reader))
                .subscribe(
                        text -> told.computeIfAbsent(reader, none -> new CopyOnWriteArrayList<>())
                                .add(text),
                        broken -> {}));
    }

    private static HttpClient client() {
        return HttpClient.create(ConnectionProvider.newConnection());
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }
}
