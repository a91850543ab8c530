package io.millrace.launcher.functions;

import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
                                    "%-30s %-12s version %d%s%n",
                                    FunctionId.of(app),
                                    FunctionServer.statusOf(app),
                                    app.path("version").asLong(),
                                    app.has("failure")
                                            ? "  " + app.at("/failure/message").asString("")
                                            : "");
                }
            }
            if (all.isEmpty()) {
                cli.talk().println("There are no functions; './millrace fn new' creates one.");
            }
            return ExitCode.OK;
        }
    }

    /** The command {@code fn graph}. */
    @Command(
            name = "graph",
            description = {
                "shows what functions read, write, call, publish and import, and which of them wake which others",
                "Each function stands before those that wake it: that is the order to deploy them in."
            })
    static final class Graph implements Callable<Integer> {

        private static final List<String> RELATIONS =
                List.of("reads", "writes", "calls", "publishes", "imports", "wakes");

        private final Cli cli;

        @Option(names = "--json", description = "prints the graph as JSON")
        private boolean json;

        Graph(Cli cli) {
            this.cli = cli;
        }

        @Override
        public Integer call() {
            try (FunctionServer server = cli.server()) {
                JsonNode graph = server.dependencies();
                if (json) {
                    cli.data().println(graph);
                } else {
                    print(graph);
                }
                return ExitCode.OK;
            }
        }

        private void print(JsonNode graph) {
            Map<String, JsonNode> functions = new HashMap<>();
            graph.path("functions")
                    .forEach(function -> functions.put(FunctionId.of(function).toString(), function));
            for (JsonNode name : graph.path("deploy_order")) {
                print(name.asString(), Objects.requireNonNull(functions.get(name.asString())));
            }
            for (JsonNode cycle : graph.path("cycles")) {
                cli.talk().println("These functions wake each other: " + list(cycle));
            }
            if (functions.isEmpty()) {
                cli.talk().println("There are no functions; './millrace fn new' creates one.");
            }
        }

        private void print(String name, JsonNode function) {
            PrintStream out = cli.data();
            out.println(name + (function.path("deployed").asBoolean() ? "" : " (not deployed)"));
            out.printf("  %-7s %s%n", "source", function.path("source").asString());
            for (String relation : RELATIONS) {
                if (!function.path(relation).isEmpty()) {
                    out.printf("  %-7s %s%n", relation, list(function.path(relation)));
                }
            }
        }

        private static String list(JsonNode texts) {
            return texts.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "));
        }
    }
}
