package io.millrace.benchmarks.suite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program for Node.js among the resources of the benchmarks, in a process of its own. */
public final class NodeProgram implements AutoCloseable {

    private static final String RESOURCES = "/io/millrace/benchmarks/";

    private final List<Path> files;
    private final Process process;

    private NodeProgram(List<Path> files, Process process) {
        this.files = files;
        this.process = process;
    }

    /** Returns whether Node.js is on the path. */
    public static boolean installed() throws InterruptedException {
        try {
            return new ProcessBuilder("node", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    /** Starts the first of these scripts, which may import the others. */
    public static NodeProgram start(List<String> scripts, String... arguments) throws IOException {
        List<Path> files = new ArrayList<>(List.of(Files.createTempDirectory("node")));
        for (String script : scripts) {
            try (InputStream in = NodeProgram.class.getResourceAsStream(RESOURCES + script)) {
                if (in == null) {
                    throw new IllegalStateException("The resource " + script + " is missing");
                }
                Path file = files.getFirst().resolve(script);
                Files.write(file, in.readAllBytes());
                files.add(file);
            }
        }
        List<String> command = new ArrayList<>(List.of("node", files.get(1).toString()));
        command.addAll(List.of(arguments));
        return new NodeProgram(
                files,
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    public long pid() {
        return process.pid();
    }

    /** Returns the next line that it prints; waits for it. */
    public String line() throws IOException {
        // left open, because closing it closes the pipe on which the program writes
        String line = process.inputReader(StandardCharsets.UTF_8).readLine();
        if (line == null) {
            throw new IOException("The program for Node ended without a word");
        }
        return line;
    }

    /** Waits until it has ended. */
    public void awaitEnd(Duration patience) throws IOException, InterruptedException {
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("The program for Node did not end");
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        List<Path> innermostFirst = new ArrayList<>(files);
        Collections.reverse(innermostFirst);
        for (Path file : innermostFirst) {
            Files.delete(file);
        }
    }
}
