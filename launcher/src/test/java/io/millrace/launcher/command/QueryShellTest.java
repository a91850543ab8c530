package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.millrace.launcher.gateway.GatewayClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueryShellTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<String> requests = new ArrayList<>();
    private String answer = "{}";
    private HttpServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/query/service", exchange -> {
            requests.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
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

    private boolean run(String statement, boolean json, String... parameters) {
        try (GatewayClient gateway = new GatewayClient(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()))) {
            return new QueryShell(gateway, new PrintStream(out, true), new PrintStream(err, true))
                    .run(statement, List.of(parameters), json);
        }
    }

    @Test
    void rows_arePrintedAsATable() {
        answer = "{\"results\":[{\"country\":\"France\",\"n\":20},{\"n\":[1,2],\"x\":null}],"
                + "\"metrics\":{\"resultCount\":2,\"elapsedTime\":\"1ms\",\"mutationCount\":3}}";

        assertThat(run("SELECT 1", false)).isTrue();

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "country | n     | x",
                        "--------+-------+-----",
                        "France  | 20    |",
                        "        | [1,2] | null",
                        "(2 rows, 3 changed, 1ms)");
    }

    @Test
    void rows_asJson_arePrintedOnePerLine() {
        answer = "{\"results\":[{\"a\":1.10},7]}";

        assertThat(run("SELECT 1", true, "n=5", "name=Ann", "list=[1]")).isTrue();

        assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactly("{\"a\":1.1}", "7");
        assertThat(requests).containsExactly("{\"statement\":\"SELECT 1\",\"$n\":5,\"$name\":\"Ann\",\"$list\":[1]}");
    }

    @Test
    void syntaxError_hasACaretBelowItsPlace() {
        answer = "{\"results\":[],\"errors\":[{\"code\":3000,\"msg\":\"syntax error\",\"line\":2,\"column\":6}]}";

        assertThat(run("SELECT 1\nFROM WHERE", false)).isFalse();

        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("error 3000: syntax error", "  FROM WHERE", "       ^");
    }

    @Test
    void parameterWithoutName_isRefused() {
        assertThatThrownBy(() -> run("SELECT 1", false, "=5")).hasMessageContaining("NAME=VALUE");
    }
}
