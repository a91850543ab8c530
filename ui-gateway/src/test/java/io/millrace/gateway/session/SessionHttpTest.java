package io.millrace.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.time.Clock;
import java.util.Objects;
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
import org.springframework.test.web.reactive.server.WebTestClient;

/** Logging in to the gateway with a browser. */
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

    @Test
    void aSession_beginsWithThePasswordAndTellsWhoHasIt() {
        ResponseCookie cookie = Objects.requireNonNull(post("{\"user\":\"ann\",\"password\":\"right horse\"}")
                .expectStatus()
                .isOk()
                .returnResult(String.class)
                .getResponseCookies()
                .getFirst("millrace-session"));

        assertThat(cookie.toString()).contains("HttpOnly", "SameSite=Strict", "Path=/");
        ResponseCookie ended = Objects.requireNonNull(http.delete()
                .uri(SESSION)
                .cookie("millrace-session", cookie.getValue())
                .exchange()
                .expectStatus()
                .isNoContent()
                .returnResult(String.class)
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
                .returnResult(String.class)
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
                .exists("AuthSession");
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
}
