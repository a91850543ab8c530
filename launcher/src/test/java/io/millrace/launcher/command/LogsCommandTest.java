package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsCommandTest {

    @TempDir
    Path directory;

    private Path logs;
    private Printed command;

    @BeforeEach
    void logs() throws IOException {
        logs = Files.createDirectories(directory.resolve("logs"));
        command = new Printed(directory, Map.of());
    }

    @Test
    void lines_ofAllLogs_areInTheOrderOfTime() throws IOException {
        Files.writeString(
                logs.resolve("services.log"), "banner\ntime=2026-01-01T00:00:01Z a\ntime=2026-01-01T00:00:03Z c\n");
        Files.writeString(
                logs.resolve("launcher.log"),
                "time=2026-01-01T00:00:02Z b\n\tat its.stack.trace\ntime=2026-01-01T00:00:04Z incomplete");

        assertThat(command.run(LogsCommand::new)).isZero();

        assertThat(command.data().lines())
                .containsExactly(
                        "services         banner",
                        "services         time=2026-01-01T00:00:01Z a",
                        "launcher         time=2026-01-01T00:00:02Z b",
                        "launcher         \tat its.stack.trace",
                        "services         time=2026-01-01T00:00:03Z c");
    }

    @Test
    void lines_areLimited_andJsonNamesTheLog() throws IOException {
        Files.writeString(logs.resolve("services.log"), "time=1 a\ntime=2 b\ntime=3 \"c\"\n");

        assertThat(command.run(LogsCommand::new, "-n", "1", "--json", "services"))
                .isZero();

        assertThat(command.data()).isEqualTo("{\"log\":\"services\",\"line\":\"time=3 \\\"c\\\"\"}\n");
    }

    @Test
    void unknownLog_isRefusedWithTheNames() {
        assertThat(command.run(LogsCommand::new, "gateway")).isEqualTo(1);

        assertThat(command.talk()).contains("There is no log gateway; the logs are services, ");
    }

    @Test
    void logFile_goesOnWithWhatIsAdded_alsoAfterARotation() throws IOException {
        Path file = Files.writeString(logs.resolve("x.log"), "one\ntwo\nhal");
        LogFile log = new LogFile("x", file);

        assertThat(log.last(1)).extracting(LogFile.Line::text).containsExactly("two");
        assertThat(log.added()).isEmpty();
        Files.writeString(file, "f\nthree\n", StandardOpenOption.APPEND);
        assertThat(log.added()).extracting(LogFile.Line::text).containsExactly("half", "three");
        Files.writeString(file, "new\n");
        assertThat(log.added()).extracting(LogFile.Line::text).containsExactly("new");
    }
}
