package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A process for workers, and the service's end of its link, for tests. */
final class HostProcess implements AutoCloseable {

    static final Duration START = Duration.ofSeconds(60);
    static final Path HOME = Path.of("target", "worker");

    private static @Nullable HostProcess shared;

    private final Process process;
    private final Link link;
    private final Map<Long, CompletableFuture<Integer>> ended = new ConcurrentHashMap<>();
    private final Queue<String> output = new ConcurrentLinkedQueue<>();
    private final AtomicLong workers = new AtomicLong();

    private HostProcess(WorkerCommand command) throws IOException {
        try (LinkServer server = LinkServer.listen()) {
            process = new ProcessBuilder(
                            command.build(server.socket(), server.socket().resolveSibling("crash")))
                    .redirectErrorStream(true)
                    .start();
            Thread.ofPlatform().daemon().name("worker-output").start(this::copyOutput);
            link = server.accept(START);
        }
        link.send(new Frame.WarmUp());
        assertThat(link.receive()).as("what says that it is warm").containsInstanceOf(Frame.Hello.class);
        Thread.ofVirtual().name("test-host").start(this::receive);
    }

    static HostProcess start(WorkerCommand command) throws IOException {
        return new HostProcess(command);
    }

    /**
     * Returns the process that interprets for the tests of this JVM, because a start costs seconds of processor time; another
     * one when a test has killed it. It ends with this JVM.
     */
    static synchronized HostProcess shared() throws IOException {
        HostProcess living = shared;
        if (living == null || !living.process.isAlive()) {
            WorkerCommand command = WorkerCommand.of(HOME).interpreted();
            ClassArchive.ensure(command, HOME);
            living = new HostProcess(command);
            shared = living;
        }
        return living;
    }

    /** Opens a worker that connects to the socket; returns its number. */
    long open(Path socket) throws IOException {
        long number = workers.incrementAndGet();
        link.send(new Frame.Open(number, socket.toString()));
        return number;
    }

    Process process() {
        return process;
    }

    /** Returns the code with which a worker ends, or the process if that comes first. */
    CompletableFuture<Integer> ended(long worker) {
        return CompletableFuture.anyOf(
                        ended.computeIfAbsent(worker, number -> new CompletableFuture<>()),
                        process.onExit().thenApply(Process::exitValue))
                .thenApply(Integer.class::cast);
    }

    /** Returns the lines that the process has printed. */
    List<String> output() {
        return List.copyOf(output);
    }

    private void copyOutput() {
        process.inputReader().lines().peek(System.out::println).forEach(output::add);
    }

    private void receive() {
        try {
            for (Optional<Frame> next = link.receive(); next.isPresent(); next = link.receive()) {
                if (next.get() instanceof Frame.Ended gone) {
                    ended.computeIfAbsent(gone.worker(), number -> new CompletableFuture<>())
                            .complete(gone.code());
                }
            }
        } catch (IOException e) {
            // the link was closed, here or there
        }
    }

    @Override
    public void close() {
        link.close();
        process.destroyForcibly();
    }
}
