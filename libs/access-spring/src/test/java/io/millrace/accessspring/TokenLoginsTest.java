package io.millrace.accessspring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertAll;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.millrace.access.Role;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.ApiKey;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/** Tokens of a real, small identity provider at the gate. */
class TokenLoginsTest {

    private static final String AUDIENCE = "millrace";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String DOCUMENT = "/buckets/orders/docs/1";

    @TempDir
    private static Path directory;

    private final UserDirectory users = new UserDirectory(MetakvClient.inMemory(), Clock.systemUTC());
    private final IdentityProvider provider = new IdentityProvider();

    @BeforeAll
    static void secret() throws IOException {
        Files.writeString(directory.resolve("secret"), "a secret of 32 characters or more");
    }

    @BeforeEach
    void startUsers() {
        users.start();
    }

    @AfterEach
    void stop() {
        users.close();
        provider.close();
    }

    private ReactiveWebApplicationContextRunner runner(String... properties) {
        return new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(AccessAutoConfiguration.class))
                .withUserConfiguration(GateTest.Service.class)
                .withBean(UserDirectory.class, () -> users)
                .withPropertyValues(
                        "spring.application.name=test-service",
                        "server.address=127.0.0.1",
                        "millrace.access.cluster-secret-file=" + directory.resolve("secret"),
                        "millrace.access.oidc.issuer=" + provider.issuer(),
                        "millrace.access.oidc.audience=" + AUDIENCE,
                        "millrace.access.oidc.roles=cn=ops,dc=example=admin; sales=data_reader[orders]")
                .withPropertyValues(properties);
    }

    private void withGate(Consumer<WebTestClient> test, String... properties) {
        runner(properties)
                .run(context -> test.accept(WebTestClient.bindToApplicationContext(context)
                        .configureClient()
                        .responseTimeout(PATIENCE)
                        .build()));
    }

    private static WebTestClient.ResponseSpec get(WebTestClient client, String path, String token) {
        return client.get()
                .uri(path)
                .headers(headers -> headers.setBearerAuth(token))
                .exchange();
    }

    private JWTClaimsSet.Builder sales() {
        return provider.claims("carl", AUDIENCE, List.of("sales", "unknown"));
    }

    @Test
    void token_isAUserOfTheProviderWithTheRolesOfItsClaim() {
        withGate(client -> {
            String carl = provider.token(sales());
            String olga = provider.token(provider.claims("olga", AUDIENCE, List.of("cn=ops,dc=example")));

            get(client, "/who", carl).expectBody(String.class).isEqualTo("external:carl");
            get(client, DOCUMENT, carl).expectStatus().isOk();
            get(client, "/buckets/others/docs/1", carl).expectStatus().isForbidden();
            client.put()
                    .uri("/settings")
                    .headers(headers -> headers.setBearerAuth(olga))
                    .exchange()
                    .expectStatus()
                    .isOk();
        });
    }

    @ParameterizedTest
    @CsvSource({"realm_access.roles", "https://example.com/roles", "scope"})
    void roles_areInTheClaimThatTheSettingsName(String claim) {
        Map<String, Object> claims = switch (claim) {
            case "scope" -> Map.of("scope", "openid sales");
            case "realm_access.roles" -> Map.of("realm_access", Map.of("roles", List.of("sales")));
            default -> Map.of(claim, List.of("sales"));
        };
        JWTClaimsSet.Builder token = sales().claim("roles", null).claim("email", "carl@example.com");
        claims.forEach(token::claim);
        withGate(
                client -> get(client, "/who", provider.token(token))
                        .expectBody(String.class)
                        .isEqualTo("external:carl@example.com"),
                "millrace.access.oidc.roles-claim=" + claim,
                "millrace.access.oidc.name-claim=email");
    }

    private record Wrong(String name, String token, String reason) {}

    @Test
    void token_thatDoesNotHold_isRefusedWithTheReason() throws JOSEException {
        List<Wrong> tokens = wrongTokens();
        withGate(client -> assertAll(tokens.stream()
                .map(wrong -> () -> get(client, "/who", wrong.token())
                        .expectStatus()
                        .isUnauthorized()
                        .expectHeader()
                        .valueEquals("WWW-Authenticate", "Bearer realm=\"Millrace\", error=\"invalid_token\"")
                        .expectBody()
                        .jsonPath("$.detail")
                        .value(
                                String.class,
                                detail -> assertThat(detail).as(wrong.name()).contains(wrong.reason())))));
    }

    private List<Wrong> wrongTokens() throws JOSEException {
        IdentityProvider issuer = provider;
        JWSHeader ofKey = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .keyID(issuer.key().getKeyID())
                .build();
        String unsigned = new PlainJWT(sales().build()).serialize();
        String confused = IdentityProvider.signed(
                new JWSHeader.Builder(JWSAlgorithm.HS256)
                        .keyID(issuer.key().getKeyID())
                        .build(),
                sales().build(),
                new MACSigner(issuer.publicKeys().getBytes(StandardCharsets.UTF_8)));
        String forged;
        String unknownKey;
        try (IdentityProvider other = new IdentityProvider()) {
            forged = IdentityProvider.signed(ofKey, sales().build(), new ECDSASigner(other.key()));
            unknownKey = other.token(sales());
        }
        String ending = "signed with a current key of the provider.";
        return List.of(
                new Wrong(
                        "other issuer",
                        issuer.token(sales().issuer("https://other.example")),
                        "its issuer is https://other.example, expected " + issuer.issuer()),
                new Wrong(
                        "other audience",
                        issuer.token(sales().audience("shop")),
                        "its audience is [shop], expected millrace"),
                new Wrong("no audience", issuer.token(sales().audience((String) null)), "its audience is"),
                new Wrong(
                        "expired",
                        issuer.token(
                                sales().expirationTime(Date.from(Instant.now().minusSeconds(120)))),
                        "Jwt expired at"),
                new Wrong(
                        "not yet valid",
                        issuer.token(
                                sales().notBeforeTime(Date.from(Instant.now().plusSeconds(120)))),
                        "Jwt used before"),
                new Wrong("without end", issuer.token(sales().expirationTime(null)), "no time of expiry"),
                new Wrong("unsigned", unsigned, ending),
                new Wrong("public key as a secret", confused, ending),
                new Wrong("forged", forged, ending),
                new Wrong("unknown key", unknownKey, ending),
                new Wrong("no token", "abc", ending),
                new Wrong("no name", issuer.token(sales().subject(null)), "its claim sub is not a name"),
                new Wrong("unprintable name", issuer.token(sales().subject("a\nb")), "its claim sub is not"));
    }

    @Test
    void token_withoutAMappedRole_isForbidden() {
        withGate(client -> get(client, "/who", provider.token(provider.claims("carl", AUDIENCE, List.of("guests"))))
                .expectStatus()
                .isForbidden()
                .expectBody()
                .jsonPath("$.detail")
                .isEqualTo("The token of carl is valid, but its claim roles with the values [guests] gives 0 roles,"
                        + " expected 1 to 64. Ask an administrator to name one of the values in MILLRACE_OIDC_ROLES."));
    }

    @Test
    void rotatedKeys_areFetched_andTheOldOnesCountNoLonger() {
        withGate(client -> {
            String before = provider.token(sales());
            get(client, "/who", before).expectStatus().isOk();

            provider.rotate();

            get(client, "/who", provider.token(sales())).expectStatus().isOk();
            get(client, "/who", before).expectStatus().isUnauthorized();
        });
    }

    @Test
    void keysThatAreKnown_outliveAnOutageOfTheProvider() {
        withGate(client -> {
            get(client, "/who", provider.token(sales())).expectStatus().isOk();

            provider.close();

            get(client, "/who", provider.token(sales())).expectStatus().isOk();
        });
    }

    @Test
    void providerThatDoesNotAnswer_endsNoLoginOfOthers() {
        users.save(User.create("root", "Root", List.of(Role.ADMIN), "battery staple"))
                .block();
        ApiKey.Created key = ApiKey.create(
                "ci", "root", List.of(Role.ADMIN), Instant.now(), Instant.now().plusSeconds(600));
        users.save(key.key()).block();
        String token = provider.token(sales());
        provider.hang();
        withServerOfOneThread(client -> {
            var answered = new AtomicInteger();
            for (int i = 0; i < 50; i++) {
                Thread.ofVirtual().start(() -> {
                    get(client, "/who", token);
                    answered.incrementAndGet();
                });
            }
            await().atMost(PATIENCE).until(provider::isAwaited);

            get(client, "/who", key.token()).expectStatus().isOk();
            client.get()
                    .uri("/who")
                    .headers(headers -> headers.setBasicAuth("root", "battery staple"))
                    .exchange()
                    .expectStatus()
                    .isOk();
            assertThat(answered).as("logins that wait for the provider").hasValue(0);
            provider.close();

            get(client, "/who", token)
                    .expectStatus()
                    .isEqualTo(503)
                    .expectHeader()
                    .valueEquals("Retry-After", "10")
                    .expectBody()
                    .jsonPath("$.code")
                    .isEqualTo("identity_provider_unavailable");
        });
    }

    /** A login that blocked the one thread of the server would end the others. */
    private void withServerOfOneThread(Consumer<WebTestClient> test) {
        runner().run(context -> {
            LoopResources one = LoopResources.create("one", 1, true);
            DisposableServer server = HttpServer.create()
                    .host("127.0.0.1")
                    .runOn(one)
                    .handle(new ReactorHttpHandlerAdapter(
                            WebHttpHandlerBuilder.applicationContext(context).build()))
                    .bindNow();
            try {
                test.accept(WebTestClient.bindToServer()
                        .baseUrl("http://127.0.0.1:" + server.port())
                        .responseTimeout(PATIENCE)
                        .build());
            } finally {
                server.disposeNow();
                one.dispose();
            }
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "audience |                            | MILLRACE_OIDC_AUDIENCE is not",
                "roles    |                            | MILLRACE_OIDC_ROLES is not",
                "roles    | ops=emperor                | There is no role 'emperor'",
                "roles    | =admin                     | expected VALUE=ROLE,ROLE",
                "roles    | ops=                       | expected VALUE=ROLE,ROLE",
                "issuer   | http://login.example.com   | must be an https URL",
                "issuer   | file:///etc/passwd         | must be an https URL",
            })
    void unusableSettings_preventTheStart(String name, String value, String message) {
        runner("millrace.access.oidc." + name + "=" + (value == null ? "" : value))
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(message));
    }

    @Test
    void discoveryDocumentOfAnotherIssuer_isNotBelieved() {
        try (IssuerKeys keys = new IssuerKeys(
                new OidcSettings(provider.issuer() + "/", AUDIENCE, "sales=ro_admin", "roles", "sub", ""))) {
            assertThatThrownBy(() -> keys.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), 0, null))
                    .hasMessageContaining(
                            "is of the issuer " + provider.issuer() + ", expected " + provider.issuer() + "/");
        }
    }
}
