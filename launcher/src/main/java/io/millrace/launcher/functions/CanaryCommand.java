package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "canary",
        description = {
            "lets a version handle a share of the changes of a deployed function",
            "With a directory or --version it begins; with the name of a function it shows both versions. It ends with"
                    + " 'fn promote' or 'fn rollback', or by its rule."
        })
final class CanaryCommand implements Callable<Integer> {

    private static final List<String> EFFECTS = List.of("writes", "deletions", "timers", "requests", "statements");

    private final Cli cli;

    @Parameters(
            index = "0",
            paramLabel = "DIR|NAME",
            description = "the directory with the code to try, or the name of the function")
    private String what = "";

    @Option(
            names = {"-v", "--version"},
            paramLabel = "N",
            description = "a version of the function to try")
    private @Nullable Long version;

    @Option(names = "--share", paramLabel = "PART", description = "the share of the vbuckets (default: 1/64)")
    private String share = "1/64";

    @Option(
            names = "--max-errors",
            paramLabel = "RATE",
            description =
                    "rolls back when it fails more often than the other version by more than this (default: 0.05)")
    private @Nullable Double maxErrors;

    @Option(
            names = "--max-slowdown",
            paramLabel = "TIMES",
            description = "rolls back when its mean run time is more than so many times the other's")
    private @Nullable Double maxSlowdown;

    @Option(
            names = "--min-events",
            paramLabel = "N",
            description = "judges it when it has handled so many changes on a node (default: 50)")
    private @Nullable Long minEvents;

    @Option(
            names = "--promote-after",
            paramLabel = "SECONDS",
            description = "promotes it after this time if it was judged well")
    private @Nullable Long promoteAfter;

    @Option(
            names = {"-m", "--note"},
            paramLabel = "TEXT",
            description = "the note of the version")
    private String note = "";

    CanaryCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        Path path = Path.of(what);
        try (FunctionServer server = cli.server()) {
            if (FunctionDirectory.isAt(path)) {
                if (version != null) {
                    throw new LauncherException("--version is for the name of a function, not for a directory");
                }
                ObjectNode definition = new FunctionDirectory(path).definition();
                ObjectNode request =
                        request().put("code", definition.path("appcode").asString());
                JsonNode env = definition.at("/settings/env");
                request.set("env", env.isObject() ? env : request.objectNode());
                show(FunctionId.of(definition), server.startCanary(FunctionId.of(definition), request, note));
                return ExitCode.OK;
            }
            FunctionId id = FunctionId.parse(what);
            show(
                    id,
                    version == null
                            ? server.canary(id)
                            : server.startCanary(id, request().put("version", version), note));
            return ExitCode.OK;
        }
    }

    private ObjectNode request() {
        ObjectNode request = JsonMapper.shared().createObjectNode().put("share", share);
        ObjectNode rule = request.putObject("rule");
        if (maxErrors != null) {
            rule.put("max_error_rate", maxErrors);
        }
        if (maxSlowdown != null) {
            rule.put("max_slowdown", maxSlowdown);
        }
        if (minEvents != null) {
            rule.put("min_events", minEvents);
        }
        if (promoteAfter != null) {
            rule.put("promote_after", promoteAfter);
        }
        return request;
    }

    private void show(FunctionId id, JsonNode canary) {
        String state = canary.path("state").asString();
        cli.data()
                .printf(
                        "%s: version %d on trial, version %d deployed, %d of 1024 vbuckets, %s%n",
                        id,
                        canary.path("version").asLong(),
                        canary.path("stable_version").asLong(),
                        canary.path("vbuckets").asInt(),
                        state.replace('_', ' '));
        if (canary.has("reason")) {
            cli.data().println(canary.path("reason").asString());
        }
        if (canary.has("canary")) {
            cli.data().printf("%-8s %10s %10s %8s %12s %12s", "", "handled", "failed", "errors", "mean us", "p99 us");
            EFFECTS.forEach(effect -> cli.data().printf(" %10s", effect));
            cli.data().println();
            for (String side : new String[] {"canary", "stable"}) {
                JsonNode counted = canary.path(side);
                cli.data()
                        .printf(
                                "%-8s %10d %10d %7.1f%% %12d %12d",
                                side,
                                counted.path("handled").asLong(),
                                counted.path("failed").asLong(),
                                100 * counted.path("error_rate").asDouble(),
                                counted.path("mean_micros").asLong(),
                                counted.path("p99_micros").asLong());
                EFFECTS.forEach(effect -> cli.data()
                        .printf(" %10d", counted.path("effects").path(effect).asLong()));
                cli.data().println();
            }
        }
    }

    @Command(
            name = "promote",
            description = "lets the canary of a function handle all changes, and waits until it does")
    static final class Promote implements Callable<Integer> {

        private final Cli cli;

        @Parameters(index = "0", paramLabel = "NAME", description = "the function")
        private String name = "";

        @Option(
                names = {"-m", "--note"},
                paramLabel = "TEXT",
                description = "why")
        private String note = "";

        Promote(Cli cli) {
            this.cli = cli;
        }

        @Override
        public Integer call() {
            FunctionId id = FunctionId.parse(name);
            try (FunctionServer server = cli.server()) {
                long version =
                        server.endCanary(id, "promote", note).path("version").asLong();
                server.await(id, "deployed");
                cli.data().printf("%s is at version %d%n", id, version);
                return ExitCode.OK;
            }
        }
    }
}
