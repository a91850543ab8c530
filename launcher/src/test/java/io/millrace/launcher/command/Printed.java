package io.millrace.launcher.command;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Runs one command and keeps what it prints. */
final class Printed {

    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private final ByteArrayOutputStream talk = new ByteArrayOutputStream();
    private final Workspace workspace;

    Printed(Path root, Map<String, String> environment) {
        this.workspace = new Workspace(root, environment);
    }

    interface Maker {
        Callable<Integer> make(Workspace workspace, Output output);
    }

    int run(Maker maker, String... arguments) {
        data.reset();
        talk.reset();
        Output output = new Output(new PrintStream(data, true), new PrintStream(talk, true), Ansi.OFF, Ansi.OFF, 80);
        return new CommandLine(maker.make(workspace, output))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(Commands.of(workspace, output).getExecutionExceptionHandler())
                .execute(arguments);
    }

    int reset(String answer, String... arguments) {
        return run(
                (from, output) -> new ResetCommand(
                        from, output, new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8))),
                arguments);
    }

    String data() {
        return data.toString(StandardCharsets.UTF_8);
    }

    String talk() {
        return talk.toString(StandardCharsets.UTF_8);
    }
}
