package io.millrace.accessspring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.PUT;

import io.millrace.access.ClusterSecret;
import io.millrace.access.IdentityTokens;
import io.millrace.access.Permission;
import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.ApiKey;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseCookie;
import org.springframework.test.web.reactive.server.StatusAssertions;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

class GateTest {

    private static final String SECRET = "a secret of 32 characters or more";
    private static final String FEED = "/feed";

    /** The feeds that were let in and have not begun to answer. */
    private static final Semaphore WAITING = new Semaphore(0);

    private static final String WITHOUT_SECRET = "millrace.access.cluster-secret-file=";

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Made once: hashing a password takes long on purpose. */
    private static final List<User> USERS = List.of(
            User.create("ann", "Ann", Role.parseAll("data_reader[orders]"), "right horse"),
            User.create("fay", "Fay", Role.parseAll("eventing_manage_functions[orders:shop]"), "quick fox"),
            User.create("root", "Root", List.of(Role.ADMIN), "battery staple"));

    @TempDir
    private static Path directory;

    private final MetakvClient metakv = MetakvClient.inMemory();
    private final UserDirectory users = new UserDirectory(metakv, Clock.systemUTC());
    private final IdentityTokens tokens = new IdentityTokens(ClusterSecret.parse(SECRET), Clock.systemUTC());

    @BeforeEach
    void startUsers() {
        users.start();
        USERS.forEach(user -> users.save(user).block());
    }

    @AfterEach
    void stopUsers() {
        users.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    static class Service {

        @Bean
        Doors doors() {
            return Doors.table()
                    .open("/alive")
                    .known(GET, "/who", FEED)
                    .feeds(FEED)
                    .delegated(HttpMethod.POST, "/login", "/guess")
                    .delegated(GET, "/fn/{name}")
                    .cluster(Permission.CLUSTER_MANAGE, PUT, "/settings")
                    .on(Need.Place.FUNCTION, Permission.FUNCTIONS_MANAGE, GET, "/functions/{name}")
                    .on(Need.Place.KEYSPACE, Permission.DATA_READ, GET, "/buckets/{bucket}/docs/{id}")
                    .build();
        }

        @Bean
        RouterFunction<ServerResponse> router(Sessions sessions) {
            return RouterFunctions.route()
                    .GET("/alive", request -> ServerResponse.ok().bodyValue("yes"))
                    .GET(
                            "/who",
                            request -> ServerResponse.ok()
                                    .bodyValue(Subjects.of(request).toString()))
                    .GET(FEED, request -> Mono.<ServerResponse>never().doOnSubscribe(begun -> WAITING.release()))
                    .POST(
                            "/login",
                            request -> sessions.begin(request.exchange(), "ann", "right horse")
                                    .flatMap(subject -> ServerResponse.ok().bodyValue(subject.name())))
                    .POST(
                            "/guess",
                            request -> sessions.begin(request.exchange(), "ann", "wrong horse")
                                    .flatMap(subject -> ServerResponse.ok().build()))
                    .PUT("/settings", request -> ServerResponse.ok().bodyValue("set"))
                    .GET("/buckets/{bucket}/docs/{id}", Service::sayWhetherFiltered)
                    .GET("/fn/{name}", Service::sayWhetherFiltered)
                    .GET("/functions/{name}", request -> ServerResponse.ok().bodyValue("function"))
                    .DELETE("/forgotten", request -> ServerResponse.ok().bodyValue("deleted"))
                    .build();
        }

        private static Mono<ServerResponse> sayWhetherFiltered(ServerRequest request) {
            return request.principal() // which the filters set
                    .hasElement()
                    .flatMap(filtered -> ServerResponse.ok()
                            .header("X-Filtered", filtered.toString())
                            .bodyValue("document"));
        }
    }

    private ReactiveWebApplicationContextRunner runner(String... properties) {
        return new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(AccessAutoConfiguration.class))
                .withUserConfiguration(Service.class)
                .withBean(UserDirectory.class, () -> users)
                .withPropertyValues("spring.application.name=test-service", "server.address=127.0.0.1", secretFile())
                .withPropertyValues(properties);
    }

    private static WebTestClient client(ApplicationContext context) {
        return WebTestClient.bindToApplicationContext(context).build();
    }

    private static String secretFile() {
        Path file = directory.resolve("secret");
        try {
            Files.writeString(file, SECRET);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return "millrace.access.cluster-secret-file=" + file;
    }

    private static void basic(HttpHeaders headers, String login) {
        if (!login.isEmpty()) {
            String[] parts = login.split("/", 2);
            headers.setBasicAuth(parts[0], parts[1]);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // login, method, path, status
        "'',                  GET,    /alive,               200",
        "'',                  GET,    /who,                 401",
        "'',                  PUT,    /settings,            401",
        "'',                  GET,    /buckets/orders/docs/1, 401",
        "'',                  GET,    /nowhere,             401",
        "'',                  DELETE, /forgotten,           401",
        "ann/right horse,     GET,    /who,                 200",
        "ann/wrong,           GET,    /who,                 401",
        "ann/wrong,           GET,    /alive,               401",
        "bob/right horse,     GET,    /who,                 401",
        "ann/right horse,     PUT,    /settings,            403",
        "ann/right horse,     GET,    /buckets/orders/docs/1, 200",
        "ann/right horse,     GET,    /buckets/others/docs/1, 403",
        "ann/right horse,     GET,    /nowhere,             404",
        "ann/right horse,     DELETE, /forgotten,           404",
        "fay/quick fox,       GET,    /functions/f?bucket=orders&scope=shop, 200",
        "fay/quick fox,       GET,    /functions/f?bucket=orders&scope=other, 403",
        "fay/quick fox,       GET,    /functions/f?bucket=orders, 403",
        "fay/quick fox,       GET,    /functions/f,         403",
        "fay/quick fox,       GET,    /functions/f?bucket=&scope=, 403",
        "ann/right horse,     GET,    /functions/f?bucket=orders&scope=shop, 403",
        "root/battery staple, GET,    /functions/f,         200",
        "root/battery staple, PUT,    /settings,            200",
        "root/battery staple, GET,    /nowhere,             404",
        "root/battery staple, GET,    /buckets/_metakv/docs/1, 403",
    })
    void aShutService_letsPassWhatTheRolesAllow(String login, String method, String path, int status) {
        runner().run(context -> client(context)
                .method(HttpMethod.valueOf(method))
                .uri(path)
                .headers(headers -> basic(headers, login))
                .exchange()
                .expectStatus()
                .isEqualTo(status));
    }

    @ParameterizedTest
    @CsvSource({"a%2Fb", "a%252Fb", "a;b", "a%5Cb", "%2e%2e", "a%0Ab", "a%20b"})
    void anIdOfAnyCharacters_reachesItsRoute(String id) {
        runner().run(context -> {
            WebTestClient client = client(context);
            URI path = URI.create("/buckets/orders/docs/" + id);
            client.get()
                    .uri(path)
                    .headers(headers -> basic(headers, "ann/right horse"))
                    .exchange()
                    .expectStatus()
                    .isOk();
            client.get().uri(path).exchange().expectStatus().isUnauthorized();
        });
    }

    @Test
    void aRefusal_saysWhatIsMissing() {
        runner().run(context -> {
            client(context)
                    .get()
                    .uri("/buckets/others/docs/1")
                    .headers(headers -> basic(headers, "ann/right horse"))
                    .exchange()
                    .expectBody()
                    .jsonPath("$.code")
                    .isEqualTo("forbidden")
                    .jsonPath("$.detail")
                    .isEqualTo(
                            "The roles of ann do not grant data.read on others:_default:_default. Ask an administrator"
                                    + " for a role that does.");
            client(context)
                    .get()
                    .uri("/who")
                    .exchange()
                    .expectHeader()
                    .valueEquals("WWW-Authenticate", "Basic realm=\"Millrace\"");
            client(context)
                    .get()
                    .uri("/who")
                    .header("Sec-Fetch-Dest", "empty")
                    .exchange()
                    .expectHeader()
                    .doesNotExist("WWW-Authenticate");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/buckets/orders/docs/1", "/fn/totals"})
    void aRequestOfAKnownSubject_needsNoFilters(String path) {
        runner().run(context -> {
            WebTestClient client = client(context);
            assertThat(filtered(client, path)).isEqualTo("true"); // the password is hashed slowly
            assertThat(filtered(client, path)).isEqualTo("false");
        });
    }

    @Test
    void aRefusalOfAHandler_isWrittenAsOneOfTheGate() {
        runner().run(context -> client(context)
                .post()
                .uri("/guess")
                .exchange()
                .expectStatus()
                .isUnauthorized()
                .expectHeader()
                .exists(HttpHeaders.WWW_AUTHENTICATE)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("unauthorized"));
    }

    private static @Nullable String filtered(WebTestClient client, String path) {
        return client.get()
                .uri(path)
                .headers(headers -> basic(headers, "ann/right horse"))
                .exchange()
                .expectStatus()
                .isOk()
                .returnResult(String.class)
                .getResponseHeaders()
                .getFirst("X-Filtered");
    }

    @Test
    void anApiKey_isABearerTokenWithRolesOfItsOwn() {
        ApiKey.Created created = ApiKey.create(
                "ci",
                "root",
                Role.parseAll("data_reader[others]"),
                Instant.now(),
                Instant.now().plusSeconds(600));
        users.save(created.key()).block();

        runner().run(context -> {
            WebTestClient client = client(context);
            bearer(client, "/buckets/others/docs/1", created.token()).isOk();
            bearer(client, "/buckets/orders/docs/1", created.token()).isForbidden();
            bearer(client, "/buckets/others/docs/1", created.token() + "x").isUnauthorized();
            bearer(client, "/buckets/others/docs/1", "mrk_").isUnauthorized();
            bearer(client, "/buckets/others/docs/1", "eyJhbGciOiJub25lIn0.e30.").isUnauthorized();
        });
    }

    private static StatusAssertions bearer(WebTestClient client, String path, String token) {
        return client.get()
                .uri(path)
                .headers(headers -> headers.setBearerAuth(token))
                .exchange()
                .expectStatus();
    }

    @Test
    void aTokenOfTheCluster_passesOnWhoAsks() {
        String forAnn = tokens.issue(users.subject("ann").orElseThrow(), "ui-gateway");
        String ofService = tokens.issue(Subject.service("eventing-service"), "eventing-service");

        runner().run(context -> {
            WebTestClient client = client(context);
            assertThat(who(client, forAnn)).isEqualTo("local:ann");
            assertThat(who(client, ofService)).isEqualTo("service:eventing-service");
            client.get()
                    .uri("/alive")
                    .header(IdentityTokens.HEADER, forAnn + "x")
                    .exchange()
                    .expectStatus()
                    .isUnauthorized();
        });
    }

    private static @Nullable String who(WebTestClient client, String token) {
        return client.get()
                .uri("/who")
                .header(IdentityTokens.HEADER, token)
                .exchange()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody();
    }

    @Test
    void anOpenService_takesRequestsWithoutCredentials_andStillChecksThoseThatHaveSome() {
        runner("millrace.access.open=yes", WITHOUT_SECRET).run(context -> {
            WebTestClient client = client(context);
            client.put().uri("/settings").exchange().expectStatus().isOk();
            client.delete().uri("/forgotten").exchange().expectStatus().isOk();
            client.get()
                    .uri("/who")
                    .headers(headers -> basic(headers, "ann/wrong"))
                    .exchange()
                    .expectStatus()
                    .isUnauthorized();
            client.get()
                    .uri("/who")
                    .headers(headers -> basic(headers, "ann/right horse"))
                    .exchange()
                    .expectBody(String.class)
                    .isEqualTo("local:ann");
        });
    }

    @Test
    void aServiceWithoutTheSecretOfItsCluster_doesNotStart() {
        runner(WITHOUT_SECRET)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("MILLRACE_CLUSTER_SECRET_FILE is not set")
                        .hasMessageContaining("MILLRACE_OPEN=yes"));
    }

    @Test
    void anOpenService_refusesToListenToOtherMachines() {
        runner("millrace.access.open=yes", "server.address=0.0.0.0")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(
                                "MILLRACE_OPEN=yes makes everyone who reaches the port an administrator"));
    }

    @Test
    void aSession_isACookieThatLastsUntilThePasswordChanges() {
        runner().run(context -> {
            WebTestClient client = client(context);
            ResponseCookie cookie = Objects.requireNonNull(client.post()
                    .uri("/login")
                    .exchange()
                    .expectStatus()
                    .isOk()
                    .returnResult(String.class)
                    .getResponseCookies()
                    .getFirst("millrace-session"));
            assertThat(cookie.isHttpOnly()).isTrue();
            assertThat(cookie.getSameSite()).isEqualTo("Strict");
            withCookie(client, "/who", cookie.getValue()).isOk();
            withCookie(client, "/buckets/others/docs/1", cookie.getValue()).isForbidden();
            withCookie(client, "/who", cookie.getValue() + "x").isUnauthorized();
            withCookie(client, "/alive", "no token").isOk();
            client.get()
                    .uri("/who")
                    .cookie("AuthSession", cookie.getValue())
                    .exchange()
                    .expectStatus()
                    .isOk();

            users.save(users.find("ann").orElseThrow().withPassword("other horse"))
                    .block();

            await().untilAsserted(
                            () -> withCookie(client, "/who", cookie.getValue()).isUnauthorized());
        });
    }

    @Test
    void aFeedThatHasNotBegun_isRefusedWhenItsAccessEnds() {
        runner().run(context -> {
            WebTestClient client =
                    client(context).mutate().responseTimeout(PATIENCE).build();
            CompletableFuture<WebTestClient.ResponseSpec> answer = CompletableFuture.supplyAsync(
                    () -> client.get()
                            .uri(FEED)
                            .headers(headers -> basic(headers, "ann/right horse"))
                            .exchange(),
                    Thread::startVirtualThread);
            assertThat(WAITING.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();

            users.delete("ann").block();

            answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .expectStatus()
                    .isUnauthorized()
                    .expectBody()
                    .jsonPath("$.detail")
                    .isEqualTo("The login or the roles that this feed began with hold no longer. Log in and open the"
                            + " feed again.");
        });
    }

    private static StatusAssertions withCookie(WebTestClient client, String path, String token) {
        return client.get()
                .uri(path)
                .cookie("millrace-session", token)
                .exchange()
                .expectStatus();
    }

    @Test
    void guesses_areLockedOut() {
        runner().run(context -> {
            WebTestClient client = client(context);
            for (int i = 0; i < 5; i++) {
                client.get()
                        .uri("/who")
                        .headers(headers -> basic(headers, "ann/wrong"))
                        .exchange()
                        .expectStatus()
                        .isUnauthorized();
            }
            client.get()
                    .uri("/who")
                    .headers(headers -> basic(headers, "ann/right horse"))
                    .exchange()
                    .expectStatus()
                    .isEqualTo(429)
                    .expectHeader()
                    .exists("Retry-After");
            client.get()
                    .uri("/who")
                    .headers(headers -> basic(headers, "root/battery staple"))
                    .exchange()
                    .expectStatus()
                    .isOk();
        });
    }

    @Test
    void aRouteWithoutADoor_isFound() {
        runner().run(context -> assertThat(DeclaredRoutes.withoutDoor(context)).containsExactly("DELETE /forgotten"));
    }
}
