package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Runs as a worker does: a process of its own, a small heap, and compiled code where the JDK supports it. */
class OptimizedRuntimeIT {
    private static final Path COMPILER = Path.of("target/graal");

    /** Of a worker: most of a short run would be the optimizing of the compiler of JavaScript. */
    private static final Path DIRECTIVES = Path.of("../../eventing-worker/src/main/distribution/graal/directives.json");

    @Test
    void bombs_loseOnlyTheirInvocations() throws IOException, InterruptedException {
        var lines = run(BombRun.class);

        assertThat(lines).endsWith("end");
        assertRuntime(lines.getFirst());
        assertThat(lines).noneMatch(line -> line.startsWith("stuck"));
        assertThat(lines).filteredOn(line -> line.startsWith("after ")).allMatch(line -> line.contains(": Success "));
        assertThat(lines)
                .filteredOn(line -> line.startsWith("bomb "))
                .hasSize(Bombs.DEEP.size() + BombRun.DEEP_WHEN_COMPILED.size() + Bombs.GREEDY.size() + 5)
                .allMatch(OptimizedRuntimeIT::endedAsItShould);
    }

    @Test
    void documents_behaveAsWhatJsonParseMakes() throws IOException, InterruptedException {
        // Java's fast compiler alone: what is optimized here is JavaScript
        var lines = run(EcmaRun.class, "-XX:TieredStopAtLevel=1");

        assertRuntime(lines.getFirst());
        int cases = EcmaCases.every(EcmaRun.EVERY).size();
        int compiled = canCompile() ? cases : 0;
        assertThat(cases).isGreaterThan(200);
        assertThat(lines.subList(1, lines.size()))
                .containsExactly(
                        "plain %d cases, compiled %d".formatted(cases, compiled),
                        "strict %d cases, compiled %d".formatted(cases, compiled),
                        "end");
    }

    @Test
    void handlerThatKeepsTheMost_isAskedToEndWhenTheHeapIsFull() throws IOException, InterruptedException {
        var lines = run(KeepingRun.class);

        assertRuntime(lines.getFirst());
        assertThat(lines).endsWith("end");
        if (canCompile()) {
            assertThat(lines.get(1)).contains("told leak: ").contains("keeps ").doesNotContain("up to");
        } else {
            assertThat(lines.get(1)).contains("told ").contains(" up to ");
        }
    }

    private static void assertRuntime(String line) {
        assertThat(line).startsWith(canCompile() ? "runtime optimized: " : "runtime interpreted: ");
    }

    private static boolean endedAsItShould(String line) {
        if (line.startsWith("bomb deep ")) {
            return line.contains(": Threw ");
        }
        // compiled, some endless code allocates up to its limit before its time is over
        return line.contains(": OutOfMemory ") || line.startsWith("bomb endless ") && line.contains(": TimedOut ");
    }

    private static List<String> run(Class<?> program, String... options) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xmx256m"));
        if (canCompile()) {
            command.addAll(List.of("-XX:+UnlockExperimentalVMOptions", "-XX:+EnableJVMCI"));
            command.add("--upgrade-module-path=" + compilerJars());
            command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:CompilerDirectivesFile=" + DIRECTIVES));
        }
        command.addAll(List.of(options));
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), program.getName()));
        var log = Files.createTempFile("run", ".log");
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            int exit = process.waitFor();
            var lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            assertThat(exit).as(String.join("\n", lines)).isZero();
            return lines.stream().filter(line -> !isOfTheJvm(line)).toList();
        } finally {
            process.destroyForcibly();
            Files.delete(log);
        }
    }

    private static boolean isOfTheJvm(String line) {
        return line.startsWith("WARNING") || line.endsWith("compiler directives added");
    }

    private static String compilerJars() throws IOException {
        try (var jars = Files.list(COMPILER)) {
            return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** Whether this JDK can run the compiler; see the worker's flags. */
    private static boolean canCompile() {
        var version = Runtime.version();
        boolean newEnough = version.compareToIgnoreOptional(Runtime.Version.parse("25.0.3")) >= 0;
        return newEnough && ModuleFinder.ofSystem().find("jdk.internal.vm.ci").isPresent();
    }
}
