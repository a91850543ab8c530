package io.millrace.launcher.users;

import io.millrace.launcher.users.AccountCommands.Cli;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "passwd", description = "sets the password of a user")
final class UserPasswordCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(paramLabel = "USER", description = "the user")
    private String user = "";

    @Mixin
    private PasswordSource password = new PasswordSource();

    UserPasswordCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        try (Accounts accounts = cli.accounts()) {
            accounts.existing(user);
            String secret = password.read(cli, user);
            accounts.patch(user, Map.of("password", secret));
            cli.talk().println("Set the password of " + user + ".");
            if (accounts.isOwn(user)) {
                cli.talk()
                        .println("Commands log in as " + user
                                + ": write the new password into the file with the login, data/login unless MILLRACE_LOGIN"
                                + " names another.");
            }
            if (password.generates()) {
                cli.data().println(secret);
            }
            return ExitCode.OK;
        }
    }
}
