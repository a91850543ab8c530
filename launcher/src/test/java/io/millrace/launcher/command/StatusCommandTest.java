package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusCommandTest {

    @TempDir
    Path directory;

    private final Map<String, String> answers = new HashMap<>();
    private HttpServer server;
    private Printed command;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String answer = answers.getOrDefault(exchange.getRequestURI().getPath(), "");
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.isEmpty() ? 503 : 200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        answers.put("/actuator/health/readiness", "{}");
        answers.put("/api/v1/status", "{\"apps\":[]}");
        answers.put("/api/v1/stats", "[]");
        command = new Printed(directory, Map.of("MILLRACE_URL", url()));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void functions_areShownWithBacklogAndFailures() {
        answers.put("/api/v1/status", "{\"apps\":[{\"name\":\"totals\",\"composite_status\":\"deployed\"}]}");
        answers.put("/api/v1/stats", """
            [{"function_name":"totals","events_remaining":{"dcp_backlog":1200},"lag_seconds":2.5,
              "execution_stats":{"on_update_success":30,"on_delete_success":2,"on_event_success":4,"on_request_success":5,
              "timer_callback_success":1,"on_update_failure":1,"on_event_failure":1,"on_request_failure":1,
              "timer_callback_failure":1},
              "failure_stats":{"timeout_count":2}}]\
            """);

        assertThat(command.run(StatusCommand::new)).isZero();
        assertThat(command.data())
                .containsPattern("ui-gateway +ready +" + url())
                .containsPattern("FUNCTION +STATE +BACKLOG +LAG +HANDLED +FAILURES")
                .containsPattern("totals +deployed +1,200 +2.5 s +42 +4");

        assertThat(command.run(StatusCommand::new, "--json")).isZero();
        assertThat(command.data())
                .contains("\"running\":true", "\"backlog\":1200", "\"failures\":4")
                .hasLineCount(1);
    }

    @Test
    void functionsOfOneName_areShownWithTheirScopesAndTheirOwnBacklog() {
        answers.put("/api/v1/status", """
            {"apps":[{"name":"totals","composite_status":"deployed","function_scope":{"bucket":"*","scope":"*"}},
              {"name":"totals","composite_status":"deployed","function_scope":{"bucket":"orders","scope":"shop"}}]}\
            """);
        answers.put("/api/v1/stats", """
            [{"function_name":"totals","function_scope":{"bucket_name":"*","scope_name":"*"},"events_remaining":{"dcp_backlog":1}},
             {"function_name":"totals","function_scope":{"bucket_name":"orders","scope_name":"shop"},
              "events_remaining":{"dcp_backlog":7}}]\
            """);

        assertThat(command.run(StatusCommand::new)).isZero();

        assertThat(command.data())
                .containsPattern("(?m)^ *totals +deployed +1 ")
                .containsPattern("orders/shop/totals +deployed +7 ");
    }

    @Test
    void withoutFunctions_saysHowToSeeOne() {
        assertThat(command.run(StatusCommand::new)).isZero();

        assertThat(command.data()).contains("./millrace demo");
    }

    @Test
    void suiteThatDoesNotRun_isExitStatus3() {
        answers.clear();

        assertThat(command.run(StatusCommand::new)).isEqualTo(3);
        assertThat(command.data()).isEqualTo("Millrace does not run at " + url() + ". './millrace up' starts it.\n");

        assertThat(command.run(StatusCommand::new, "--json")).isEqualTo(3);
        assertThat(command.data()).contains("\"running\":false").hasLineCount(1);
    }

    @Test
    void stop_withoutASuite_changesNothing() {
        assertThat(command.run(StopCommand::new, "--json")).isZero();

        assertThat(command.data()).isEqualTo("{\"stopped\":false}\n");
    }

    @Test
    void open_printsTheAddress() {
        assertThat(command.run(OpenCommand::new, "docs")).isZero();
        assertThat(command.data()).isEqualTo(url() + "/docs\n");

        assertThat(command.run(OpenCommand::new, "--json")).isZero();
        assertThat(command.data()).isEqualTo("{\"console\":\"" + url() + "/\"}\n");
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }
}
