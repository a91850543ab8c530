package io.millrace.launcher.users;

import io.millrace.launcher.users.AccountCommands.Cli;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

@Command(name = "rm", description = "deletes a user, who is logged out everywhere")
final class UserRemoveCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(paramLabel = "USER", description = "the user")
    private String user = "";

    UserRemoveCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        try (Accounts accounts = cli.accounts()) {
            accounts.existing(user);
            accounts.delete(user);
            cli.talk().println("Deleted the user " + user + ".");
            return ExitCode.OK;
        }
    }
}
