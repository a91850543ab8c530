package io.millrace.launcher.users;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.millrace.launcher.gateway.GatewayClient;
import io.millrace.launcher.gateway.Login;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code millrace user} and {@code key} against prepared responses. */
class AccountCommandsTest {

    private static final String ANN = "GET /settings/rbac/users/local/ann";
    private static final String ANN_SHOWN =
            "{\"id\":\"ann\",\"roles\":[{\"role\":\"admin\"},{\"role\":\"data_reader\",\"bucket_name\":\"orders\","
                    + "\"scope_name\":\"shop\",\"collection_name\":\"*\"},"
                    + "{\"role\":\"topics_reader\",\"topic_name\":\"shop.orders\"}]}";

    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private final ByteArrayOutputStream talk = new ByteArrayOutputStream();
    private final Deque<String> typed = new ArrayDeque<>();
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private HttpServer server;
    private String input = "";

    /** Responses without an entry are 404. A response that begins with a status has that one. */
    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String request =
                    exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (!exchange.getRequestMethod().equals("GET")) {
                sent.add((request + " " + URLDecoder.decode(body, StandardCharsets.UTF_8)).strip());
            }
            String answer = answers.getOrDefault(request, "404 \"Unknown user.\"");
            boolean error = answer.matches("(?s)\\d{3} .*");
            byte[] bytes = (error ? answer.substring(4) : answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(error ? Integer.parseInt(answer.substring(0, 3)) : 200, bytes.length);
            try (exchange) {
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private int run(String... arguments) {
        data.reset();
        talk.reset();
        sent.clear();
        PrintStream err = new PrintStream(talk, true, StandardCharsets.UTF_8);
        AccountCommands.Cli cli = new AccountCommands.Cli(
                () -> new GatewayClient(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()), new Login("root", "x")),
                new PrintStream(data, true, StandardCharsets.UTF_8),
                err,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                question -> Optional.ofNullable(typed.poll()));
        CommandLine line = new CommandLine(new Root())
                .addSubcommand(AccountCommands.users(cli))
                .addSubcommand(AccountCommands.keys(cli));
        line.setExecutionExceptionHandler((failure, command, result) -> {
            err.println(failure.getMessage());
            return 1;
        });
        return line.execute(arguments);
    }

    @CommandLine.Command(name = "millrace")
    private static final class Root {}

    private String data() {
        return data.toString(StandardCharsets.UTF_8);
    }

    private String talk() {
        return talk.toString(StandardCharsets.UTF_8);
    }

    @Test
    void user_isCreatedWithATypedPassword_whichIsNotPrinted() {
        answers.put("PUT /settings/rbac/users/local/ann", "{}");
        typed.addAll(List.of("right horse", "right horse"));

        assertThat(run("user", "add", "ann", "data_reader[orders]", "admin", "--name", "Ann Lee"))
                .isZero();

        assertThat(sent).singleElement().asString().startsWith("PUT /settings/rbac/users/local/ann ");
        assertThat(sent.getFirst().split(" ", 3)[2].split("&"))
                .containsExactlyInAnyOrder("name=Ann Lee", "roles=data_reader[orders],admin", "password=right horse");
        assertThat(talk()).contains("Created the user ann with data_reader[orders] admin.");
        assertThat(data() + talk()).doesNotContain("right horse");
    }

    @Test
    void password_comesFromStandardInputOrChance_butNotFromAnArgument() {
        answers.put("PUT /settings/rbac/users/local/bob", "{}");
        input = "of standard input\n";
        assertThat(run("user", "add", "bob", "--password-stdin")).isZero();
        assertThat(sent.getFirst()).contains("password=of standard input");

        assertThat(run("user", "add", "bob", "--generate")).isZero();
        assertThat(data().strip()).hasSize(24);
        assertThat(sent.getFirst()).contains("password=" + data().strip());
        assertThat(talk()).doesNotContain(data().strip());

        assertThat(run("user", "add", "bob", "--password", "x")).isEqualTo(2);
        input = "";
        assertThat(run("user", "add", "bob", "--password-stdin")).isEqualTo(1);
        assertThat(talk()).contains("Standard input has no password");
        assertThat(run("user", "add", "bob")).isEqualTo(1);
        assertThat(talk()).contains("There is no terminal", "--generate");
        typed.addAll(List.of("right horse", "left horse"));
        assertThat(run("user", "add", "bob")).isEqualTo(1);
        assertThat(talk()).contains("differ");
        assertThat(sent).isEmpty();
    }

    @Test
    void user_thatExists_isNotReplaced() {
        answers.put(ANN, ANN_SHOWN);

        assertThat(run("user", "add", "ann", "admin", "--generate")).isEqualTo(1);

        assertThat(talk()).contains("There is a user ann already");
        assertThat(sent).isEmpty();
    }

    @Test
    void users_areListedWithTheirRolesAsTheyAreGranted() {
        answers.put("GET /settings/rbac/users/local", "[" + ANN_SHOWN + "]");

        assertThat(run("user", "list")).isZero();
        assertThat(data())
                .isEqualTo("ann                  admin data_reader[orders:shop] topics_reader[shop.orders]\n");
        assertThat(run("user", "list", "--json")).isZero();
        assertThat(data()).isEqualTo(ANN_SHOWN + "\n");
    }

    @Test
    void rolesAndPassword_areChanged() {
        answers.put(ANN, ANN_SHOWN);
        answers.put("PATCH /settings/rbac/users/local/ann", "{}");

        assertThat(run("user", "roles", "ann")).isZero();
        assertThat(sent).isEmpty();
        assertThat(data()).isEqualTo("admin data_reader[orders:shop] topics_reader[shop.orders]\n");
        assertThat(run("user", "roles", "ann", "ro_admin")).isZero();
        assertThat(sent).containsExactly("PATCH /settings/rbac/users/local/ann roles=ro_admin");
        assertThat(run("user", "roles", "ann", "--none")).isZero();
        assertThat(sent).containsExactly("PATCH /settings/rbac/users/local/ann roles=");
        assertThat(run("user", "passwd", "ann", "--generate")).isZero();
        assertThat(sent).containsExactly("PATCH /settings/rbac/users/local/ann password=" + data().strip());
        assertThat(talk()).doesNotContain("Commands log in");
        assertThat(run("user", "roles", "eve", "admin")).isEqualTo(1);
        assertThat(talk()).contains("There is no user eve");
    }

    @Test
    void passwordOfTheOwnLogin_saysThatTheFileHasTheOldOne() {
        answers.put("GET /settings/rbac/users/local/root", "{}");
        answers.put("PATCH /settings/rbac/users/local/root", "{}");

        assertThat(run("user", "passwd", "root", "--generate")).isZero();

        assertThat(talk()).contains("Commands log in as root: write the new password into the file");
    }

    @Test
    void refusal_isSaidInTheWordsOfTheServer() {
        answers.put(ANN, ANN_SHOWN);
        answers.put(
                "DELETE /settings/rbac/users/local/ann",
                "400 {\"errors\":{\"roles\":\"ann is the only user with the role admin.\"}}");

        assertThat(run("user", "rm", "ann")).isEqualTo(1);

        assertThat(talk()).isEqualTo("Cannot delete the user ann: ann is the only user with the role admin.\n");
        assertThat(run("user", "rm", "eve")).isEqualTo(1);
        assertThat(talk()).contains("There is no user eve");
    }

    @Test
    void key_isCreatedListedAndDeleted() {
        answers.put("POST /api/v1/keys", "201 {\"id\":\"3f\",\"token\":\"mrk_3f_secret\"}");
        assertThat(run("key", "add", "nightly load", "data_writer[orders]", "--days", "90"))
                .isZero();
        assertThat(data()).isEqualTo("mrk_3f_secret\n");
        assertThat(talk())
                .contains("Created the API key 3f with data_writer[orders]")
                .doesNotContain("secret");
        assertThat(sent.getFirst())
                .contains("{\"description\":\"nightly load\",\"roles\":[\"data_writer[orders]\"],\"expires\":\"");
        assertThat(run("key", "add", "no roles")).isEqualTo(2);

        assertThat(run("key", "list")).isEqualTo(1);
        answers.put("GET /api/v1/keys", "[]");
        assertThat(run("key", "list")).isZero();
        assertThat(talk()).contains("There are no API keys");
        answers.put(
                "GET /api/v1/keys",
                "[{\"id\":\"3f\",\"description\":\"nightly load\",\"roles\":[\"data_writer[orders]\"],"
                        + "\"expires\":\"2999-01-01T00:00:00Z\"}]");
        assertThat(run("key", "list")).isZero();
        assertThat(data())
                .isEqualTo("3f  nightly load  data_writer[orders], never used, expires 2999-01-01T00:00:00Z\n");

        answers.put("DELETE /api/v1/keys/3f", "");
        assertThat(run("key", "rm", "3f")).isZero();
        answers.put(
                "DELETE /api/v1/keys/4f", "404 {\"code\":\"key_not_found\",\"detail\":\"There is no API key 4f.\"}");
        assertThat(run("key", "rm", "4f")).isEqualTo(1);
        assertThat(talk()).isEqualTo("Cannot delete the API key 4f: There is no API key 4f.\n");
    }
}
