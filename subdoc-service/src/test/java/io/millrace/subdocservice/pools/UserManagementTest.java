package io.millrace.subdocservice.pools;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.LoginOutcome;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
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
import org.springframework.web.reactive.function.server.RouterFunctions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Who may do what with users; the doors, which come before, are tested with the matrix. */
class UserManagementTest {

    private static final String ROOT = "/settings/rbac/users/local/root";
    private static final String ANN = "/settings/rbac/users/local/ann";

    private final UserDirectory users = new UserDirectory(MetakvClient.inMemory(), Clock.systemUTC());
    private Subject asker = Subject.user("root", Subject.Domain.LOCAL, List.of(Role.ADMIN));
    private final WebTestClient client = client();

    private record Answer(int status, String body) {

        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    private WebTestClient client() {
        RouterFunctions.Builder routes = RouterFunctions.route();
        new UserManagement(users, request -> asker).addTo(routes);
        return WebTestClient.bindToRouterFunction(routes.build())
                .configureClient()
                .responseTimeout(Duration.ofSeconds(60))
                .build();
    }

    @BeforeEach
    void root() {
        users.start();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(users::ready);
        users.change("root", before -> new User("root", "", List.of(Role.ADMIN), java.util.Map.of()))
                .block();
    }

    @AfterEach
    void close() {
        users.close();
    }

    private Answer send(HttpMethod method, String path, String form) {
        var result = client.method(method)
                .uri(path)
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue(form)
                .exchange()
                .expectBody()
                .returnResult();
        byte[] body = Objects.requireNonNullElse(result.getResponseBody(), new byte[0]);
        return new Answer(result.getStatus().value(), new String(body, StandardCharsets.UTF_8));
    }

    private Answer put(String path, String form) {
        return send(HttpMethod.PUT, path, form);
    }

    private boolean logsIn(String user, String password) {
        return users.logIn(user, password, "10.0.0.1").join() instanceof LoginOutcome.Accepted;
    }

    @Test
    void user_isCreatedShownChangedAndDeleted() {
        Answer created = put(ANN, "name=Ann+Lee&roles=data_reader[orders:shop],admin&password=right+horse");

        assertThat(created.status()).isEqualTo(200);
        JsonNode shown = send(HttpMethod.GET, ANN, "").json();
        assertThat(shown.toString())
                .isEqualTo("{\"id\":\"ann\",\"domain\":\"local\",\"name\":\"Ann Lee\",\"roles\":["
                        + "{\"role\":\"data_reader\",\"bucket_name\":\"orders\",\"scope_name\":\"shop\",\"collection_name\":\"*\","
                        + "\"origins\":[{\"type\":\"user\"}]},{\"role\":\"admin\",\"origins\":[{\"type\":\"user\"}]}],"
                        + "\"groups\":[],\"external_groups\":[]}");
        assertThat(logsIn("ann", "right horse")).isTrue();

        assertThat(put(ANN, "roles=topics_reader[shop.orders]").status()).isEqualTo(200);
        assertThat(send(HttpMethod.GET, ANN, "").body())
                .contains("{\"role\":\"topics_reader\",\"topic_name\":\"shop.orders\",");
        assertThat(put(ANN, "roles=data_writer[orders]").status()).isEqualTo(200);
        assertThat(logsIn("ann", "right horse"))
                .as("a password that is left out stays")
                .isTrue();
        assertThat(users.find("ann").orElseThrow().fullName()).isEmpty();
        assertThat(users.subject("ann").orElseThrow().roles()).isEqualTo(Role.parseAll("data_writer[orders]"));

        assertThat(send(HttpMethod.PATCH, ANN, "password=other+horse").status()).isEqualTo(200);
        assertThat(users.subject("ann").orElseThrow().roles())
                .as("PATCH leaves the roles")
                .hasSize(1);
        assertThat(logsIn("ann", "right horse")).isFalse();
        assertThat(logsIn("ann", "other horse")).isTrue();

        assertThat(send(HttpMethod.DELETE, ANN, "").status()).isEqualTo(200);
        assertThat(send(HttpMethod.GET, ANN, "")).isEqualTo(new Answer(404, "\"Unknown user.\""));
        assertThat(send(HttpMethod.DELETE, ANN, "").status()).isEqualTo(404);
        assertThat(send(HttpMethod.PATCH, ANN, "name=x").status()).isEqualTo(404);
    }

    @Test
    void aFormThatIsTooLong_isRefused() {
        String form = "password=right+horse&name=" + "x".repeat(ManagementLimits.MAX_FORM_BYTES);

        assertThat(put(ANN, form))
                .isEqualTo(new Answer(413, "{\"errors\":{\"_\":\"The form has more than 65536 bytes.\"}}"));
        assertThat(send(HttpMethod.POST, "/controller/changePassword", form).status())
                .isEqualTo(413);
        assertThat(users.find("ann")).isEmpty();
    }

    @Test
    void lists_haveTheUsersOfTheirDomain() {
        assertThat(send(HttpMethod.GET, "/settings/rbac/users", "").json().findValuesAsString("id"))
                .containsExactly("root");
        assertThat(send(HttpMethod.GET, "/settings/rbac/users/local", "").json().findValuesAsString("id"))
                .containsExactly("root");
        assertThat(send(HttpMethod.GET, "/settings/rbac/users/external", "").body())
                .isEqualTo("[]");
        assertThat(send(HttpMethod.GET, "/settings/rbac/users/elsewhere", "").body())
                .contains("There is no domain");
        JsonNode roles = send(HttpMethod.GET, "/settings/rbac/roles", "").json();
        assertThat(roles.findValuesAsString("role")).contains("admin", "data_reader", "eventing_manage_functions");
        assertThat(roles.toString())
                .contains(
                        "{\"role\":\"eventing_manage_functions\",\"bucket_name\":\"*\",\"scope_name\":\"*\",\"name\"");
        assertThat(send(HttpMethod.GET, "/whoami", "").body())
                .isEqualTo("{\"id\":\"root\",\"domain\":\"local\",\"roles\":[{\"role\":\"admin\"}]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /local/ann    | roles=root&password=right+horse         | 400 | roles    | unknown, malformed
        /local/ann    | roles=data_reader&password=right+horse  | 400 | roles    | undefined
        /local/ann    | roles=admin                             | 400 | password | required for a new user
        /local/ann    | password=short                          | 400 | password | at least 6 characters
        /local/ann    | password=bell%07bell                    | 400 | password | control characters
        /local/ann    | password=right+horse&groups=staff       | 400 | groups   | no groups
        /local/ann    | password=right+horse&locked=true        | 400 | locked   | leave it out
        /local/a nn   | password=right+horse                    | 400 | _        | without blanks
        /external/ann | roles=admin                             | 404 | _        | identity provider
        /local/root   | roles=                                  | 400 | roles    | only user with the role admin
        """)
    void mistake_isSaidByParameter_andChangesNothing(
            String path, String form, int status, String parameter, String message) {
        var before = users.users();

        Answer answer = put("/settings/rbac/users" + path, form);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.json().path("errors").path(parameter).asString()).contains(message);
        assertThat(users.users()).isEqualTo(before);
    }

    @Test
    void theLastAdministrator_isNotDeleted() {
        assertThat(send(HttpMethod.DELETE, ROOT, "").status()).isEqualTo(400);

        put(ANN, "roles=admin&password=right+horse");
        assertThat(send(HttpMethod.DELETE, ROOT, "").status()).isEqualTo(200);
    }

    /** Otherwise the role that manages users would be that of an administrator. */
    @Test
    void securityAdministrators_neitherMakeNorTouchAdministrators() {
        asker = Subject.user("guard", Subject.Domain.LOCAL, Role.parseAll("security_admin"));

        assertThat(put(ANN, "roles=data_reader[*]&password=right+horse").status())
                .isEqualTo(200);
        for (String roles : List.of("admin", "cluster_admin", "security_admin", "data_reader[a],admin")) {
            assertThat(put(ANN, "roles=" + roles).status()).as(roles).isEqualTo(403);
        }
        assertThat(send(HttpMethod.PATCH, ROOT, "password=my+own+one").status()).isEqualTo(403);
        assertThat(put(ROOT, "password=my+own+one").status()).isEqualTo(403);
        assertThat(send(HttpMethod.DELETE, ROOT, "").status()).isEqualTo(403);
        assertThat(users.subject("ann").orElseThrow().roles()).isEqualTo(Role.parseAll("data_reader[*]"));
        assertThat(logsIn("root", "my own one")).isFalse();
    }

    @Test
    void everyUser_changesTheOwnPassword() {
        put(ANN, "roles=data_reader[*]&password=right+horse");
        asker = users.subject("ann").orElseThrow();

        assertThat(send(HttpMethod.POST, "/controller/changePassword", "password=other+horse")
                        .status())
                .isEqualTo(200);

        assertThat(logsIn("ann", "other horse")).isTrue();
        assertThat(users.subject("ann").orElseThrow().roles()).hasSize(1);
        assertThat(send(HttpMethod.POST, "/controller/changePassword", "password=x")
                        .status())
                .isEqualTo(400);
        asker = Subject.user("key:0011223344556677", Subject.Domain.LOCAL, List.of(Role.ADMIN));
        assertThat(send(HttpMethod.POST, "/controller/changePassword", "password=other+horse")
                        .body())
                .contains("has a password to change");
    }
}
