package io.millrace.eventing.producer;

import io.millrace.eventing.runtime.FunctionSpec;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node in a process of its own, which a test can kill together with all that it knows. */
final class NodeProcess implements AutoCloseable {

    private final Process process;

    private NodeProcess(Process process) {
        this.process = process;
    }

    /**
     * The node's side: {@code <Redis> <name> <node> <code> [<category> <topic> <cluster>]}; runs until it is killed or its
     * starter ends.
     */
    public static void main(String[] args) throws IOException {
        try (RealWorkers workers = new RealWorkers(args[0], args[1], args[2])) {
            FunctionSpec spec = workers.spec(args[3]);
            workers.supervisor()
                    .start(
                            args.length == 4
                                    ? spec
                                    : EventSources.withSource(spec, EventSources.source(args[4], args[5], args[6])))
                    .join();
            int end = System.in.read();
            System.exit(end < 0 ? 0 : 1);
        }
    }

    /** Starts a node with the buckets and the function of this name. */
    static NodeProcess start(String redisUrl, String name, String node, String code) throws IOException {
        return start(node, List.of(redisUrl, name, node, code));
    }

    /** Starts a node whose function handles the events of a category, or the messages of a topic. */
    static NodeProcess start(String redisUrl, String name, String node, String code, FunctionSpec.Source source)
            throws IOException {
        return start(node, List.of(redisUrl, name, node, code, source.category(), source.topic(), source.cluster()));
    }

    private static NodeProcess start(String node, List<String> arguments) throws IOException {
        Path log = Path.of("target", "node-" + node + ".log");
        Files.createDirectories(log.toAbsolutePath().getParent());
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                NodeProcess.class.getName()));
        command.addAll(arguments);
        return new NodeProcess(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(new File(log.toString())))
                .start());
    }

    /** Returns the workers of this node. */
    List<ProcessHandle> workers() {
        return process.children().filter(NodeProcess::runsJava).toList();
    }

    private static boolean runsJava(ProcessHandle child) {
        return child.info().command().orElse("").endsWith("java");
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Ends the process as a crash does, and waits until it is gone. */
    void kill9() throws InterruptedException {
        close();
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("The node outlives its kill");
        }
    }

    /** A Redis that the fixture has started for this process would outlive it. */
    @Override
    public void close() {
        List<ProcessHandle> others =
                process.children().filter(child -> !runsJava(child)).toList();
        process.destroyForcibly();
        others.forEach(ProcessHandle::destroyForcibly);
    }
}
