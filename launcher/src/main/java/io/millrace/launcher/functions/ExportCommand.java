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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "export",
        description = {
            "writes functions of the suite to directories below DIR",
            "handler.js or handler.ts, function.json, and the libraries that it imports in libraries/NAME@VERSION.js, are"
                    + " replaced, other files are left alone. Passwords and keys are masked; name"
                    + " secrets in the bindings instead."
        })
final class ExportCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(index = "0", paramLabel = "DIR", description = "the parent directory")
    private Path parent = Path.of("");

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "NAME", description = "the functions (default: all)")
    private List<String> names = new ArrayList<>();

    ExportCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        try (FunctionServer server = cli.server()) {
            List<FunctionId> wanted = names.isEmpty()
                    ? server.all().stream().map(FunctionId::of).toList()
                    : names.stream().map(FunctionId::parse).toList();
            if (wanted.isEmpty()) {
                cli.talk().println("There are no functions to export");
            }
            for (FunctionId id : wanted) {
                JsonNode definition = server.definition(id);
                Path path = parent.resolve(FunctionDirectory.nameOf(definition));
                FunctionDirectory directory = new FunctionDirectory(path);
                directory.write(definition.path("appcode").asString(), definition);
                directory.writeLibraries(server.librariesOf(id));
                directory.writeEditorFiles();
                cli.data().println(path);
            }
            return ExitCode.OK;
        }
    }

    /** The command {@code fn import}. */
    @Command(name = "import", description = "saves functions of directories without deploying them; 'deploy' does both")
    static final class Import implements Callable<Integer> {

        private final Cli cli;

        @Parameters(arity = "1..*", paramLabel = "DIR", description = "directories of functions")
        private List<Path> directories = new ArrayList<>();

        Import(Cli cli) {
            this.cli = cli;
        }

        @Override
        public Integer call() {
            try (FunctionServer server = cli.server()) {
                for (Path directory : directories) {
                    FunctionDirectory files = new FunctionDirectory(directory);
                    ObjectNode definition = files.definition();
                    server.saveLibraries(files.libraries());
                    FunctionId id = FunctionId.of(definition);
                    server.save(id, definition, "")
                            .forEach(warning -> cli.talk().println(id + ": " + warning));
                    cli.data().println(id);
                }
                return ExitCode.OK;
            }
        }
    }
}
