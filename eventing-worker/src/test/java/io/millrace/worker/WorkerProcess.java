package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerCommand;
import io.millrace.workerprotocol.WorkerProtocolLimits;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A real worker process with workers in it, and the service's end of their links, for tests. */
final class WorkerProcess implements AutoCloseable {

    private static final Path HOME = Path.of("target", "worker");
    private static final Duration START = Duration.ofSeconds(60);
    private static final int BATCHES_IN_FLIGHT = 4;

    private final Process process;
    private final Link host;
    private final Link link;
    private final Frame.Hello hello;
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private final long[] batches;
    private final Semaphore[] windows;
    private final Map<String, List<Event>> inFlight = new ConcurrentHashMap<>();
    private final Map<String, Outcome> outcomes = new ConcurrentHashMap<>();
    private final Queue<LogLine> log = new ConcurrentLinkedQueue<>();
    private final Map<String, Long> counters = new ConcurrentHashMap<>();
    private final AtomicLong answered = new AtomicLong();
    private final Semaphore swapped = new Semaphore(0);
    private final Queue<String> output = new ConcurrentLinkedQueue<>();
    private final Frame answer;
    private final Duration startTime;

    private WorkerProcess(WorkerCommand command, WorkerSetup setup) throws IOException {
        long start = System.nanoTime();
        try (LinkServer server = LinkServer.listen()) {
            process = new ProcessBuilder(
                            command.build(server.socket(), server.socket().resolveSibling("crash")))
                    .redirectErrorStream(true)
                    .start();
            Thread.ofPlatform().daemon().name("worker-output").start(this::copyOutput);
            host = server.accept(START);
        }
        hello = (Frame.Hello) host.receive().orElseThrow();
        try (LinkServer server = LinkServer.listen()) {
            host.send(new Frame.Open(1, server.socket().toString()));
            link = server.accept(START);
        }
        assertThat(link.receive()).as("a Hello").isPresent();
        link.send(new Frame.Init(setup));
        answer = link.receive().orElseThrow();
        startTime = Duration.ofNanos(System.nanoTime() - start);
        batches = new long[setup.limits().threads()];
        windows = new Semaphore[setup.limits().threads()];
        for (int thread = 0; thread < setup.limits().threads(); thread++) {
            windows[thread] = new Semaphore(BATCHES_IN_FLIGHT);
        }
        Thread.ofVirtual().name("test-receiver").start(this::receive);
        Thread.ofVirtual().name("test-host").start(this::awaitEnd);
    }

    static WorkerProcess start(WorkerSetup setup) throws IOException {
        return start(command(), setup);
    }

    /** Starts in a third of the time, for tests that do not depend on the compiler. */
    static WorkerProcess startInterpreted(WorkerSetup setup) throws IOException {
        WorkerCommand command = command().interpreted();
        ClassArchive.ensure(command, HOME);
        return start(command, setup);
    }

    static WorkerProcess start(WorkerCommand command, WorkerSetup setup) throws IOException {
        return new WorkerProcess(command, setup);
    }

    static WorkerCommand command() throws IOException {
        return WorkerCommand.of(HOME);
    }

    /** Returns how long it took from the start of the process until the handler was ready. */
    Duration startTime() {
        return startTime;
    }

    Process process() {
        return process;
    }

    String runtime() {
        return hello.runtime();
    }

    /** Returns the worker's Ready or Rejected. */
    Frame answer() {
        return answer;
    }

    /** Sends events to one thread in full batches; waits while too many are unanswered. */
    void send(int thread, List<Event> events) throws IOException, InterruptedException {
        for (int from = 0; from < events.size(); from += WorkerProtocolLimits.MAX_BATCH_EVENTS) {
            List<Event> batch =
                    events.subList(from, Math.min(from + WorkerProtocolLimits.MAX_BATCH_EVENTS, events.size()));
            if (!windows[thread].tryAcquire(120, TimeUnit.SECONDS)) {
                throw new AssertionError("The worker answers nothing");
            }
            long number = ++batches[thread];
            inFlight.put(thread + ":" + number, batch);
            link.send(new Frame.Batch(number, thread, batch));
        }
    }

    private void copyOutput() {
        process.inputReader().lines().peek(System.out::println).forEach(output::add);
    }

    /** Returns the lines that the process has printed. */
    List<String> output() {
        return List.copyOf(output);
    }

    private void awaitEnd() {
        try {
            for (Optional<Frame> next = host.receive(); next.isPresent(); next = host.receive()) {
                if (next.get() instanceof Frame.Ended gone) {
                    ended.complete(gone.code());
                }
            }
        } catch (IOException e) {
            // the link was closed, here or there
        }
        process.onExit().thenAccept(gone -> ended.complete(gone.exitValue()));
    }

    private void receive() {
        try {
            for (Optional<Frame> next = link.receive(); next.isPresent(); next = link.receive()) {
                switch (next.get()) {
                    case Frame.Done done -> done(done);
                    case Frame.Log lines -> log.addAll(lines.lines());
                    case Frame.Counters deltas -> deltas.deltas().forEach((k, v) -> counters.merge(k, v, Long::sum));
                    case Frame.Insight ignored -> {}
                    case Frame.Swapped ignored -> swapped.release();
                    default -> throw new AssertionError("The worker sent " + next.get());
                }
            }
        } catch (IOException e) {
            // the link was closed, here or there
        }
    }

    private void done(Frame.Done done) {
        List<Event> events = inFlight.remove(done.thread() + ":" + done.batch());
        if (events == null || events.size() != done.outcomes().size()) {
            throw new AssertionError("A Done for something else: " + done);
        }
        for (int i = 0; i < events.size(); i++) {
            Outcome outcome = done.outcomes().get(i);
            if (!outcome.ok()) {
                outcomes.put(events.get(i).id(), outcome);
            }
        }
        answered.addAndGet(events.size());
        windows[done.thread()].release();
    }

    /** Returns how many events were answered. */
    long answered() {
        return answered.get();
    }

    /** Returns the outcomes other than success, by document. */
    Map<String, Outcome> failures() {
        return outcomes;
    }

    List<LogLine> log() {
        return new ArrayList<>(log);
    }

    Map<String, Long> counters() {
        return counters;
    }

    /** Lets the worker take other code, and waits until it has. */
    void swap(WorkerSetup next) throws IOException, InterruptedException {
        link.send(new Frame.Swap(next));
        assertThat(swapped.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }

    void shutdown() throws IOException {
        link.send(new Frame.Shutdown());
    }

    void closeLink() {
        link.close();
    }

    /** Asks the process to end the worker. */
    void halt() throws IOException {
        host.send(new Frame.Halt(1));
    }

    /** Does what the death of the service does. */
    void closeHostLink() {
        host.close();
    }

    /** Returns the code with which the worker ended, or its process if that came first. */
    int exitCode() {
        return ended.orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** Returns a value of /proc/pid/status in KiB, such as {@code VmRSS}. */
    long memoryKib(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the processor time that the process has used. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        link.close();
        host.close();
        process.destroyForcibly();
    }
}
