package io.millrace.launcher.functions;

import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "logs", description = "shows the log of a function, of all nodes")
final class LogCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(paramLabel = "NAME", description = "the function")
    private String name = "";

    @Option(
            names = {"-f", "--follow"},
            description = "goes on with new lines until Ctrl-C")
    private boolean follow;

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            description = "how many lines to show (default: 100)")
    private int lines = 100;

    LogCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() throws IOException {
        FunctionId id = FunctionId.parse(name);
        try (FunctionServer server = cli.server()) {
            server.log(id, lines).forEach(cli.data()::println);
            if (follow) {
                new LogStream(server.follow(id)).forEach(cli.data()::println);
            }
            return ExitCode.OK;
        }
    }
}
