package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResetCommandTest {

    @TempDir
    Path directory;

    private Path data;
    private Printed command;

    @BeforeEach
    void documents() throws IOException {
        data = Files.createDirectories(directory.resolve("data"));
        Files.writeString(data.resolve("suite.lock"), "");
        Files.writeString(data.resolve("documents"), "x");
        command = new Printed(directory, Map.of());
    }

    @Test
    void reset_withTheNameTyped_deletesTheData() {
        assertThat(command.reset("data\n", "--json")).isZero();

        assertThat(data).doesNotExist();
        assertThat(command.talk()).contains("Type data to confirm");
        assertThat(command.data()).isEqualTo("{\"data\":\"" + data + "\",\"deleted\":true}\n");
    }

    @Test
    void reset_withAnotherAnswerOrNone_deletesNothing() {
        assertThat(command.reset("yes\n")).isEqualTo(1);
        assertThat(command.talk()).contains("Nothing was deleted: the name of the data directory is data, not yes");

        assertThat(command.reset("")).isEqualTo(1);
        assertThat(command.talk()).contains("confirm with --confirm data");

        assertThat(data.resolve("documents")).exists();
    }

    @Test
    void reset_confirmedByOption_asksNothing() {
        assertThat(command.reset("", "--confirm", "data")).isZero();

        assertThat(command.talk()).doesNotContain("Type");
        assertThat(data).doesNotExist();
    }

    @Test
    void reset_ofARunningSuite_isRefused() throws IOException {
        Files.writeString(data.resolve("suite.json"), """
            {"pid": %d, "since": "%s", "ready": true, "services": {"ui-gateway": "http://127.0.0.1:8180"},
             "sdk": "", "redis": "", "logs": ""}
            """.formatted(
                        ProcessHandle.current().pid(), Instant.now()));

        assertThat(command.reset("data\n")).isEqualTo(1);

        assertThat(command.talk())
                .contains("Millrace runs at http://127.0.0.1:8180")
                .contains("./millrace stop");
        assertThat(data.resolve("documents")).exists();
    }

    @Test
    void reset_ofADirectoryThatMillraceDidNotMake_isRefused() throws IOException {
        Files.delete(data.resolve("suite.lock"));

        assertThat(command.reset("data\n")).isEqualTo(1);

        assertThat(data.resolve("documents")).exists();
    }
}
