package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.functions.FunctionCommands.Cli;
import io.millrace.launcher.packages.PackageBundle;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

@Command(
        name = "library",
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "works on libraries: JavaScript modules that functions import from 'NAME@VERSION'",
            "A version never changes once it is saved."
        })
final class LibraryCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private LibraryCommand() {}

    static CommandLine of(Cli cli) {
        return new CommandLine(new LibraryCommand())
                .addSubcommand(new Put(cli))
                .addSubcommand(new Bundle(cli))
                .addSubcommand(new ListAll(cli))
                .addSubcommand(new Show(cli))
                .addSubcommand(new Remove(cli));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command was given");
    }

    @Command(name = "put", description = "saves a version of a library")
    private static final class Put implements Callable<Integer> {

        private final Cli cli;

        @Parameters(index = "0", paramLabel = "NAME@VERSION", description = "the library")
        private String id = "";

        @Parameters(index = "1", paramLabel = "FILE", description = "the module")
        private Path file = Path.of("");

        Put(Cli cli) {
            this.cli = cli;
        }

        @Override
        public Integer call() {
            String code = FunctionDirectory.text(file);
            try (FunctionServer server = cli.server()) {
                server.saveLibraries(Map.of(id, code));
                cli.talk().println(id + " is saved");
                return ExitCode.OK;
            }
        }
    }

    @Command(
            name = "bundle",
            description = {
                "saves packages of npm as a version of a library",
                "Makes one module of a directory with package.json, package-lock.json and installed packages, by the"
                        + " esbuild that is one of them."
            })
    private static final class Bundle implements Callable<Integer> {

        private final Cli cli;

        @Parameters(index = "0", paramLabel = "NAME@VERSION", description = "the library")
        private String id = "";

        @Parameters(index = "1", paramLabel = "DIR", description = "the directory with package.json")
        private Path directory = Path.of("");

        Bundle(Cli cli) {
            this.cli = cli;
        }

        @Override
        public Integer call() {
            String code = PackageBundle.of(directory);
            try (FunctionServer server = cli.server()) {
                server.saveLibraries(Map.of(id, code));
                cli.talk().println(id + " is saved, with " + code.length() + " characters");
                return ExitCode.OK;
            }
        }
    }

    @Command(name = "list", description = "lists all versions of all libraries, and what imports them")
    private static final class ListAll implements Callable<Integer> {

        private final Cli cli;

        @Option(names = "--json", description = "prints each version as one line of JSON")
        private boolean json;

        ListAll(Cli cli) {
            this.cli = cli;
        }

        @Override
        public Integer call() {
            try (FunctionServer server = cli.server()) {
                List<JsonNode> all = server.libraries();
                for (JsonNode library : all) {
                    if (json) {
                        cli.data().println(library);
                    } else {
                        cli.data().println(line(library));
                    }
                }
                if (all.isEmpty()) {
                    cli.talk().println("There are no libraries; './millrace fn library put' saves one.");
                }
                return ExitCode.OK;
            }
        }

        private static String line(JsonNode library) {
            String users = library.path("used_by")
                    .valueStream()
                    .map(JsonNode::asString)
                    .collect(Collectors.joining(", "));
            return "%-30s %s"
                    .formatted(FunctionServer.libraryId(library), users.isEmpty() ? "not used" : "used by " + users);
        }
    }

    @Command(name = "show", description = "prints the code of a library")
    private static final class Show implements Callable<Integer> {

        private final Cli cli;

        @Parameters(index = "0", paramLabel = "NAME@VERSION", description = "the library")
        private String id = "";

        Show(Cli cli) {
            this.cli = cli;
        }

        @Override
        public Integer call() {
            try (FunctionServer server = cli.server()) {
                cli.data().println(server.library(id));
                return ExitCode.OK;
            }
        }
    }

    @Command(name = "rm", description = "deletes a version that nothing imports")
    private static final class Remove implements Callable<Integer> {

        private final Cli cli;

        @Parameters(index = "0", paramLabel = "NAME@VERSION", description = "the library")
        private String id = "";

        Remove(Cli cli) {
            this.cli = cli;
        }

        @Override
        public Integer call() {
            try (FunctionServer server = cli.server()) {
                server.deleteLibrary(id);
                return ExitCode.OK;
            }
        }
    }
}
