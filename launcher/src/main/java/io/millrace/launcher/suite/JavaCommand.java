package io.millrace.launcher.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Builds the command line that runs a service with the {@code java} of this JVM. */
final class JavaCommand {

    private JavaCommand() {}

    static String executable() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns the command line; {@code more} follows the default options and so overrides them. */
    static List<String> forService(Service service, List<String> more, List<String> program) {
        List<String> options = new ArrayList<>();
        options.add("-Xmx" + service.maxHeapMegabytes() + "m");
        if (service.quickCompiler()) {
            options.add("-XX:TieredStopAtLevel=1");
        }
        options.addAll(more);
        return command(options, program);
    }

    /** Returns the command line that runs all services in one process. */
    static List<String> forAll(List<String> more, List<String> program) {
        int maxHeapMegabytes = Arrays.stream(Service.values())
                .mapToInt(Service::maxHeapMegabytes)
                .sum();
        List<String> options = new ArrayList<>();
        options.add("-Xmx" + maxHeapMegabytes + "m");
        options.addAll(more);
        return command(options, program);
    }

    private static List<String> command(List<String> options, List<String> program) {
        List<String> words = new ArrayList<>();
        words.add(executable());
        words.add("-XX:+UseSerialGC");
        // by default the heap starts with a 64th of the memory of the machine, and keeps what it has grown to
        words.add("-Xms32m");
        words.add("-XX:MinHeapFreeRatio=20");
        words.add("-XX:MaxHeapFreeRatio=40");
        words.add("-XX:+ExitOnOutOfMemoryError");
        words.add("--enable-native-access=ALL-UNNAMED");
        if (Runtime.version().feature() >= 23) {
            words.add("--sun-misc-unsafe-memory-access=allow");
        }
        words.addAll(options);
        words.addAll(program);
        return words;
    }
}
