package io.millrace.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program of the build. */
final class NativeProgram {

    private static final int LONGEST_SECONDS = 300;

    private NativeProgram() {}

    /** Returns what the program says; it is shown only if it fails. */
    static String run(Path directory, Path program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        // nothing is fetched: all packages are unpacked already
        builder.environment().put("DENO_DIR", directory.resolve("deno").toString());
        builder.environment().put("NO_COLOR", "1");
        builder.environment().put("DENO_NO_UPDATE_CHECK", "1");
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("The console does not build; %s said:%n%s".formatted(program.getFileName(), said));
        }
        return said;
    }
}
