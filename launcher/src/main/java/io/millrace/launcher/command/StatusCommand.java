package io.millrace.launcher.command;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.gateway.GatewayClient;
import io.millrace.launcher.redis.RedisConsole;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.SuiteState;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "status",
        description = {
            "shows services, functions, their backlog and failures",
            "The exit status is 0 if everything is ready, 1 if a service is not, and 3 if Millrace does not run."
        })
final class StatusCommand implements Callable<Integer> {

    static final int NOT_RUNNING = 3;

    /** What begins the names of the counters of calls. One that ran into its time limit is among the failures. */
    private static final List<String> CALLS =
            List.of("on_update", "on_delete", "on_event", "on_request", "timer_callback");

    private final Workspace workspace;
    private final Output output;

    @Option(names = "--json", description = "prints the same as JSON")
    private boolean json;

    StatusCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() {
        URI url = workspace.gateway();
        Optional<SuiteState> suite =
                workspace.running().filter(state -> state.gateway().equals(url));
        ObjectNode status = JsonMapper.shared()
                .createObjectNode()
                .put("url", url.toString())
                .put("version", Version.text());
        try (GatewayClient gateway = workspace.connect(url)) {
            boolean answers = gateway.isReady();
            if (suite.isEmpty() && !answers) {
                return notRunning(url, status);
            }
            status.put("running", true);
            suite.ifPresent(state -> describe(state, status));
            ArrayNode services = services(suite.orElse(null), answers, url);
            status.set("services", services);
            if (answers) {
                status.set("functions", functions(gateway));
            }
            boolean ready = services.valueStream()
                    .allMatch(service -> service.path("ready").asBoolean());
            if (json) {
                output.data().println(status);
            } else {
                new StatusScreen(output).print(status);
            }
            return ready ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private int notRunning(URI url, ObjectNode status) {
        if (json) {
            output.data().println(status.put("running", false));
        } else {
            output.print("Millrace does @|bold not run|@ at " + url + ". './millrace up' starts it.");
        }
        return NOT_RUNNING;
    }

    private void describe(SuiteState state, ObjectNode status) {
        status.put("pid", state.pid())
                .put(
                        "up_seconds",
                        Duration.between(state.since(), Instant.now()).toSeconds())
                .put("sdk", state.sdk())
                .put("data", workspace.data().toString())
                .put("logs", state.logs().toString());
    }

    private ArrayNode services(@Nullable SuiteState suite, boolean gateway, URI url) {
        ArrayNode services = JsonMapper.shared().createArrayNode();
        if (suite == null) { // a suite elsewhere is known by its gateway only
            add(services, Service.GATEWAY.moduleName(), gateway, url.toString());
            return services;
        }
        for (Service service : Service.values()) {
            URI address = suite.url(service);
            try (GatewayClient client = workspace.connect(address)) {
                add(services, service.moduleName(), client.isReady(), address.toString());
            }
        }
        if (RedisConsole.isAddress(suite.redis())) {
            String redis = Optional.ofNullable(workspace.given("REDIS_URL")).orElse(suite.redis());
            add(
                    services,
                    "redis",
                    new RedisConsole(redis, Duration.ofSeconds(2), workspace::given).answers(),
                    suite.redis());
        }
        return services;
    }

    private static void add(ArrayNode services, String name, boolean ready, String url) {
        services.addObject().put("name", name).put("ready", ready).put("url", url);
    }

    private static ArrayNode functions(GatewayClient gateway) {
        ArrayNode functions = JsonMapper.shared().createArrayNode();
        try {
            JsonNode states = gateway.require(gateway.get("/api/v1/status"), "read the states of functions")
                    .json();
            List<JsonNode> stats = new ArrayList<>();
            gateway.require(gateway.get("/api/v1/stats"), "read the statistics of functions")
                    .json()
                    .forEach(stats::add);
            for (JsonNode state : states.path("apps")) {
                String name = fullName(state.path("name"), state.path("function_scope"), "");
                JsonNode counted = stats.stream()
                        .filter(one -> fullName(one.path("function_name"), one.path("function_scope"), "_name")
                                .equals(name))
                        .findFirst()
                        .orElse(JsonMapper.shared().createObjectNode());
                functions
                        .addObject()
                        .put("name", name)
                        .put("state", state.path("composite_status").asString(""))
                        .put(
                                "backlog",
                                counted.path("events_remaining")
                                        .path("dcp_backlog")
                                        .asLong(0))
                        .put("lag_seconds", counted.path("lag_seconds").asDouble(0))
                        .put("handled", calls(counted, "success"))
                        .put("failures", calls(counted, "failure"));
            }
        } catch (LauncherException e) {
            functions.addObject().put("error", e.getMessage());
        }
        return functions;
    }

    /** The name, or bucket/scope/name of a function that has a function scope; statistics call the parts of it by longer names. */
    private static String fullName(JsonNode name, JsonNode functionScope, String suffix) {
        String bucket = functionScope.path("bucket" + suffix).asString("*");
        return bucket.equals("*")
                ? name.asString("")
                : bucket + "/" + functionScope.path("scope" + suffix).asString("") + "/" + name.asString("");
    }

    private static long calls(JsonNode counted, String outcome) {
        return CALLS.stream()
                .mapToLong(call -> counted.path("execution_stats")
                        .path(call + "_" + outcome)
                        .asLong(0))
                .sum();
    }
}
