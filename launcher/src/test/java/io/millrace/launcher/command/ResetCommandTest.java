package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
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

        assertThat(data.toFile().list()).containsExactly("suite.lock");
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
        assertThat(data.toFile().list()).containsExactly("suite.lock");
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
    void reset_ofADirectoryThatAnotherProcessHasLocked_isRefused() throws Exception {
        Path lock = data.resolve("suite.lock");
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        lock.toString())
                .start();
        try (BufferedReader said = holder.inputReader()) {
            assertThat(said.readLine()).isEqualTo("locked");

            assertThat(command.reset("", "--confirm", "data")).isEqualTo(1);
        } finally {
            holder.destroyForcibly().waitFor();
        }

        assertThat(command.talk()).contains("in use by another suite").contains("./millrace stop");
        assertThat(data.resolve("documents")).exists();
        assertThat(command.reset("", "--confirm", "data")).as("after its end").isZero();
    }

    /** Locks the file {@code arguments[0]} until it is killed. */
    static final class LockHolder {

        private LockHolder() {}

        public static void main(String... arguments) throws Exception {
            Path file = Path.of(arguments[0]);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.lock();
                channel.write(StandardCharsets.UTF_8.encode("another suite"));
                System.out.println("locked");
                new CountDownLatch(1).await();
            }
        }
    }

    @Test
    void reset_ofADirectoryThatMillraceDidNotMake_isRefused() throws IOException {
        Files.delete(data.resolve("suite.lock"));

        assertThat(command.reset("data\n")).isEqualTo(1);

        assertThat(data.resolve("documents")).exists();
    }
}
