package io.millrace.launcher.users;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.users.AccountCommands.Cli;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "add",
        description = {
            "creates a user",
            "For example: ./millrace user add ann data_reader[orders] data_writer[orders:shop]"
        })
final class UserAddCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(index = "0", paramLabel = "USER", description = "the name with which the user logs in")
    private String user = "";

    @Parameters(index = "1..*", paramLabel = "ROLE", description = "the roles; a user without roles may do nothing")
    private List<String> roles = new ArrayList<>();

    @Option(names = "--name", paramLabel = "NAME", description = "the name for people")
    private String name = "";

    @Mixin
    private PasswordSource password = new PasswordSource();

    UserAddCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        try (Accounts accounts = cli.accounts()) {
            if (accounts.find(user).isPresent()) {
                throw new LauncherException("There is a user " + user + " already; './millrace user roles' and"
                        + " './millrace user passwd' change it");
            }
            String secret = password.read(cli, user);
            accounts.put(user, Map.of("name", name, "roles", String.join(",", roles), "password", secret));
            cli.talk()
                    .println("Created the user " + user
                            + (roles.isEmpty() ? " without roles." : " with " + String.join(" ", roles) + "."));
            if (password.generates()) {
                cli.data().println(secret);
            }
            return ExitCode.OK;
        }
    }
}
