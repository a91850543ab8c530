package io.millrace.launcher.command;

import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.SuiteState;
import io.millrace.launcher.tls.LocalCertificate;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a user sees when Millrace is ready: where everything is, and what to do next.
 *
 * @param login the file with the login of the administrator, or null if Millrace is open
 */
record ReadyScreen(
        Output output,
        SuiteState state,
        Path data,
        @Nullable Path login,
        double seconds) {

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
        if (login != null) {
            line("login", "Administrator, with the password in " + login);
        } else {
            output.print("  %-16s@|bold open|@ to every program on this machine, without a login".formatted("login"));
        }
        authority().ifPresent(file -> line("certificate", "of the authority in " + file + ", for browsers to trust"));
        line("Redis", state.redis());
        line("data", data.toString());
        line("logs", state.logs().toString());
        output.data().println();
        output.print(
                "Next: @|bold ./millrace demo|@ shows a function at work; @|bold ./millrace status|@ shows services and functions.");
        output.data().println(howToStop);
    }

    /** Returns the authority of the certificate, if the suite has one. */
    private Optional<Path> authority() {
        return "https".equals(state.gateway().getScheme())
                ? LocalCertificate.find(data).map(LocalCertificate::authority)
                : Optional.empty();
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
        if (login != null) {
            json.put("login", login.toString());
        }
        authority().ifPresent(file -> json.put("certificate", file.toString()));
        for (Service service : Service.values()) {
            json.withObject("services")
                    .put(service.moduleName(), state.url(service).toString());
        }
        return json;
    }
}
