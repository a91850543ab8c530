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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A real worker in a process, its own or the shared one, and the service's end of its link, for tests. */
final class WorkerProcess implements AutoCloseable {

    private static final Duration END = Duration.ofSeconds(60);
    private static final int BATCHES_IN_FLIGHT = 4;

    private final HostProcess host;
    private final boolean sharing;
    private final int printedBefore;
    private final long number;
    private final Link link;
    private final Frame.Hello hello;
    private final long[] batches;
    private final Semaphore[] windows;
    private final Map<String, List<Event>> inFlight = new ConcurrentHashMap<>();
    private final Map<String, Outcome> outcomes = new ConcurrentHashMap<>();
    private final Queue<LogLine> log = new ConcurrentLinkedQueue<>();
    private final Map<String, Long> counters = new ConcurrentHashMap<>();
    private final AtomicLong answered = new AtomicLong();
    private final Semaphore swapped = new Semaphore(0);
    private final Frame answer;
    private final Duration startTime;

    private WorkerProcess(HostProcess host, boolean sharing, Frame.Init init, long start) throws IOException {
        this.host = host;
        this.sharing = sharing;
        this.printedBefore = host.output().size();
        try (LinkServer server = LinkServer.listen()) {
            number = host.open(server.socket());
            link = server.accept(HostProcess.START);
        }
        hello = (Frame.Hello) link.receive().orElseThrow();
        link.send(init);
        answer = link.receive().orElseThrow();
        startTime = Duration.ofNanos(System.nanoTime() - start);
        int threads = init.setup().limits().threads();
        batches = new long[threads];
        windows = new Semaphore[threads];
        for (int thread = 0; thread < threads; thread++) {
            windows[thread] = new Semaphore(BATCHES_IN_FLIGHT);
        }
        Thread.ofVirtual().name("test-receiver").start(this::receive);
    }

    /** Starts in a process of its own, which may compile. */
    static WorkerProcess start(WorkerSetup setup) throws IOException {
        return start(command(), setup);
    }

    /** Starts in the process that the tests share and that may be killed: for those that do not depend on the compiler. */
    static WorkerProcess startInterpreted(WorkerSetup setup) throws IOException {
        return new WorkerProcess(HostProcess.shared(), true, new Frame.Init(setup, false), System.nanoTime());
    }

    /** The same with code that has been loaded before. */
    static WorkerProcess startKnown(WorkerSetup setup) throws IOException {
        return new WorkerProcess(HostProcess.shared(), true, new Frame.Init(setup, true), System.nanoTime());
    }

    /** Starts in a process of its own. */
    static WorkerProcess start(WorkerCommand command, WorkerSetup setup) throws IOException {
        long start = System.nanoTime();
        return new WorkerProcess(HostProcess.start(command), false, new Frame.Init(setup, false), start);
    }

    static WorkerCommand command() throws IOException {
        return WorkerCommand.of(HostProcess.HOME);
    }

    /** Returns how long it took from the start of the process until the handler was ready. */
    Duration startTime() {
        return startTime;
    }

    Process process() {
        return host.process();
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

    /** Returns the lines that the process has printed since this worker was started. */
    List<String> output() {
        List<String> lines = host.output();
        return lines.subList(printedBefore, lines.size());
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

    /** Returns the code with which the worker ended, or its process if that came first. */
    int exitCode() {
        return host.ended(number).orTimeout(END.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** Returns a value of /proc/pid/status in KiB, such as {@code VmRSS}. */
    long memoryKib(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process().pid() + "/status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the processor time that the process has used. */
    Duration cpu() {
        return process().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Waits for the end of the worker if others follow it in the process. */
    @Override
    public void close() {
        link.close();
        if (sharing) {
            exitCode();
        } else {
            host.close();
        }
    }
}
