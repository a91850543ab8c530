package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "import", description = "saves functions of directories without deploying them; 'deploy' does both")
final class ImportCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(arity = "1..*", paramLabel = "DIR", description = "directories of functions")
    private List<Path> directories = new ArrayList<>();

    ImportCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        try (FunctionServer server = cli.server()) {
            for (Path directory : directories) {
                ObjectNode definition = new FunctionDirectory(directory).definition();
                FunctionId id = FunctionId.of(definition);
                server.save(id, definition, "").forEach(warning -> cli.talk().println(id + ": " + warning));
                cli.data().println(id);
            }
            return ExitCode.OK;
        }
    }
}
