package io.millrace.launcher.users;

import io.millrace.launcher.NumberBetween;
import io.millrace.launcher.users.AccountCommands.Cli;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "add",
        description = {
            "creates an API key and prints its token",
            "The token is printed once; only its hash is stored. For example: ./millrace key add 'nightly load'"
                    + " data_writer[orders] --days 90"
        })
final class KeyAddCommand implements Callable<Integer> {

    private static final class Days extends NumberBetween {
        Days() {
            super(1, 36_500);
        }
    }

    private final Cli cli;

    @Parameters(index = "0", paramLabel = "DESCRIPTION", description = "what the key is for")
    private String description = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "ROLE", description = "the roles of the key")
    private List<String> roles = new ArrayList<>();

    @Option(
            names = "--days",
            paramLabel = "DAYS",
            converter = Days.class,
            description = "after how many days it stops working; by default never")
    private @Nullable Integer days;

    KeyAddCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        ObjectNode wanted = Accounts.object().put("description", description);
        ArrayNode array = wanted.putArray("roles");
        roles.forEach(array::add);
        if (days != null) {
            wanted.put(
                    "expires",
                    Clock.systemUTC()
                            .instant()
                            .plus(Duration.ofDays(days))
                            .truncatedTo(ChronoUnit.SECONDS)
                            .toString());
        }
        try (Accounts accounts = cli.accounts()) {
            JsonNode key = accounts.createKey(wanted);
            cli.talk()
                    .println("Created the API key " + key.path("id").asString() + " with " + String.join(" ", roles)
                            + ". Its token is not shown again:");
            cli.data().println(key.path("token").asString());
            return ExitCode.OK;
        }
    }
}
