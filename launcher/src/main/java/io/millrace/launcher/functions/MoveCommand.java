package io.millrace.launcher.functions;

import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
            server.move(id, request);
            server.await(id, state);
            cli.data().println(id + " is " + state);
            return ExitCode.OK;
        }
    }
}
