package io.millrace.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Describes the machine, the JDK and the commit of a measurement. */
final class Machine {

    private Machine() {}

    static String describe() {
        return "machine: %d cores, %s, %s; JDK %s (%s); commit %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        processor(),
                        System.getProperty("os.name") + " " + System.getProperty("os.version"),
                        Runtime.version(),
                        System.getProperty("java.vendor"),
                        commit());
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    private static String commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
                    .redirectErrorStream(true)
                    .start();
            String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor(5, TimeUnit.SECONDS) && git.exitValue() == 0 ? answer : "unknown";
        } catch (IOException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }
}
