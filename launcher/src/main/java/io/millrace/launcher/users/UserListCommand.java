package io.millrace.launcher.users;

import io.millrace.launcher.users.AccountCommands.Cli;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "list", description = "lists the users with their roles")
final class UserListCommand implements Callable<Integer> {

    private final Cli cli;

    @Option(names = "--json", description = "prints each user as one line of JSON")
    private boolean json;

    UserListCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        try (Accounts accounts = cli.accounts()) {
            for (JsonNode user : accounts.users()) {
                if (json) {
                    cli.data().println(user);
                } else {
                    cli.data().println("%-20s %s".formatted(user.path("id").asString(), Accounts.roles(user)));
                }
            }
            return ExitCode.OK;
        }
    }
}
