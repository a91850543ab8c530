package io.millrace.subdocservice.users;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.LoginOutcome;
import io.millrace.users.UserDirectory;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class KeyRoutesTest {

    private static final String KEYS = "/api/v1/keys";

    private final UserDirectory users = new UserDirectory(MetakvClient.inMemory(), Clock.systemUTC());
    private Subject asker = Subject.user("root", Subject.Domain.LOCAL, List.of(Role.ADMIN));
    private final WebTestClient client = WebTestClient.bindToRouterFunction(
                    new KeyRoutes(users, request -> asker, InstantSource.system()).router())
            .configureClient()
            .responseTimeout(Duration.ofSeconds(60))
            .build();

    @BeforeEach
    void start() {
        users.start();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(users::ready);
    }

    @AfterEach
    void close() {
        users.close();
    }

    private JsonNode send(HttpMethod method, String path, String body, int status) {
        var result = client.method(method)
                .uri(path)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body)
                .exchange()
                .expectBody()
                .returnResult();
        byte[] answer = Objects.requireNonNullElse(result.getResponseBody(), "{}".getBytes(StandardCharsets.UTF_8));
        assertThat(result.getStatus().value())
                .as(new String(answer, StandardCharsets.UTF_8))
                .isEqualTo(status);
        return JsonMapper.shared().readTree(answer);
    }

    @Test
    void key_showsItsTokenOnce_logsIn_andIsDeleted() {
        JsonNode created = send(HttpMethod.POST, KEYS, """
                {"description": "nightly load", "roles": ["data_writer[orders]", "data_writer[orders]"],
                 "expires": "2999-01-01T00:00:00Z"}""", 201);

        String token = created.get("token").asString();
        assertThat(users.logIn(token, "10.0.0.1"))
                .isEqualTo(new LoginOutcome.Accepted(Subject.user(
                        "key:" + created.get("id").asString(),
                        Subject.Domain.LOCAL,
                        Role.parseAll("data_writer[orders]"))));
        JsonNode listed = send(HttpMethod.GET, KEYS, "", 200);
        assertThat(listed.toString())
                .contains("\"created_by\":\"root\"", "\"expires\":\"2999-01-01T00:00:00Z\"", "\"last_use\"")
                .doesNotContain("token", token.split("_", 3)[2]);

        String path = KEYS + "/" + created.get("id").asString();
        send(HttpMethod.DELETE, path, "", 204);
        assertThat(users.logIn(token, "10.0.0.1")).isEqualTo(new LoginOutcome.Refused());
        assertThat(send(HttpMethod.DELETE, path, "", 404).get("code").asString())
                .isEqualTo("key_not_found");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        no json                                                                   | is not JSON
        {"roles": ["admin"]}                                                      | what the key is for
        {"description": "x"}                                                      | array of 1 to 64 roles
        {"description": "x", "roles": []}                                         | array of 1 to 64 roles
        {"description": "x", "roles": ["root"]}                                   | There is no role
        {"description": "x", "roles": ["admin"], "expires": "soon"}               | a time in the future
        {"description": "x", "roles": ["admin"], "expires": "2001-01-01T00:00:00Z"} | a time in the future
        """)
    void mistake_isSaid_andMakesNoKey(String body, String message) {
        assertThat(send(HttpMethod.POST, KEYS, body, 400).get("detail").asString())
                .contains(message);
        assertThat(users.keys()).isEmpty();
    }

    @Test
    void securityAdministrators_makeAndDeleteNoKeysOfAdministrators() {
        String ofAdministrator = send(HttpMethod.POST, KEYS, "{\"description\": \"x\", \"roles\": [\"admin\"]}", 201)
                .get("id")
                .asString();
        asker = Subject.user("guard", Subject.Domain.LOCAL, Role.parseAll("security_admin"));

        send(HttpMethod.POST, KEYS, "{\"description\": \"x\", \"roles\": [\"data_reader[*]\"]}", 201);
        JsonNode refused =
                send(HttpMethod.POST, KEYS, "{\"description\": \"x\", \"roles\": [\"security_admin\"]}", 403);

        assertThat(refused.get("code").asString()).isEqualTo("forbidden");
        send(HttpMethod.DELETE, KEYS + "/" + ofAdministrator, "", 403);
        assertThat(users.keys()).hasSize(2);
    }
}
