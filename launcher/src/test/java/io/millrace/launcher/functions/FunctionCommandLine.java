package io.millrace.launcher.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.launcher.gateway.GatewayClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The command {@code millrace fn} with a suite that only stores functions. */
abstract class FunctionCommandLine {

    final FakeSuite suite = new FakeSuite();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private final ByteArrayOutputStream talk = new ByteArrayOutputStream();

    @TempDir
    Path home;

    @AfterEach
    void stop() {
        suite.close();
    }

    final int fn(String... arguments) {
        data.reset();
        talk.reset();
        PrintStream err = new PrintStream(talk, true, StandardCharsets.UTF_8);
        CommandLine line = FunctionCommands.of(
                () -> new GatewayClient(suite.url(), null),
                () -> home.resolve("worker"),
                new PrintStream(data, true, StandardCharsets.UTF_8),
                err,
                Ansi.OFF);
        line.setExecutionExceptionHandler((failure, command, result) -> {
            err.println(failure.getMessage());
            return 1;
        });
        return line.execute(arguments);
    }

    final String data() {
        return data.toString(StandardCharsets.UTF_8);
    }

    final String talk() {
        return talk.toString(StandardCharsets.UTF_8);
    }

    final Path created(String name) {
        assertThat(fn("new", home.resolve(name).toString(), "--template", "enrich"))
                .isZero();
        return home.resolve(name);
    }

    static void write(Path function, String code) throws IOException {
        Files.writeString(function.resolve("handler.js"), code);
    }
}
