package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class QueryCommandTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<JsonNode> requests = new ArrayList<>();
    private String answer = "{\"results\":[{\"a\":1.10},7],\"metrics\":{\"elapsedTime\":\"1ms\"}}";
    private HttpServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/query/service", exchange -> {
            requests.add(JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes()));
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.contains("errors") ? 400 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    private int run(String... arguments) {
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        List<String> line = new ArrayList<>(List.of("query"));
        line.addAll(List.of(arguments));
        return Commands.of(
                        new Workspace(Path.of(".."), Map.of("MILLRACE_URL", url)),
                        new Output(new PrintStream(out, true), new PrintStream(err, true), Ansi.OFF, Ansi.OFF, 80))
                .execute(line.toArray(String[]::new));
    }

    private List<String> printed() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void rows_arePrintedAsATable() {
        answer = "{\"results\":[{\"country\":\"France\",\"n\":20},{\"n\":[1,2],\"x\":null}],"
                + "\"metrics\":{\"resultCount\":2,\"elapsedTime\":\"1ms\",\"mutationCount\":3}}";

        assertThat(run("SELECT 1")).isZero();

        assertThat(printed())
                .containsExactly(
                        "country | n     |    x",
                        "--------+-------+-----",
                        "France  | 20    |",
                        "        | [1,2] | null",
                        "(2 rows, 3 changed, 1ms)");
    }

    @Test
    void rows_asJson_arePrintedOnePerLine() {
        assertThat(run("--json", "SELECT 1", "n=5", "name=Ann", "list=[1]")).isZero();

        assertThat(printed()).containsExactly("{\"a\":1.10}", "7");
        assertThat(requests)
                .singleElement()
                .satisfies(request -> assertThat(request.toString())
                        .contains("\"statement\":\"SELECT 1\"", "\"$n\":5,\"$name\":\"Ann\",\"$list\":[1]"));
    }

    @Test
    void file_isAScript_whoseArgumentsAreParameters(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("a.n1ql"), "SELECT 1; -- é\nSELECT 'é'");

        assertThat(run("-f", file.toString(), "--format", "csv", "n=5")).isZero();

        assertThat(printed()).containsExactly("a,$1", "1.10,", ",7", "a,$1", "1.10,", ",7");
        assertThat(requests)
                .hasSize(2)
                .allSatisfy(request -> assertThat(request.path("$n").asInt()).isEqualTo(5));
    }

    @Test
    void argumentThatIsNotAParameter_isWrongUse() {
        assertThat(run("SELECT 1", "foo")).isEqualTo(2);
        assertThat(run("-f", "absent.n1ql", "=5")).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "millrace: query: not a query parameter: foo; use NAME=VALUE ('./millrace help query' explains the command)",
                        "millrace: query: not a query parameter: =5; use NAME=VALUE ('./millrace help query' explains the command)");
        assertThat(requests).isEmpty();
    }

    @Test
    void syntaxError_hasACaretBelowItsPlace_andExitStatus1() {
        answer = "{\"results\":[],\"errors\":[{\"code\":3000,\"msg\":\"syntax error\",\"line\":2,\"column\":6}]}";

        assertThat(run("SELECT 1\nFROM WHERE")).isEqualTo(1);

        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("error 3000: syntax error", "  FROM WHERE", "       ^");
    }

    @Test
    void mistakes_areRefused() {
        assertThat(run("-f", "absent.n1ql")).isEqualTo(1);
        assertThat(run("--format", "xml", "SELECT 1")).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("absent.n1ql", "xml");
        assertThat(requests).isEmpty();
    }
}
