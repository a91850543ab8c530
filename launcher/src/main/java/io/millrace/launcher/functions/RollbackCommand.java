package io.millrace.launcher.functions;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "rollback",
        description = {
            "makes a former version of a function the newest one",
            "A function that is deployed takes the version; this command waits for that. Without N, a function that has a"
                    + " canary is rid of that instead."
        })
final class RollbackCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(index = "0", paramLabel = "NAME", description = "the function")
    private String name = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "N", description = "the version (default: the one before)")
    private @Nullable Long version;

    @Option(
            names = {"-m", "--note"},
            paramLabel = "TEXT",
            description = "why")
    private String note = "";

    RollbackCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        FunctionId id = FunctionId.parse(name);
        try (FunctionServer server = cli.server()) {
            JsonNode app = server.state(id);
            if (version == null && app.has("canary_version")) {
                JsonNode ended = server.endCanary(id, "rollback", note);
                cli.data()
                        .printf(
                                "the canary of %s, version %d, is rolled back%n",
                                id, ended.path("version").asLong());
                return ExitCode.OK;
            }
            boolean runs = FunctionServer.statusOf(app).equals("deployed");
            long to = version == null ? before(server, id) : version;
            long made = server.rollBack(id, to, note);
            if (runs) {
                server.await(id, "deployed");
            }
            cli.data().printf("%s is at version %d, which is version %d again%n", id, made, to);
            return ExitCode.OK;
        }
    }

    /** Returns the version before the present one. A number between them may be that of a canary that was rolled back. */
    private static long before(FunctionServer server, FunctionId id) {
        JsonNode versions = server.versions(id, 2);
        if (versions.size() < 2) {
            throw new LauncherException(
                    id + " has no version before the present one; './millrace fn show " + id + "' lists its versions");
        }
        return versions.path(1).path("version").asLong();
    }
}
