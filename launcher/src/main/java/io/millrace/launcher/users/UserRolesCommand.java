package io.millrace.launcher.users;

import io.millrace.launcher.users.AccountCommands.Cli;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "roles",
        description = {"sets the roles of a user, or prints them", "They count from the user's next request on."})
final class UserRolesCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(index = "0", paramLabel = "USER", description = "the user")
    private String user = "";

    @Parameters(index = "1..*", paramLabel = "ROLE", description = "all roles that the user has afterwards")
    private List<String> roles = new ArrayList<>();

    @Option(names = "--none", description = "takes all roles away")
    private boolean none;

    UserRolesCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        try (Accounts accounts = cli.accounts()) {
            if (!roles.isEmpty() || none) {
                accounts.existing(user);
                accounts.patch(user, Map.of("roles", none ? "" : String.join(",", roles)));
            }
            cli.data().println(Accounts.roles(accounts.existing(user)));
            return ExitCode.OK;
        }
    }
}
