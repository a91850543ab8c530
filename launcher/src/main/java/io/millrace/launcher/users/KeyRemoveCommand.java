package io.millrace.launcher.users;

import io.millrace.launcher.users.AccountCommands.Cli;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

@Command(name = "rm", description = "deletes an API key, which stops working at once")
final class KeyRemoveCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(paramLabel = "ID", description = "the id of the key, as './millrace key list' prints it")
    private String id = "";

    KeyRemoveCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        try (Accounts accounts = cli.accounts()) {
            accounts.deleteKey(id);
            cli.talk().println("Deleted the API key " + id + ".");
            return ExitCode.OK;
        }
    }
}
