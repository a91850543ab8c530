package io.millrace.launcher.functions;

import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "list", description = "lists the functions with state and version")
final class ListCommand implements Callable<Integer> {

    private final Cli cli;

    @Option(names = "--json", description = "prints each function as one line of JSON")
    private boolean json;

    ListCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        try (FunctionServer server = cli.server()) {
            List<JsonNode> all = server.all();
            for (JsonNode app : all) {
                if (json) {
                    cli.data().println(app);
                } else {
                    cli.data()
                            .printf(
                                    "%-30s %-12s version %-4d %s%n",
                                    FunctionId.of(app),
                                    FunctionServer.statusOf(app),
                                    app.path("version").asLong(),
                                    app.at("/failure/message").asString(""));
                }
            }
            if (all.isEmpty()) {
                cli.talk().println("There are no functions; './millrace fn new' creates one.");
            }
            return ExitCode.OK;
        }
    }
}
