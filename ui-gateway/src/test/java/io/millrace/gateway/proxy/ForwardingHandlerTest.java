package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.millrace.access.Role;
import io.millrace.accessspring.Door;
import io.millrace.accessspring.Doors;
import io.millrace.accessspring.Need;
import io.millrace.gateway.FakeService;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.server.WebFilter;

/** What is passed on in front of the filters, and what has to go through them, over real sockets. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ForwardingHandlerTest {

    private static final String PATH = "/api/v1/buckets/b/docs/d";
    private static final FakeService service = new FakeService();

    @TestConfiguration(proxyBeanMethods = false)
    static class Beans {

        @Bean(initMethod = "start", destroyMethod = "close")
        @Primary
        UserDirectory memory() {
            UserDirectory users = new UserDirectory(MetakvClient.inMemory(), Clock.systemUTC());
            users.save(User.create("ann", "Ann", Role.parseAll("data_reader[b]"), "right horse"))
                    .block();
            return users;
        }

        @Bean
        List<String> filtered() {
            return new CopyOnWriteArrayList<>();
        }

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        WebFilter watch(List<String> filtered) {
            return (exchange, chain) -> {
                filtered.add(exchange.getRequest().getPath().value());
                return chain.filter(exchange);
            };
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
    private List<String> filtered;

    @Autowired
    private MeterRegistry meters;

    @Autowired
    private Doors doors;

    private WebTestClient http;

    @BeforeEach
    void connect() {
        http = WebTestClient.bindToServer().baseUrl("http://127.0.0.1:" + port).build();
        await().until(() -> users.find("ann").isPresent() && users.ready());
        assertThat(users.logIn("ann", "right horse", "127.0.0.1").join()).isNotNull();
        service.answers(200, "{}");
        filtered.clear();
    }

    private WebTestClient.ResponseSpec get(String password, String... header) {
        WebTestClient.RequestHeadersSpec<?> request =
                http.get().uri(PATH).headers(headers -> headers.setBasicAuth("ann", password));
        return (header.length == 0 ? request : request.header(header[0], header[1])).exchange();
    }

    @Test
    void head_isAnsweredWithTheStatusOfTheService() {
        service.plays((request, response) ->
                response.status(404).header("Content-Length", "16").send().then());

        http.head()
                .uri(PATH)
                .exchange()
                .expectStatus()
                .isNotFound()
                .expectBody()
                .isEmpty();
        assertThat(filtered).isEmpty();
        service.answers(204, "");
        http.delete().uri(PATH).exchange().expectStatus().isNoContent().expectBody();
    }

    @Test
    void whoHasLoggedInBefore_isPassedOnAtOnce_withTheHeadersOfTheGuard() {
        HttpHeaders headers = get("right horse")
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseHeaders();

        assertThat(filtered).isEmpty();
        assertThat(headers.getFirst("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(headers.getFirst("Content-Security-Policy")).startsWith("default-src 'self'");
        assertThat(service.asked()).containsExactly("GET " + PATH);
    }

    @Test
    void whatTheGuardRefuses_isRefusedByTheFilters() {
        get("right horse", "Origin", "http://evil.example")
                .expectStatus()
                .isForbidden()
                .expectBody();
        get("right horse", "Sec-Fetch-Site", "cross-site")
                .expectStatus()
                .isForbidden()
                .expectBody();
        get("right horse", "Host", "evil.example").expectStatus().isEqualTo(421).expectBody();

        assertThat(filtered).hasSize(3);
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void aService_isToldWhatReadsItsAnswer_andNotFromWhereItIsAsked() {
        service.plays((request, response) -> response.header(
                        "Asked-By", request.requestHeaders().get("Sec-Fetch-Dest", "unknown"))
                .header("Asked-From", request.requestHeaders().get("Sec-Fetch-Site", "unknown"))
                .send());

        http.get()
                .uri(PATH)
                .headers(headers -> headers.setBasicAuth("ann", "right horse"))
                .header("Sec-Fetch-Dest", "empty")
                .header("Sec-Fetch-Site", "same-origin")
                .exchange()
                .expectHeader()
                .valueEquals("Asked-By", "empty")
                .expectHeader()
                .valueEquals("Asked-From", "unknown")
                .expectBody();
    }

    @Test
    void aWrongPassword_isOneFailureOfTheGate() {
        get("wrong").expectStatus().isUnauthorized().expectBody();

        assertThat(filtered).hasSize(1);
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void aServiceThatIsDown_isAProblemAndCountedOnce() {
        service.stop();
        try {
            get("right horse")
                    .expectStatus()
                    .isEqualTo(503)
                    .expectHeader()
                    .valueEquals("X-Content-Type-Options", "nosniff")
                    .expectBody()
                    .jsonPath("$.code")
                    .isEqualTo("upstream_down");
        } finally {
            service.start();
        }

        await().untilAsserted(() -> assertThat(timers("503").map(Timer::count)).containsExactly(1L));
        assertThat(timers("503").map(timer -> timer.getId().getTag("exception")))
                .containsExactly("GatewayException");
    }

    @Test
    void whatIsPassedOn_isCountedWithTheLabelsOfAllOthers() {
        get("right horse").expectStatus().isOk().expectBody();
        http.get()
                .uri("/docs/nothing-here")
                .exchange()
                .expectStatus()
                .isNotFound()
                .expectBody();

        await().untilAsserted(() ->
                assertThat(timers("200").mapToLong(Timer::count).sum()).isPositive());
        await().untilAsserted(() ->
                assertThat(meters.find("http.server.requests").timers()).hasSizeGreaterThan(1));
        Set<Set<String>> labels = meters.find("http.server.requests").timers().stream()
                .map(timer -> timer.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toSet()))
                .collect(Collectors.toSet());
        assertThat(labels).hasSize(1);
    }

    @Test
    void noDoorBelowAPathThatIsPassedOn_needsMoreThanTheServiceDecides() {
        Map<String, String> services = ForwardedPaths.table("eventing", "functions", "subdoc", "metakv");
        List<Door> passedOn = doors.all().stream()
                .filter(door -> ForwardedPaths.find(
                                services, PathContainer.parsePath(door.pattern().getPatternString()))
                        != null)
                .toList();

        assertThat(passedOn).hasSizeGreaterThan(10).extracting(Door::need).containsOnly(new Need.Delegated());
    }

    private Stream<Timer> timers(String status) {
        return meters.find("http.server.requests").tag("status", status).timers().stream();
    }
}
