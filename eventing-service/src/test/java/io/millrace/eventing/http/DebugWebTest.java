package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DebugWebTest extends WebTest {

    private static final String DEBUG = "/api/v1/functions/debugged/debug";

    @BeforeEach
    void createFunction() {
        create("debugged");
    }

    @Test
    void debuggerOfTheNextChange_waitsAndCanBeEnded() {
        create("waiting");
        String path = "/api/v1/functions/waiting/debug";
        assertThat(get(path).problem(404, "debugger_not_found").path("action").asString())
                .contains("answered the POST");
        delete(path).problem(404, "debugger_not_found");

        JsonNode started = post(path, "{\"next\": true, \"minutes\": 1}").json();

        assertThat(started.path("state").asString()).isEqualTo("waiting");
        assertThat(started.path("url").asString()).startsWith("ws://127.0.0.1:");
        assertThat(started.path("devtools").asString()).startsWith("devtools://");
        assertThat(get(path).json()).isEqualTo(started);
        assertThat(delete(path).status()).isEqualTo(200);
        assertThat(get(path).json().path("state").asString()).isEqualTo("ended");
    }

    @Test
    void requests_areChecked() {
        assertThat(post(DEBUG, "{}").text()).contains("document, letter, change and next");
        assertThat(post(DEBUG, "{\"next\": true, \"letter\": \"1-1\"}").status())
                .isEqualTo(400);
        assertThat(post(DEBUG, "{\"next\": true, \"wait\": 1}").text()).contains("no member 'wait'");
        assertThat(post(DEBUG, "{\"next\": true, \"minutes\": 61}").text()).contains("1 to 60");
        assertThat(post("/api/v1/functions/none/debug", "{\"next\": true}").status())
                .isEqualTo(404);
    }

    @Test
    void pathsOfCouchbase_needTheOption() {
        get("/getDebuggerUrl/?name=debugged").error(400, "ERR_DEBUGGER_DISABLED", 45);
        post("/startDebugger/?name=debugged", "").error(400, "ERR_DEBUGGER_DISABLED", 45);
        post("/api/v1/config", "{\"enable_debugger\": true}").ok();
        try {
            post("/startDebugger/?name=debugged", "").ok();
            assertThat(get("/getDebuggerUrl/?name=debugged").text()).startsWith("devtools://");
            post("/stopDebugger/?name=debugged", "").ok();
            assertThat(get("/getDebuggerUrl/?name=debugged").text()).isEmpty();
        } finally {
            post("/api/v1/config", "{\"enable_debugger\": false}").ok();
        }
    }
}
