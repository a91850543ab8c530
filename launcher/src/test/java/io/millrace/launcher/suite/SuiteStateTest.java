package io.millrace.launcher.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.launcher.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteStateTest {

    @TempDir
    Path directory;

    private Path data;

    @BeforeEach
    void running() throws IOException {
        data = Files.createDirectory(directory.resolve("data"));
        long pid = ProcessHandle.current().pid();
        new SuiteState(pid, Instant.now(), true, Map.of(), "", "", directory).write(data);
    }

    @Test
    void state_throughALinkToTheDirectory_isFound() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), data);

        assertThat(SuiteState.find(data)).isPresent();
        assertThat(SuiteState.find(link)).isPresent();
    }

    @Test
    void state_inACopyOfTheDirectory_isOfNoSuite() {
        Path copy = directory.resolve("copy");
        FileTree.copy(data, copy);

        assertThat(SuiteState.find(copy)).isEmpty();
    }

    @Test
    void state_thatACrashLeftEmpty_isOfNoSuite() throws IOException {
        Files.writeString(data.resolve("suite.json"), "");

        assertThat(SuiteState.find(data)).isEmpty();
    }
}
