package io.millrace.launcher.command;

import io.millrace.audit.Verification;
import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

@Command(
        name = "audit",
        description = {
            "checks the audit trails: whether lines were changed or are missing",
            "Prints the number of lines of each trail and the hash of the last one. Keep the hash elsewhere: lines that"
                    + " are cut off at the end show only in comparison with it. The exit status is 1 if a trail is not"
                    + " as it was written."
        })
final class AuditCommand implements Callable<Integer> {

    private enum Action {
        VERIFY;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Workspace workspace;
    private final Output output;

    @Parameters(index = "0", paramLabel = "ACTION", description = "${COMPLETION-CANDIDATES}")
    private Action action = Action.VERIFY;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DIRECTORY",
            description = "where the trails are; by default audit in the log directory")
    private @Nullable Path directory;

    AuditCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() {
        Path place = directory == null ? workspace.logs().resolve("audit") : directory;
        try {
            List<Path> trails = Files.isDirectory(place) ? Verification.trails(place) : List.of();
            if (trails.isEmpty()) {
                throw new LauncherException("There is no audit trail in " + place
                        + "; name the directory, or start Millrace with './millrace up'");
            }
            boolean sound = true;
            for (Path trail : trails) {
                Verification result = Verification.of(trail);
                sound &= result.defect() == null;
                output.data()
                        .println(place.relativize(trail)
                                + (result.defect() == null
                                        ? ": " + result.lines() + " lines, last hash " + result.head()
                                        : ": NOT SOUND: " + result.defect()));
            }
            return sound ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (IOException e) {
            throw new LauncherException("Cannot read the audit trails in " + place + ": " + e.getMessage(), e);
        }
    }
}
