package io.millrace.eventing.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrecedenceTest {

    private static final int MORE = 5;

    /** Without a command, it prints the niceness with which it runs. */
    private static final List<String> NICE = List.of("nice");

    @Test
    void process_startsWithItsNiceness() throws IOException {
        int own = niceness(NICE);

        assertThat(niceness(Precedence.of(MORE, NICE))).isEqualTo(Math.min(own + MORE, Precedence.MOST));
        assertThat(niceness(Precedence.of(0, NICE))).isEqualTo(own);
    }

    @Test
    void systemWithoutTheProgram_isRecognized(@TempDir Path empty) {
        assertThat(Precedence.nice(empty.toString())).isEmpty();
        assertThat(Precedence.nice("")).isEmpty();
    }

    private static int niceness(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Integer.parseInt(printed.strip());
    }
}
