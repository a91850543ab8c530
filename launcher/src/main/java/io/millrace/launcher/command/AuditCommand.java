package io.millrace.launcher.command;

import io.millrace.audit.Comparison;
import io.millrace.audit.Verification;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.Plural;
import io.millrace.launcher.gateway.GatewayClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

@Command(
        name = "audit",
        description = {
            "checks the audit trails: whether lines were changed or are missing",
            "While Millrace runs, or with MILLRACE_URL, it compares each file with the copy of its lines in the stream"
                    + " of all trails, and names those that are missing, altered or added.",
            "Prints the number of lines of each trail and the hash of the last one. Keep the hash elsewhere: lines that"
                    + " are cut off at the end of both show only in comparison with it. The exit status is 1 if a trail"
                    + " is not as it was written."
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
            return verify(place, trails) ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (IOException e) {
            throw new LauncherException("Cannot read the audit trails in " + place + ": " + e.getMessage(), e);
        }
    }

    private boolean verify(Path place, List<Path> trails) throws IOException {
        boolean sound = true;
        for (Path trail : trails) {
            Verification result = Verification.of(trail);
            sound &= result.defect() == null;
            output.data()
                    .println(place.relativize(trail)
                            + (result.defect() == null
                                    ? ": " + Plural.of(result.lines(), "line") + ", last hash " + result.head()
                                    : ": NOT SOUND: " + result.defect()));
        }
        if (workspace.running().isEmpty() && workspace.given("MILLRACE_URL") == null) {
            output.talk().println("Millrace is not running here: the files were not compared with the stream.");
            return sound;
        }
        try (GatewayClient gateway = workspace.connect()) {
            return compare(place, trails, new CopiedTrails(gateway)) && sound;
        }
    }

    private boolean compare(Path place, List<Path> trails, CopiedTrails stream) throws IOException {
        Map<String, Long> unseen = new TreeMap<>(stream.sequences());
        boolean sound = true;
        for (Path trail : trails) {
            String name = Comparison.trail(trail).orElse("");
            if (unseen.remove(name) == null) {
                output.data().println(place.relativize(trail) + ": no line is in the stream yet");
                continue;
            }
            Comparison result = Comparison.of(trail, stream.lines(name));
            result.differences()
                    .forEach(
                            what -> output.data().println(place.relativize(trail) + ": NOT AS IN THE STREAM: " + what));
            sound &= result.differences().isEmpty();
            output.data()
                    .println("%s: %s as in the stream, %d not copied yet"
                            .formatted(place.relativize(trail), Plural.of(result.equal(), "line"), result.notCopied()));
        }
        unseen.forEach((name, lines) -> output.data()
                .println(name + ": line " + lines + " is in the stream, and no file of this trail is here"));
        return sound && (unseen.isEmpty() || directory != null);
    }
}
