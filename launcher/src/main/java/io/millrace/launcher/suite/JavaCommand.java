package io.millrace.launcher.suite;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds the command line that runs a service with the {@code java} of this JVM. */
final class JavaCommand {

    /** The module that runs the services in one process. */
    static final String LOCAL_SERVICES = "local-services";

    /** By default the heap starts with a 64th of the memory of the machine. */
    private static final String SMALL_HEAP = "-Xms32m";

    /**
     * Changes on their way through a service that runs functions outlive a collection of the young generation. If they were
     * promoted, they would fill the old one up to {@code -Xmx} before it is collected.
     */
    private static final List<String> HEAP_FOR_FEEDS =
            List.of("-Xms64m", "-XX:NewSize=48m", "-XX:SurvivorRatio=4", "-XX:TargetSurvivorRatio=90");

    private JavaCommand() {}

    /** Returns the arguments that run all services in one process, from a directory with their unpacked jars. */
    static List<String> allServicesIn(Path directory) {
        String classPath = Stream.concat(
                        Stream.of(LOCAL_SERVICES),
                        Arrays.stream(Service.values()).map(Service::moduleName))
                .map(name -> directory.resolve(name + ".jar").toString())
                .collect(Collectors.joining(File.pathSeparator));
        return List.of(
                // it would load classes through the class path of all services
                "-Dspring.backgroundpreinitializer.ignore=true", "-cp", classPath, "io.millrace.local.LocalServices");
    }

    static String executable() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns the command line; {@code more} follows the default options and so overrides them. */
    static List<String> forService(Service service, List<String> more, List<String> program) {
        List<String> options = new ArrayList<>();
        options.addAll(service == Service.EVENTING ? HEAP_FOR_FEEDS : List.of(SMALL_HEAP));
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
        // its input is a pipe of the launcher: it ends with it, even if that is killed
        options.add("-Dmillrace.ends-with-launcher=true");
        options.addAll(HEAP_FOR_FEEDS);
        options.add("-Xmx" + maxHeapMegabytes + "m");
        options.addAll(more);
        return command(options, program);
    }

    private static List<String> command(List<String> options, List<String> program) {
        List<String> words = new ArrayList<>();
        words.add(executable());
        words.add("-XX:+UseSerialGC");
        // by default the heap keeps what it has grown to
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
