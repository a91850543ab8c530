package io.millrace.launcher.functions;

import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "show", description = "shows a function: state, versions, bindings, code")
final class ShowCommand implements Callable<Integer> {

    private static final int VERSIONS = 20;

    private final Cli cli;

    @Parameters(paramLabel = "NAME", description = "the function; bucket/scope/name if it has a function scope")
    private String name = "";

    @Option(
            names = {"-v", "--version"},
            paramLabel = "N",
            description = "shows a former version")
    private @Nullable Long version;

    @Option(names = "--code", description = "prints the code alone")
    private boolean code;

    @Option(names = "--json", description = "prints the definition as JSON")
    private boolean json;

    ShowCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        FunctionId id = FunctionId.parse(name);
        try (FunctionServer server = cli.server()) {
            JsonNode app = server.state(id);
            JsonNode definition = version == null
                    ? server.definition(id)
                    : server.version(id, version).path("definition");
            if (json) {
                cli.data().println(definition);
            } else if (code) {
                cli.data().println(definition.path("appcode").asString());
            } else {
                cli.data()
                        .printf(
                                "%s  %s  version %d%n",
                                id,
                                FunctionServer.statusOf(app),
                                version == null ? app.path("version").asLong() : version);
                versions(server.versions(id, VERSIONS));
                cli.data().println();
                cli.data().println(definition.path("depcfg").toPrettyString());
                cli.data().println();
                cli.data().println(definition.path("appcode").asString());
            }
            return ExitCode.OK;
        }
    }

    private void versions(JsonNode versions) {
        for (JsonNode row : versions) {
            String changed = String.join(
                    ", ",
                    row.path("changed").valueStream().map(JsonNode::asString).toList());
            cli.data()
                    .printf(
                            "  %-4d %s  %-12s %-24s %s%n",
                            row.path("version").asLong(),
                            row.path("time").asString().substring(0, 19),
                            row.path("author").asString(),
                            changed,
                            row.path("note").asString());
        }
    }
}
