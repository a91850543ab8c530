package io.millrace.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.IdentityTokens;
import io.millrace.access.Role;
import io.millrace.accessspring.IdentityProvider;
import io.millrace.gateway.FakeService;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Logging in to the gateway with a browser, and with tokens of an identity provider. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class SessionHttpTest {

    private static final String SESSION = "/api/v1/session";

    @TestConfiguration(proxyBeanMethods = false)
    static class Users {

        @Bean(initMethod = "start", destroyMethod = "close")
        @Primary
        UserDirectory memory() {
            UserDirectory users = new UserDirectory(MetakvClient.inMemory(), Clock.systemUTC());
            users.save(User.create("ann", "Ann", Role.parseAll("data_reader[orders]"), "right horse"))
                    .block();
            return users;
        }
    }

    private static final FakeService service = new FakeService();
    private static final IdentityProvider provider = new IdentityProvider();

    @DynamicPropertySource
    static void others(DynamicPropertyRegistry properties) {
        service.register(properties);
        properties.add("millrace.access.oidc.issuer", provider::issuer);
        properties.add("millrace.access.oidc.audience", () -> "millrace");
        properties.add("millrace.access.oidc.roles", () -> "sales=data_reader[orders]");
    }

    @AfterAll
    static void stop() {
        service.stop();
        provider.close();
    }

    @LocalServerPort
    private int port;

    @Autowired
    private UserDirectory users;

    private WebTestClient http;

    @BeforeEach
    void connect() {
        http = WebTestClient.bindToServer().baseUrl("http://127.0.0.1:" + port).build();
        await().until(() -> users.find("ann").isPresent() && users.ready());
    }

    private WebTestClient.ResponseSpec post(String body) {
        return http.post()
                .uri(SESSION)
                .contentType(MediaType.APPLICATION_JSON)
                .header("Sec-Fetch-Dest", "empty")
                .bodyValue(body)
                .exchange();
    }

    @ParameterizedTest
    @ValueSource(strings = {SESSION, "/couch/_session"})
    void aLoginThatIsTooLong_isRefusedUnread(String path) {
        http.post()
                .uri(path)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue("{\"user\":\"ann\",\"name\":\"ann\",\"password\":\"%s\"}".formatted("x".repeat(20_000)))
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody(Void.class);
    }

    @Test
    void aSession_beginsWithThePasswordAndTellsWhoHasIt() {
        ResponseCookie cookie = Objects.requireNonNull(post("{\"user\":\"ann\",\"password\":\"right horse\"}")
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseCookies()
                .getFirst("millrace-session"));

        assertThat(cookie.toString()).contains("HttpOnly", "SameSite=Strict", "Path=/");
        ResponseCookie ended = Objects.requireNonNull(http.delete()
                .uri(SESSION)
                .cookie("millrace-session", cookie.getValue())
                .exchange()
                .expectStatus()
                .isNoContent()
                .expectBody()
                .returnResult()
                .getResponseCookies()
                .getFirst("millrace-session"));
        assertThat(ended.getValue()).isEmpty();
        assertThat(ended.getMaxAge()).isZero();
    }

    @Test
    void whoAsks_isSaid() {
        http.get()
                .uri(SESSION)
                .headers(headers -> headers.setBasicAuth("ann", "right horse"))
                .exchange()
                .expectHeader()
                .valueEquals("Cache-Control", "no-store")
                .expectBody()
                .json("{\"name\":\"ann\",\"domain\":\"local\",\"roles\":[\"data_reader[orders]\"],\"open\":false}");
    }

    @Test
    void aWrongPassword_isRefusedWithoutAPromptOfTheBrowser() {
        post("{\"user\":\"ann\",\"password\":\"wrong\"}")
                .expectStatus()
                .isUnauthorized()
                .expectHeader()
                .doesNotExist("WWW-Authenticate")
                .expectHeader()
                .doesNotExist("Set-Cookie")
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("unauthorized");
    }

    @Test
    void aSessionOfTheCouchDbApi_isACookieOfItsOwn() {
        ResponseCookie cookie = Objects.requireNonNull(http.post()
                .uri("/couch/_session")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue("{\"name\":\"ann\",\"password\":\"right horse\"}")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo("{\"ok\":true,\"name\":\"ann\",\"roles\":[\"data_reader[orders]\"]}")
                .returnResult()
                .getResponseCookies()
                .getFirst("AuthSession"));

        assertThat(cookie.toString()).contains("HttpOnly", "SameSite=Strict", "Path=/");
        ResponseCookie ended = Objects.requireNonNull(http.delete()
                .uri("/couch/_session")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseCookies()
                .getFirst("AuthSession"));
        assertThat(ended.getMaxAge()).isZero();
    }

    @Test
    void aFormOfTheCouchDbApi_logsInAsWell() {
        http.post()
                .uri("/couch/_session")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue("name=ann&password=right+horse")
                .exchange()
                .expectStatus()
                .isOk()
                .expectCookie()
                .exists("AuthSession")
                .expectBody();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"name\":\"ann\"}", "[]", "{", "null"})
    void aBodyWithoutALoginOfTheCouchDbApi_isABadRequest(String body) {
        http.post()
                .uri("/couch/_session")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body)
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.error")
                .isEqualTo("bad_request");
    }

    @Test
    void aWrongPasswordOfTheCouchDbApi_isRefused() {
        http.post()
                .uri("/couch/_session")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue("{\"name\":\"ann\",\"password\":\"wrong\"}")
                .exchange()
                .expectStatus()
                .isUnauthorized()
                .expectHeader()
                .doesNotExist("Set-Cookie")
                .expectBody()
                .json("{\"error\":\"unauthorized\",\"reason\":\"The user, the password or the key is wrong.\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"user\":\"ann\"}", "[]", "{", "null", ""})
    void aBodyWithoutALogin_isABadRequest(String body) {
        post(body).expectStatus().isBadRequest().expectBody().jsonPath("$.code").isEqualTo("invalid_login");
    }

    @Test
    void aTokenOfTheIdentityProvider_isAUserWhomTheServicesHearOf() {
        var passed = new AtomicReference<io.netty.handler.codec.http.HttpHeaders>();
        service.plays((request, response) -> {
            passed.set(request.requestHeaders().copy());
            return response.status(204).send();
        });
        String token = provider.token(provider.claims("carl", "millrace", List.of("sales")));

        http.get()
                .uri(SESSION)
                .headers(headers -> headers.setBearerAuth(token))
                .exchange()
                .expectBody()
                .json("{\"name\":\"carl\",\"domain\":\"external\",\"roles\":[\"data_reader[orders]\"],\"open\":false}");
        http.get()
                .uri("/api/v1/functions")
                .headers(headers -> headers.setBearerAuth(token))
                .exchange()
                .expectStatus()
                .isNoContent()
                .expectBody();

        var headersOfService = Objects.requireNonNull(passed.get());
        assertThat(headersOfService.contains("Authorization")).isFalse();
        assertThat(headersOfService.get(IdentityTokens.HEADER)).contains(".EXTERNAL." + base64("carl") + ".");
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aTokenForAnotherAudience_reachesNoService() {
        service.answers(200, "{}");

        http.get()
                .uri("/api/v1/functions")
                .headers(headers ->
                        headers.setBearerAuth(provider.token(provider.claims("carl", "shop", List.of("sales")))))
                .exchange()
                .expectStatus()
                .isUnauthorized()
                .expectBody()
                .jsonPath("$.detail")
                .value(
                        String.class,
                        detail -> assertThat(detail).contains("its audience is [shop], expected millrace"));

        assertThat(service.asked()).isEmpty();
    }
}
