package io.millrace.launcher.functions;

import io.millrace.launcher.gateway.GatewayClient;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The command {@code fn} with its subcommands. */
public final class FunctionCommands {

    /**
     * What the commands work with.
     *
     * @param connection opens a connection to the running suite
     * @param trials runs functions without a suite
     * @param data standard output: what the command was asked for
     * @param talk standard error: everything else
     * @param style whether data is coloured
     */
    record Cli(Supplier<GatewayClient> connection, Trials trials, PrintStream data, PrintStream talk, Ansi style) {

        FunctionServer server() {
            return new FunctionServer(connection.get());
        }

        /** Prints what the server warns of. */
        void warn(FunctionId id, List<String> warnings) {
            warnings.forEach(warning -> talk.println(id + ": " + warning));
        }
    }

    /** Runs functions on documents in memory. */
    @FunctionalInterface
    interface Trials {

        /**
         * Runs functions and passes on each result.
         *
         * @param arguments what to do: {@code test DIR...} or {@code run DIR}
         * @param input for {@code run} the steps, as JSON
         */
        void run(List<String> arguments, String input, Consumer<JsonNode> results);
    }

    @Command(
            name = "fn",
            synopsisSubcommandLabel = "COMMAND",
            description = {
                "works on functions: as directories of files, and in a running suite",
                "A function is a directory with handler.js or handler.ts, function.json (bindings and settings) and tests/*.json."
            })
    private static final class Root implements Runnable {

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public void run() {
            throw new ParameterException(spec.commandLine(), "no command was given");
        }
    }

    private FunctionCommands() {}

    /**
     * Returns the command; see {@link Cli} for the other parameters.
     *
     * @param workerHome returns the directory of the worker
     */
    public static CommandLine of(
            Supplier<GatewayClient> connection,
            Supplier<Path> workerHome,
            PrintStream data,
            PrintStream talk,
            Ansi style) {
        return of(new Cli(
                connection,
                (arguments, input, results) -> new TrialProgram(workerHome.get()).run(arguments, input, results),
                data,
                talk,
                style));
    }

    static CommandLine of(Cli cli) {
        return new CommandLine(new Root())
                .addSubcommand(new NewCommand(cli))
                .addSubcommand(new ListCommand(cli))
                .addSubcommand(new ShowCommand(cli))
                .addSubcommand(new ListCommand.Graph(cli))
                .addSubcommand(LibraryCommand.of(cli))
                .addSubcommand(new DiffCommand(cli))
                .addSubcommand(new DeployCommand(cli))
                .addSubcommand(new DeployCommand.Swap(cli))
                .addSubcommand(new DevCommand(cli))
                .addSubcommand(new TestCommand(cli))
                .addSubcommand(new RunCommand(cli))
                .addSubcommand(new DebugCommand(cli))
                .addSubcommand(new LogCommand(cli))
                .addSubcommand(new LogCommand.Trace(cli))
                .addSubcommand(new CanaryCommand(cli))
                .addSubcommand(new CanaryCommand.Promote(cli))
                .addSubcommand(new RunCommand.Replay(cli))
                .addSubcommand(new RollbackCommand(cli))
                .addSubcommand(new MoveCommand("pause", "stops a function and keeps its progress", "paused", cli))
                .addSubcommand(new MoveCommand("resume", "continues where the function was paused", "deployed", cli))
                .addSubcommand(new MoveCommand.Undeploy(cli))
                .addSubcommand(new RemoveCommand(cli))
                .addSubcommand(new ExportCommand(cli))
                .addSubcommand(new ExportCommand.Import(cli));
    }
}
