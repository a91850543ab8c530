package io.millrace.workerprotocol;

import java.io.File;
import java.io.IOException;
import java.lang.Runtime.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command line that starts a worker: {@code lib/*.jar} of a worker distribution on the class path, and on a JDK
 * that can compile JavaScript the Graal compiler of {@code graal/*.jar}. Immutable; each {@code with} method returns a
 * changed copy.
 */
public final class WorkerCommand {

    /** The main class of a worker. */
    public static final String MAIN_CLASS = "io.millrace.worker.host.Main";

    /** The system property by which a worker learns why it is interpreted; empty when it should not be. */
    public static final String REASON_PROPERTY = "millrace.worker.interpreted";

    /** The heap of a worker process in MiB unless told otherwise. */
    public static final int DEFAULT_HEAP_MIB = 256;

    /** The heap at the start, in MiB: a process that is kept ready holds 205 MiB with it, and 259 with four times as much. */
    private static final int FIRST_HEAP_MIB = 64;

    private static final int UNSAFE_OPTION_SINCE = 23;

    /** A Java that has this module of its own must upgrade it, and then reads no archive of classes. */
    private static final String COMPILER_MODULE = "jdk.graal.compiler";

    /** What Java's optimizing compiler leaves to the fast one, in {@code graal}. */
    private static final String DIRECTIVES = "directives.json";

    private final Path workerHome;
    private final JavaInstallation java;
    private final int heapMib;
    private final boolean optimizing;

    private WorkerCommand(Path workerHome, JavaInstallation java, int heapMib, boolean optimizing) {
        this.workerHome = workerHome;
        this.java = java;
        this.heapMib = heapMib;
        this.optimizing = optimizing;
    }

    /**
     * Returns the command for a worker distribution on the Java that runs this process.
     *
     * @param workerHome the directory with {@code lib} and {@code graal}
     * @throws IOException when there is no worker distribution, with what to do about it
     */
    public static WorkerCommand of(Path workerHome) throws IOException {
        if (!Files.isDirectory(workerHome.resolve("lib"))) {
            throw new IOException(
                    "There is no worker distribution in %s: it has no directory 'lib'. Build the eventing-worker module, or set MILLRACE_WORKER_HOME to a directory that has one."
                            .formatted(workerHome.toAbsolutePath()));
        }
        JavaInstallation java = JavaInstallation.read(Path.of(System.getProperty("java.home")));
        return new WorkerCommand(workerHome.toAbsolutePath(), java, DEFAULT_HEAP_MIB, true);
    }

    /** Runs the worker on another Java. */
    public WorkerCommand withJavaHome(Path javaHome) throws IOException {
        return new WorkerCommand(workerHome, JavaInstallation.read(javaHome), heapMib, optimizing);
    }

    public WorkerCommand withHeapMib(int mib) {
        return new WorkerCommand(workerHome, java, mib, optimizing);
    }

    /**
     * Leaves the compiler of JavaScript out even where it could run, and Java's own optimizing one with it: a lighter
     * worker that starts in a third of the time and computes slower.
     */
    public WorkerCommand interpreted() {
        return new WorkerCommand(workerHome, java, heapMib, false);
    }

    /** Returns why the worker will interpret JavaScript, or nothing when it will compile it. */
    public Optional<String> whyInterpreted() throws IOException {
        if (!optimizing) {
            return Optional.of("the compiler was not asked for");
        }
        Optional<Version> compiler = compilerVersion();
        if (compiler.isEmpty()) {
            return Optional.of("the worker distribution has no graal/compiler-<version>.jar");
        }
        Version needed = compiler.get();
        if (java.version().feature() != needed.feature() || java.version().compareToIgnoreOptional(needed) < 0) {
            return Optional.of(
                    "Java %s is not %s or a later update of %d".formatted(java.version(), needed, needed.feature()));
        }
        if (!java.modules().contains("jdk.internal.vm.ci")) {
            return Optional.of("this Java %s has no module jdk.internal.vm.ci".formatted(java.version()));
        }
        return Optional.empty();
    }

    /**
     * Returns the archive of classes next to the distribution, from which workers start in less than half of the time. The
     * JVM writes it when the first worker ends, and again when Java or the distribution has changed. There is none where
     * Java has a compiler module of its own and the worker compiles.
     */
    public Optional<Path> archive() throws IOException {
        boolean compiles = whyInterpreted().isEmpty();
        if (compiles && java.modules().contains(COMPILER_MODULE)) {
            return Optional.empty();
        }
        String name = workerHome.getFileName() + (compiles ? "-compiling.jsa" : ".jsa");
        return Optional.of(workerHome.resolveSibling(name));
    }

    private Optional<Version> compilerVersion() throws IOException {
        for (Path jar : compilerJars()) {
            String name = jar.getFileName().toString();
            if (name.matches("compiler-[0-9.]+\\.jar")) {
                return Optional.of(
                        Version.parse(name.substring("compiler-".length(), name.length() - ".jar".length())));
            }
        }
        return Optional.empty();
    }

    private List<Path> compilerJars() throws IOException {
        Path directory = workerHome.resolve("graal");
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the name under which Redis lists the connections of the host that was started with a socket; no other host has it. */
    public static String connectionName(Path socket) {
        return "host-" + socket.toAbsolutePath().getName(socket.toAbsolutePath().getNameCount() - 2);
    }

    /**
     * Returns the command that starts a host which connects to a socket.
     *
     * @param crashReport where the JVM writes which thread it was that used up the heap or crashed
     */
    public List<String> build(Path socket, Path crashReport) throws IOException {
        Optional<String> whyInterpreted = whyInterpreted();
        List<String> command = new ArrayList<>();
        command.add(java.executable().toString());
        archive().ifPresent(archive -> addArchive(archive, command));
        if (!optimizing) {
            command.add("-XX:TieredStopAtLevel=1");
        }
        command.add("-XX:+UseSerialGC");
        command.add("-Xms%dm".formatted(Math.min(heapMib, FIRST_HEAP_MIB)));
        command.add("-Xmx%dm".formatted(heapMib));
        // documents on their way outlive a collection; promoted, they would fill the old generation up to -Xmx
        command.add("-XX:SurvivorRatio=4");
        command.add("-XX:TargetSurvivorRatio=90");
        // whatever ran out of memory: a class whose initialization was interrupted by that stays unusable
        command.add("-XX:+CrashOnOutOfMemoryError");
        command.add("-XX:-CreateCoredumpOnCrash");
        command.add("-XX:ErrorFile=" + crashReport);
        command.add("--enable-native-access=ALL-UNNAMED");
        if (java.version().feature() >= UNSAFE_OPTION_SINCE) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        if (whyInterpreted.isEmpty()) {
            command.add("-XX:+UnlockExperimentalVMOptions");
            command.add("-XX:+EnableJVMCI");
            String compiler =
                    compilerJars().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
            if (java.modules().contains(COMPILER_MODULE)) {
                command.add("--upgrade-module-path=" + compiler);
            } else {
                command.addAll(List.of("--module-path=" + compiler, "--add-modules=" + COMPILER_MODULE));
            }
            addDirectives(command);
        }
        command.add("-D" + REASON_PROPERTY + "=" + whyInterpreted.orElse(""));
        command.add("-cp");
        command.add(workerHome.resolve("lib") + File.separator + "*");
        command.add(MAIN_CLASS);
        command.add(socket.toString());
        return command;
    }

    private void addDirectives(List<String> command) {
        Path directives = workerHome.resolve("graal").resolve(DIRECTIVES);
        if (Files.exists(directives)) {
            command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:CompilerDirectivesFile=" + directives));
        }
    }

    private static void addArchive(Path archive, List<String> command) {
        if (Files.isWritable(archive.resolveSibling(""))) {
            command.add("-XX:+AutoCreateSharedArchive");
        } else if (!Files.exists(archive)) {
            return;
        }
        command.add("-XX:SharedArchiveFile=" + archive);
        // warnings about an outdated archive are of no use to users: the JVM makes a new one, or starts without it
        command.addAll(List.of("-Xlog:disable", "-Xlog:all=error:stderr", "-Xlog:cds=off:stderr"));
    }
}
