package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.audit.AuditEvent;
import io.millrace.audit.AuditKinds;
import io.millrace.audit.AuditTrail;
import io.millrace.audit.FileSink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditCommandTest {

    @TempDir
    Path directory;

    private Path trail() throws Exception {
        Path logs = directory.resolve("logs").resolve("audit");
        AuditEvent.Actor actor = new AuditEvent.Actor("alice", "local", "basic", "10.0.0.7:1");
        try (AuditTrail trail = new AuditTrail("eventing", InstantSource.system(), List.of(FileSink.in(logs, "x")))) {
            for (int i = 0; i < 3; i++) {
                trail.record(AuditEvent.allowed(AuditKinds.FUNCTION_SAVE, actor, "f" + i, "r"))
                        .get(60, TimeUnit.SECONDS);
            }
        }
        return logs.resolve("audit-x.jsonl");
    }

    @Test
    void trail_thatIsSound_isCounted() throws Exception {
        trail();
        Printed command = new Printed(directory, Map.of());

        assertThat(command.run(AuditCommand::new, "verify")).isZero();
        assertThat(command.data()).matches("audit-x\\.jsonl: 3 lines, last hash [0-9a-f]{64}\n");
    }

    @Test
    void trail_thatWasChanged_failsWithItsLine() throws Exception {
        Path trail = trail();
        Files.writeString(trail, Files.readString(trail).replace("\"f1\"", "\"f9\""));
        Printed command = new Printed(directory, Map.of());

        assertThat(command.run(AuditCommand::new, "verify")).isEqualTo(1);
        assertThat(command.data()).contains("audit-x.jsonl: NOT SOUND: audit-x.jsonl line 2: it was changed");
    }

    @Test
    void trailsOfSeveralContainers_areEachCounted() throws Exception {
        trail();
        Path audit = directory.resolve("logs").resolve("audit");
        Files.createDirectories(audit.resolve("node-1"));
        Files.copy(audit.resolve("audit-x.jsonl"), audit.resolve("node-1/audit-x.jsonl"));
        Printed command = new Printed(directory, Map.of());

        assertThat(command.run(AuditCommand::new, "verify")).isZero();
        assertThat(command.data()).containsSubsequence("audit-x.jsonl: 3 lines", "node-1/audit-x.jsonl: 3 lines");
    }

    @Test
    void directoryWithoutTrails_isRefused() {
        assertThat(new Printed(directory, Map.of()).run(AuditCommand::new, "verify"))
                .isEqualTo(1);
    }
}
