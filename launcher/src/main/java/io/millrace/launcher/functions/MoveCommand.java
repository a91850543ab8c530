package io.millrace.launcher.functions;

import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Requests a transition of a function and waits for it. */
@Command
final class MoveCommand implements Callable<Integer> {

    private final String request;
    private final String description;
    private final String state;
    private final Cli cli;

    @Parameters(paramLabel = "NAME", description = "the function")
    private String name = "";

    /** @param state in which the function ends */
    MoveCommand(String request, String description, String state, Cli cli) {
        this.request = request;
        this.description = description;
        this.state = state;
        this.cli = cli;
    }

    @Spec
    void spec(CommandSpec spec) {
        spec.name(request).usageMessage().description(description);
    }

    @Override
    public Integer call() {
        FunctionId id = FunctionId.parse(name);
        try (FunctionServer server = cli.server()) {
            cli.warn(id, server.move(id, request));
            server.await(id, state);
            cli.data().println(id + " is " + state);
            return ExitCode.OK;
        }
    }

    /** The command {@code fn undeploy}. */
    @Command(
            name = "undeploy",
            description = {
                "stops a function and discards its progress",
                "With --all, a function is undeployed before those that its writes wake."
            })
    static final class Undeploy implements Callable<Integer> {

        private final Cli cli;

        @ArgGroup(multiplicity = "1")
        private Wanted wanted = new Wanted();

        /** One function, or all. */
        static final class Wanted {

            @Parameters(paramLabel = "NAME", description = "the function")
            private String name = "";

            @Option(names = "--all", description = "undeploys all functions")
            private boolean all;
        }

        Undeploy(Cli cli) {
            this.cli = cli;
        }

        @Override
        public Integer call() {
            try (FunctionServer server = cli.server()) {
                List<FunctionId> functions =
                        wanted.all ? deployed(server.dependencies()) : List.of(FunctionId.parse(wanted.name));
                for (FunctionId id : functions) {
                    cli.warn(id, server.undeploy(id));
                    cli.data().println(id + " is undeployed");
                }
                if (functions.isEmpty()) {
                    cli.talk().println("No function is deployed.");
                }
                return ExitCode.OK;
            }
        }

        /** Returns the functions that are deployed, each before those that it wakes. */
        private static List<FunctionId> deployed(JsonNode graph) {
            List<String> running = graph.path("functions")
                    .valueStream()
                    .filter(function -> function.path("deployed").asBoolean())
                    .map(function -> FunctionId.of(function).toString())
                    .toList();
            List<String> order = new ArrayList<>(graph.path("deploy_order")
                    .valueStream()
                    .map(JsonNode::asString)
                    .toList());
            order.retainAll(running);
            return order.reversed().stream().map(FunctionId::parse).toList();
        }
    }
}
