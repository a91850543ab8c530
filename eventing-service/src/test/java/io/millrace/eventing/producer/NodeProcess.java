package io.millrace.eventing.producer;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node in a process of its own, which a test can kill together with all that it knows. */
final class NodeProcess implements AutoCloseable {

    private final Process process;

    private NodeProcess(Process process) {
        this.process = process;
    }

    /** The node's side: {@code <Redis> <name> <node> <code>}; runs until it is killed or its starter ends. */
    public static void main(String[] args) throws IOException {
        try (RealWorkers workers = new RealWorkers(args[0], args[1], args[2])) {
            workers.start(args[3]);
            int end = System.in.read();
            System.exit(end < 0 ? 0 : 1);
        }
    }

    /** Starts a node with the buckets and the function of this name. */
    static NodeProcess start(String redisUrl, String name, String node, String code) throws IOException {
        Path log = Path.of("target", "node-" + node + ".log");
        Files.createDirectories(log.toAbsolutePath().getParent());
        return new NodeProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NodeProcess.class.getName(),
                        redisUrl,
                        name,
                        node,
                        code)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(new File(log.toString())))
                .start());
    }

    /** Returns the workers of this node. */
    List<ProcessHandle> workers() {
        return process.children().toList();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Ends the process as a crash does, and waits until it is gone. */
    void kill9() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("The node outlives its kill");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
