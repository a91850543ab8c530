package io.millrace.launcher.functions;

import io.millrace.launcher.LauncherException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The program of the worker that runs handlers on documents in memory, as a process: the command line itself has no engine
 * for JavaScript.
 *
 * @param workerHome the directory of the worker
 */
record TrialProgram(Path workerHome) implements FunctionCommands.Trials {

    private static final String MAIN_CLASS = "io.millrace.worker.cases.Main";

    private static final int UNSAFE_OPTION_SINCE = 23;

    @Override
    public void run(List<String> arguments, String input, Consumer<JsonNode> results) {
        if (!Files.isDirectory(workerHome.resolve("lib"))) {
            throw new LauncherException(
                    workerHome + " has no worker. Build Millrace first: ./mvnw -q package -DskipTests");
        }
        try {
            Process process = new ProcessBuilder(command(arguments))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (OutputStream in = process.getOutputStream();
                    BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
                in.close();
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    results.accept(JsonMapper.shared().readTree(line));
                }
                int status = process.waitFor();
                if (status != 0) {
                    throw new LauncherException("The program that runs functions ended with status " + status);
                }
            } finally {
                process.destroy();
            }
        } catch (JacksonException e) {
            throw new LauncherException("The program that runs functions printed something that is not JSON", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LauncherException("Interrupted while functions ran", e);
        }
    }

    private List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Path parent = workerHome.toAbsolutePath().getParent();
        if (parent != null && Files.isWritable(parent)) {
            command.add("-XX:+AutoCreateSharedArchive");
            command.add("-XX:SharedArchiveFile=" + parent.resolve("trial.jsa"));
            command.addAll(List.of("-Xlog:disable", "-Xlog:all=error:stderr", "-Xlog:cds=off:stderr"));
        }
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        if (Runtime.version().feature() >= UNSAFE_OPTION_SINCE) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of("-cp", workerHome.resolve("lib") + File.separator + "*", MAIN_CLASS));
        command.addAll(arguments);
        return command;
    }
}
