package io.millrace.launcher.command;

import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.SuiteState;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a user sees when Millrace is ready: where everything is, and what to do next.
 *
 * @param password the generated password, which is shown once; null after the first start
 */
record ReadyScreen(Output output, SuiteState state, Path data, FirstPassword.@Nullable Found password, double seconds) {

    void print(String howToStop, boolean json) {
        if (json) {
            output.data().println(asJson());
            return;
        }
        output.data().println();
        output.print("@|bold,green Millrace is ready|@ after %.1f s".formatted(seconds));
        output.data().println();
        line("console", state.gateway().toString());
        line("docs", state.gateway().resolve("/docs").toString());
        line("Couchbase SDKs", state.sdk());
        if (password != null) {
            line("user", password.user());
            output.print("  %-16s@|bold %s|@  (shown only now)".formatted("password", password.password()));
        }
        line("Redis", state.redis());
        line("data", data.toString());
        line("logs", state.logs().toString());
        output.data().println();
        output.print(
                "Next: @|bold ./millrace demo|@ shows a function at work; @|bold ./millrace status|@ shows this one.");
        output.data().println(howToStop);
    }

    private void line(String name, String value) {
        output.data().printf("  %-16s%s%n", name, value);
    }

    private ObjectNode asJson() {
        ObjectNode json = JsonMapper.shared()
                .createObjectNode()
                .put("ready", true)
                .put("version", Version.text())
                .put("seconds", Math.round(seconds * 10) / 10.0)
                .put("pid", state.pid())
                .put("console", state.gateway().toString())
                .put("docs", state.gateway().resolve("/docs").toString())
                .put("sdk", state.sdk())
                .put("redis", state.redis())
                .put("data", data.toString())
                .put("logs", state.logs().toString());
        if (password != null) {
            json.put("user", password.user()).put("password", password.password());
        }
        for (Service service : Service.values()) {
            json.withObject("services")
                    .put(service.moduleName(), state.url(service).toString());
        }
        return json;
    }
}
