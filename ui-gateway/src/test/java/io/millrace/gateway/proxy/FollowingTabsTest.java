package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.gateway.FakeService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Consoles of many people, each of which follows a log: the tabs of one browser share a stream, those of many do not. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "millrace.gateway.max-feeds-per-client=" + FollowingTabsTest.TABS) // here they have one address
class FollowingTabsTest {

    static final int TABS = 500;

    private static final String LOG = "/api/v1/functions/f/log";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final FakeService service = new FakeService();

    @DynamicPropertySource
    static void services(DynamicPropertyRegistry properties) {
        service.register(properties);
    }

    @LocalServerPort
    private int port;

    @Autowired
    private Upstreams upstreams;

    private final List<Disposable> open = new ArrayList<>();

    @AfterEach
    void end() {
        open.forEach(Disposable::dispose);
        await().atMost(PATIENCE).until(() -> upstreams.eventing().openFeeds().open() == 0);
    }

    @Test
    void tabsThatFollow_takeNoRoomOfRequests() {
        Sinks.Many<String> lines = Sinks.many().multicast().directBestEffort();
        service.plays((request, response) -> request.uri().startsWith(LOG)
                ? response.sse().sendString(Flux.just("data: begun\n\n").concatWith(lines.asFlux()))
                : response.sendString(Mono.just("[]")));
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger told = new AtomicInteger();
        for (int i = 0; i < TABS; i++) {
            follow(begun, told);
        }
        await().atMost(PATIENCE).until(() -> begun.get() == TABS && lines.currentSubscriberCount() == TABS);

        assertThat(upstreams.eventing().openFeeds().open()).isEqualTo(TABS);
        assertThat(upstreams.eventing().inFlight().running()).isZero();
        for (int i = 0; i < 20; i++) {
            requests()
                    .get()
                    .uri("/api/v1/functions")
                    .exchange()
                    .expectStatus()
                    .isOk()
                    .expectBody();
        }

        lines.tryEmitNext("data: a line\n\n").orThrow();
        await().atMost(PATIENCE).until(() -> told.get() == TABS);
    }

    private WebTestClient requests() {
        return WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(PATIENCE)
                .build();
    }

    private void follow(AtomicInteger begun, AtomicInteger told) {
        open.add(HttpClient.create(ConnectionProvider.newConnection())
                .headers(headers -> headers.set("Accept", "text/event-stream"))
                .get()
                .uri("http://127.0.0.1:" + port + LOG)
                .responseContent()
                .asString()
                .subscribe(text -> {
                    if (text.contains("begun")) {
                        begun.incrementAndGet();
                    }
                    if (text.contains("a line")) {
                        told.incrementAndGet();
                    }
                }));
    }
}
