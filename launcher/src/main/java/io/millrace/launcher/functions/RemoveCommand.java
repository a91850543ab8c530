package io.millrace.launcher.functions;

import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "rm", description = "deletes an undeployed function with its versions and its log")
final class RemoveCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(paramLabel = "NAME", description = "the function")
    private String name = "";

    @Option(
            names = {"-f", "--force"},
            description = "undeploys it first, which discards its progress, its timers and its dead letters")
    private boolean force;

    RemoveCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        FunctionId id = FunctionId.parse(name);
        try (FunctionServer server = cli.server()) {
            if (force && !FunctionServer.statusOf(server.state(id)).equals("undeployed")) {
                cli.warn(id, server.undeploy(id));
            }
            cli.warn(id, server.delete(id));
            cli.data().println(id + " is deleted");
            return ExitCode.OK;
        }
    }
}
