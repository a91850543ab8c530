package io.millrace.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A launcher command such as {@code ./millrace up}, run as the script runs it after the build. */
final class LauncherProcess implements AutoCloseable {

    private final Process process;
    private final Path output;

    private LauncherProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static LauncherProcess start(Map<String, String> environment, String... arguments) throws IOException {
        Path output = RunningSuite.scratch("launcher").resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command(arguments)).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        return new LauncherProcess(builder.start(), output);
    }

    /** Returns the command line of the JVM, with the options of the script; arguments that begin with a hyphen in front of the command are options of the JVM. */
    static List<String> command(String... arguments) {
        Path target = Repository.ROOT.resolve("launcher/target");
        List<String> all = List.of(arguments);
        int options = (int)
                all.stream().takeWhile(argument -> argument.startsWith("-")).count();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "-Dmillrace.root=" + Repository.ROOT,
                "-Dmillrace.home=" + BuiltSuite.HOME));
        command.addAll(all.subList(0, options));
        command.addAll(List.of(
                "-cp",
                target.resolve("launcher.jar") + ":" + target.resolve("lib") + "/*",
                "io.millrace.launcher.command.Main"));
        command.addAll(all.subList(options, all.size()));
        return command;
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the process and its descendants. */
    List<ProcessHandle> all() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        return all;
    }

    int awaitExit(long seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new AssertionError("still running after " + seconds + " s");
        }
        return process.exitValue();
    }

    /** Terminates the process, as Ctrl-C in the script does. */
    void terminate() {
        process.destroy();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            awaitExit(60);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
