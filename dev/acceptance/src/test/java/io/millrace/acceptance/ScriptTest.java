package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code ./millrace} where it builds and starts nothing. */
class ScriptTest {

    private record Result(int exit, String output) {}

    @Test
    void help_listsTheCommands() throws Exception {
        Result help = run(Map.of(), "help");

        assertThat(help.exit()).isZero();
        assertThat(help.output()).contains("up", "demo", "load FILE BUCKET", "test", "bench");
    }

    @Test
    void anUnknownCommand_isAUsageError() throws Exception {
        Result result = run(Map.of(), "frobnicate");

        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.output()).contains("unknown command: frobnicate", "usage: ./millrace");
    }

    @Test
    void noCommand_isAUsageError() throws Exception {
        assertThat(run(Map.of()).exit()).isEqualTo(2);
    }

    @Test
    void load_withoutItsArguments_isAUsageError() throws Exception {
        assertThat(run(Map.of(), "load", "file").exit()).isEqualTo(2);
    }

    @Test
    void version_isThatOfTheBuild() throws Exception {
        Result version = run(Map.of(), "--version");

        assertThat(version.exit()).isZero();
        assertThat(version.output()).matches("millrace \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n");
    }

    @Test
    void aJavaHomeThatIsNone_isSaid() throws Exception {
        Result result = run(Map.of("MILLRACE_JAVA_HOME", "/nowhere"), "up");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.output()).contains("MILLRACE_JAVA_HOME=/nowhere is no JDK 21 or newer");
    }

    private static Result run(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("bash", Path.of("millrace").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(Repository.ROOT.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }
}
