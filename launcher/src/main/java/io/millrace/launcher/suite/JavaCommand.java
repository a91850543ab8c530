package io.millrace.launcher.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Builds the command line that runs a service with the {@code java} of this JVM. */
final class JavaCommand {

    private JavaCommand() {}

    static String executable() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns the command line; {@code more} follows the default options and so overrides them. */
    static List<String> forService(Service service, List<String> more, List<String> program) {
        List<String> words = new ArrayList<>();
        words.add(executable());
        words.add("-XX:+UseSerialGC");
        words.add("-Xmx" + service.maxHeapMegabytes() + "m");
        words.add("-XX:+ExitOnOutOfMemoryError");
        if (service.quickCompiler()) {
            words.add("-XX:TieredStopAtLevel=1");
        }
        words.add("--enable-native-access=ALL-UNNAMED");
        if (Runtime.version().feature() >= 23) {
            words.add("--sun-misc-unsafe-memory-access=allow");
        }
        words.addAll(more);
        words.addAll(program);
        return words;
    }
}
