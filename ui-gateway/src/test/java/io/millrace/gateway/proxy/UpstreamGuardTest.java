package io.millrace.gateway.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.millrace.gateway.FakeService;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
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
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** What happens to requests while a service fails. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "millrace.gateway.answer-timeout=2s",
            "millrace.gateway.idle-timeout=2s",
            "resilience4j.circuitbreaker.configs.default.wait-duration-in-open-state=700ms"
        })
class UpstreamGuardTest {

    private static final FakeService service = new FakeService();
    private static final int CALLS_BEFORE_OPENING = 10;

    @DynamicPropertySource
    static void services(DynamicPropertyRegistry properties) {
        service.register(properties);
    }

    @LocalServerPort
    private int port;

    @Autowired
    private CircuitBreakerRegistry breakers;

    private WebTestClient http;
    private CircuitBreaker breaker;

    @BeforeEach
    void connect() {
        http = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(Duration.ofMinutes(2))
                .build();
        breaker = breakers.circuitBreaker(Upstreams.EVENTING);
        breaker.reset();
    }

    @AfterEach
    void running() {
        service.stop();
        service.start();
    }

    @Test
    void breaker_opensWhenConnectionsBreakAndClosesWhenTheyHold() {
        hangsUp();
        for (int i = 0; i < CALLS_BEFORE_OPENING; i++) {
            error(get(), 502, "upstream_broken");
        }

        var suspended = get().expectHeader().valueEquals("Retry-After", "1");
        error(suspended, 503, "upstream_suspended");
        assertThat(service.asked())
                .filteredOn(request ->
                        !request.contains("/actuator/")) // the gateway asks it for its liveness if it is slow
                .hasSize(CALLS_BEFORE_OPENING);

        service.answers(200, "{}");
        await().until(() -> breaker.getState() == State.HALF_OPEN);
        for (int i = 0; i < 3; i++) {
            get().expectStatus().isOk();
        }
        assertThat(breaker.getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void breaker_opensAgainWhenTheServiceStillFails() {
        hangsUp();
        for (int i = 0; i < CALLS_BEFORE_OPENING; i++) {
            error(get(), 502, "upstream_broken");
        }
        await().until(() -> breaker.getState() == State.HALF_OPEN);

        for (int i = 0; i < 3; i++) {
            error(get(), 502, "upstream_broken");
        }

        assertThat(breaker.getState()).isEqualTo(State.OPEN);
    }

    @Test
    void breaker_halfOpen_closesWhenTheServiceIsAlive_thoughThePermittedCallsAreSlow() {
        service.plays((request, response) -> request.uri().startsWith("/actuator/")
                ? response.sendString(Mono.just("{}"))
                : request.uri().contains("slow") ? Mono.never() : response.sendString(Mono.just("{}")));
        breaker.transitionToOpenState();
        await().until(() -> breaker.getState() == State.HALF_OPEN);

        HttpClient client = HttpClient.create().baseUrl("http://127.0.0.1:" + port);
        List<Disposable> slow = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            slow.add(client.get().uri("/api/v1/functions/slow").response().subscribe());
        }

        await().until(() -> breaker.getState() == State.CLOSED);
        get().expectStatus().isOk();
        slow.forEach(Disposable::dispose);
    }

    @Test
    void breaker_doesNotCountResponses_soOneClientCannotShutOutTheOthers() {
        for (int status : new int[] {500, 502, 503, 507}) {
            service.answers(status, "{\"name\":\"ERR_INTERNAL\"}");
            for (int i = 0; i < CALLS_BEFORE_OPENING; i++) {
                get().expectStatus()
                        .isEqualTo(status)
                        .expectBody()
                        .jsonPath("$.name")
                        .isEqualTo("ERR_INTERNAL");
            }
        }

        assertThat(breaker.getState()).isEqualTo(State.CLOSED);
        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isZero();
    }

    @Test
    void breaker_doesNotCountWhatTheClientDidWrong() {
        for (int status : new int[] {400, 404, 409, 422, 429}) {
            service.answers(status, "{}");
            for (int i = 0; i < CALLS_BEFORE_OPENING; i++) {
                get().expectStatus().isEqualTo(status);
            }
        }

        assertThat(breaker.getState()).isEqualTo(State.CLOSED);
        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isZero();
    }

    @Test
    void breaker_ofOneServiceLeavesTheOthersAlone() {
        breaker.transitionToOpenState();
        service.answers(200, "[]");

        error(get(), 503, "upstream_suspended");
        http.get().uri("/api/v1/buckets").exchange().expectStatus().isOk().expectBody();
        http.get().uri("/api/v1/nodes").exchange().expectStatus().isOk().expectBody();
    }

    @Test
    void service_thatIsDownIsNamedWithWhatToDo() {
        service.stop();

        var down = get().expectHeader().exists("Retry-After");
        error(down, 503, "upstream_down")
                .jsonPath("$.service")
                .isEqualTo("eventing-service")
                .jsonPath("$.retryAfterSeconds")
                .isNumber()
                .jsonPath("$.detail")
                .value(detail -> assertThat((String) detail).contains(service.url()))
                .jsonPath("$.action")
                .value(action -> assertThat((String) action).contains("MILLRACE_EVENTING_URL"));
        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isEqualTo(1);
        http.get()
                .uri("/actuator/health")
                .exchange()
                .expectStatus()
                .isEqualTo(503)
                .expectBody()
                .jsonPath("$.components.services.components['subdoc-service'].status")
                .isEqualTo("DOWN");
        http.get()
                .uri("/actuator/health/readiness")
                .exchange()
                .expectStatus()
                .isEqualTo(503)
                .expectBody();
    }

    @Test
    void service_thatIsSilentIsGivenUp() {
        service.plays((request, response) -> Mono.never());

        error(get(), 504, "upstream_timeout");
        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isEqualTo(1);
    }

    @Test
    void service_thatHangsUpIsReported() {
        hangsUp();

        error(get(), 502, "upstream_broken");
        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isEqualTo(1);
    }

    @Test
    void answer_thatEndsInTheMiddleIsAnErrorIfItIsShort() {
        service.plays((request, response) -> {
            List<Channel> connection = new ArrayList<>(); // asked for now: later the server has done with the response
            response.withConnection(c -> connection.add(c.channel()));
            return response.header("Content-Length", "10")
                    .sendString(Mono.just("half!"))
                    .then(Mono.fromRunnable(() -> connection.getFirst().close()));
        });

        error(get(), 502, "upstream_broken");
    }

    @Test
    void answer_thatPausesInTheMiddleIsAnErrorIfItIsShort() {
        service.plays((request, response) -> response.header("Content-Length", "10")
                .send(Flux.just(Unpooled.copiedBuffer("half!", US_ASCII)).concatWith(Flux.never()), piece -> true));

        error(get(), 502, "upstream_broken");
    }

    @Test
    void upload_mayTakeLongerThanTheAnswerMay() {
        service.plays((request, response) -> request.receive()
                .asByteArray()
                .map(bytes -> (long) bytes.length)
                .reduce(0L, Long::sum)
                .flatMap(sum ->
                        response.sendString(Mono.just(String.valueOf(sum))).then()));

        http.post()
                .uri("/api/v1/functions")
                .contentType(MediaType.APPLICATION_JSON)
                .body(Flux.interval(Duration.ofMillis(250)).take(12).map(i -> "x"), String.class)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo("12");
    }

    @Test
    void upload_thatTheClientStops_isNotAFailureOfTheService() {
        service.plays((request, response) ->
                request.receive().then(response.status(200).send()));

        error(
                http.post()
                        .uri("/api/v1/functions")
                        .contentType(MediaType.APPLICATION_JSON)
                        .body(Flux.just("x").concatWith(Flux.never()), String.class)
                        .exchange(),
                408,
                "client_timeout");
        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isZero();
    }

    @Test
    void answer_mayTakeItsTimeOnceItHasBegun() {
        service.plays((request, response) -> response.sendString(
                Flux.interval(Duration.ofMillis(250)).take(10).map(i -> "x" + i)));

        get().expectStatus().isOk().expectBody(String.class).isEqualTo("x0x1x2x3x4x5x6x7x8x9");
    }

    private static void hangsUp() {
        service.plays((request, response) ->
                Mono.fromRunnable(() -> response.withConnection(c -> c.channel().close())));
    }

    private WebTestClient.ResponseSpec get() {
        return http.get().uri("/api/v1/functions").exchange();
    }

    private static WebTestClient.BodyContentSpec error(WebTestClient.ResponseSpec answer, int status, String code) {
        return answer.expectStatus()
                .isEqualTo(status)
                .expectHeader()
                .contentType("application/problem+json")
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo(code)
                .jsonPath("$.status")
                .isEqualTo(status)
                .jsonPath("$.detail")
                .isNotEmpty()
                .jsonPath("$.action")
                .isNotEmpty();
    }
}
