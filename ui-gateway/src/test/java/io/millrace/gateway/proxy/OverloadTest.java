package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.gateway.FakeService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Many feeds and many requests at once: the limits of the gateway, over real sockets. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "millrace.gateway.min-in-flight=8",
            "millrace.gateway.max-in-flight=16",
            "millrace.gateway.max-feeds=40",
            "millrace.gateway.max-feeds-per-client=30"
        })
class OverloadTest {

    private static final FakeService service = new FakeService();
    private static final int FEEDS = 30;
    private static final int SHARE = 4; // half of half of the maximum
    private static final Duration LONG = Duration.ofMinutes(2);

    @DynamicPropertySource
    static void services(DynamicPropertyRegistry properties) {
        service.register(properties);
    }

    @LocalServerPort
    private int port;

    @Autowired
    private Upstreams upstreams;

    private final List<Disposable> open = new ArrayList<>();
    private WebTestClient http;

    @BeforeEach
    void connect() {
        http = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(LONG)
                .build();
    }

    @AfterEach
    void end() {
        open.forEach(Disposable::dispose);
        await().until(() -> upstreams.metakv().openFeeds().open() == 0
                && upstreams.subdoc().openFeeds().open() == 0
                && upstreams.metakv().inFlight().running() == 0);
    }

    @Test
    void feeds_ofOneClientEndAtItsLimit_andRequestsAreServed() {
        service.plays((request, response) -> request.uri().contains("watch")
                ? response.sse().sendString(Flux.just("data: 1\n\n").concatWith(Flux.never()))
                : response.sendString(Mono.just("[]")));

        for (int i = 0; i < FEEDS; i++) {
            opens("/_metakv/watch/", "text/event-stream");
        }
        await().until(() -> service.asked().size() == FEEDS);

        http.get()
                .uri("/_metakv/watch/")
                .header("Accept", "text/event-stream")
                .exchange()
                .expectStatus()
                .isEqualTo(429)
                .expectHeader()
                .exists("Retry-After")
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("too_many_feeds");
        http.get().uri("/_metakv/functions/").exchange().expectStatus().isOk().expectBody();
    }

    @Test
    void changesThatWait_areFeeds() {
        service.plays((request, response) -> response.sendString(Flux.just("{").concatWith(Flux.never())));

        for (String feed : List.of("longpoll", "continuous", "live", "eventsource")) {
            opens("/couch/db/_changes?feed=" + feed, "*/*");
        }
        opens("/api/v1/buckets/b/live?filter=x", "*/*");
        opens("/api/v1/buckets/b/scopes/s/collections/c/live", "*/*");

        await().until(() -> upstreams.subdoc().openFeeds().open() == 6);
        assertThat(upstreams.subdoc().inFlight().running()).isZero();
        opens("/api/v1/topics/t?since=0", "*/*");
        await().until(() -> upstreams.eventing().openFeeds().open() == 1);
        opens("/api/v1/buckets/b/docs/live", "*/*");
        await().until(() -> upstreams.subdoc().inFlight().running() == 1);
    }

    @Test
    void requests_aboveTheShareOfAClientAreRefusedAtOnce() {
        service.plays((request, response) -> Mono.never());
        for (int i = 0; i < SHARE; i++) {
            opens("/_metakv/slow/" + i, "*/*");
        }
        await().until(() -> upstreams.metakv().inFlight().running() == SHARE);

        http.get()
                .uri("/_metakv/x")
                .exchange()
                .expectStatus()
                .isEqualTo(429)
                .expectHeader()
                .valueEquals("Retry-After", "1")
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("too_many_requests");
        service.answers(200, "[]");
        http.get().uri("/api/v1/buckets").exchange().expectStatus().isOk().expectBody();
    }

    private void opens(String path, String accept) {
        open.add(HttpClient.create(ConnectionProvider.newConnection())
                .headers(headers -> headers.set("Accept", accept))
                .get()
                .uri("http://127.0.0.1:" + port + path)
                .responseContent()
                .subscribe());
    }
}
