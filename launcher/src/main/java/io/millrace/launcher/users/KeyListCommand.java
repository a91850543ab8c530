package io.millrace.launcher.users;

import io.millrace.launcher.users.AccountCommands.Cli;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "list", description = "lists the API keys with their roles, last use and expiry")
final class KeyListCommand implements Callable<Integer> {

    private final Cli cli;

    @Option(names = "--json", description = "prints each key as one line of JSON")
    private boolean json;

    KeyListCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        try (Accounts accounts = cli.accounts()) {
            List<JsonNode> keys = accounts.keys();
            for (JsonNode key : keys) {
                cli.data().println(json ? key.toString() : line(key));
            }
            if (keys.isEmpty()) {
                cli.talk().println("There are no API keys; './millrace key add' creates one.");
            }
            return ExitCode.OK;
        }
    }

    private static String line(JsonNode key) {
        return "%s  %s  %s, %s, %s"
                .formatted(
                        key.path("id").asString(),
                        key.path("description").asString(),
                        key.path("roles").valueStream().map(JsonNode::asString).collect(Collectors.joining(" ")),
                        key.has("last_use") ? "used " + key.path("last_use").asString() : "never used",
                        key.has("expires") ? "expires " + key.path("expires").asString() : "does not expire");
    }
}
