package io.millrace.launcher.users;

import io.millrace.launcher.gateway.GatewayClient;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands {@code user} and {@code key} with their subcommands. */
public final class AccountCommands {

    /** Asks for a password without showing it. */
    @FunctionalInterface
    public interface Prompt {

        /** Returns what was typed, or nothing if standard input is not a terminal. */
        Optional<String> ask(String question);
    }

    /**
     * What the commands work with.
     *
     * @param connection opens a connection to the running suite
     * @param data standard output: what the command was asked for
     * @param talk standard error: everything else
     * @param input standard input
     */
    public record Cli(
            Supplier<GatewayClient> connection, PrintStream data, PrintStream talk, InputStream input, Prompt prompt) {

        Accounts accounts() {
            return new Accounts(connection.get());
        }
    }

    @Command(
            name = "user",
            synopsisSubcommandLabel = "COMMAND",
            description = {
                "manages users and their roles",
                "Roles are spelled as in Couchbase: admin, data_reader[orders], data_writer[orders:shop:carts]."
            })
    private static final class Users implements Runnable {

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public void run() {
            throw new ParameterException(spec.commandLine(), "no command was given");
        }
    }

    @Command(
            name = "key",
            synopsisSubcommandLabel = "COMMAND",
            description = {
                "manages API keys, with which programs log in",
                "A program sends the token of its key as Authorization: Bearer TOKEN."
            })
    private static final class Keys implements Runnable {

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public void run() {
            throw new ParameterException(spec.commandLine(), "no command was given");
        }
    }

    private AccountCommands() {}

    /** Returns the command {@code user}. */
    public static CommandLine users(Cli cli) {
        return new CommandLine(new Users())
                .addSubcommand(new UserAddCommand(cli))
                .addSubcommand(new UserListCommand(cli))
                .addSubcommand(new UserPasswordCommand(cli))
                .addSubcommand(new UserRolesCommand(cli))
                .addSubcommand(new UserRemoveCommand(cli));
    }

    /** Returns the command {@code key}. */
    public static CommandLine keys(Cli cli) {
        return new CommandLine(new Keys())
                .addSubcommand(new KeyAddCommand(cli))
                .addSubcommand(new KeyListCommand(cli))
                .addSubcommand(new KeyRemoveCommand(cli));
    }
}
