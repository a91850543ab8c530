package io.millrace.benchmarks.handlers;

import io.millrace.benchmarks.suite.ProcessUsage;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A single worker process with one thread; this program takes the part of eventing-service. */
final class WorkerDriver implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(2);
    private static final int BATCHES_IN_FLIGHT = 4;
    private static final Duration LOOK_AT_CPU = Duration.ofMillis(50);

    /** The result of a run; the CPU time includes the compiler and the garbage collector of the worker. */
    record Run(long invocations, Duration cpu, Duration driverCpu, long loggedChars) {

        double perCpuSecond() {
            return invocations * 1e9 / cpu.toNanos();
        }

        double driverMicros() {
            return driverCpu.toNanos() / 1e3 / invocations;
        }
    }

    private final Process process;
    private final Link host;
    private final Link link;
    private final Semaphore window = new Semaphore(BATCHES_IN_FLIGHT);
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong loggedChars = new AtomicLong();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private long batches;
    private long events;

    private WorkerDriver(WorkerCommand command, WorkerSetup setup) throws IOException {
        try (LinkServer server = LinkServer.listen()) {
            process = new ProcessBuilder(
                            command.build(server.socket(), server.socket().resolveSibling("crash")))
                    .inheritIO()
                    .start();
            host = server.accept(START);
        }
        if (host.receive().isEmpty()) { // a Hello
            throw new IOException("The worker process exited during its start");
        }
        try (LinkServer server = LinkServer.listen()) {
            host.send(new Frame.Open(1, server.socket().toString()));
            link = server.accept(START);
        }
        next(); // Hello
        link.send(new Frame.Init(setup, false));
        if (!(next() instanceof Frame.Ready)) {
            throw new IOException("The worker rejected the handler");
        }
        Thread.ofPlatform().daemon().name("worker-outcomes").start(this::receive);
    }

    static WorkerDriver start(WorkerCommand command, WorkerSetup setup) throws IOException {
        return new WorkerDriver(command, setup);
    }

    private Frame next() throws IOException {
        return link.receive().orElseThrow(() -> new IOException("The worker exited during its start"));
    }

    /** Sends full batches until the worker has used this much CPU time, and waits for the outcomes. */
    Run run(Duration cpu, LongFunction<Event> event) throws IOException, InterruptedException {
        Duration cpuBefore = ProcessUsage.cpu(process.pid());
        Duration driverBefore = ProcessUsage.cpu(ProcessHandle.current().pid());
        long answeredBefore = answered.get();
        long loggedBefore = loggedChars.get();
        while (ProcessUsage.cpu(process.pid()).minus(cpuBefore).compareTo(cpu) < 0) {
            long next = System.nanoTime() + LOOK_AT_CPU.toNanos();
            while (System.nanoTime() < next) {
                send(event);
            }
        }
        take(BATCHES_IN_FLIGHT);
        window.release(BATCHES_IN_FLIGHT);
        return new Run(
                answered.get() - answeredBefore,
                ProcessUsage.cpu(process.pid()).minus(cpuBefore),
                ProcessUsage.cpu(ProcessHandle.current().pid()).minus(driverBefore),
                loggedChars.get() - loggedBefore);
    }

    private void send(LongFunction<Event> event) throws IOException, InterruptedException {
        List<Event> batch = new ArrayList<>(WorkerProtocolLimits.MAX_BATCH_EVENTS);
        int bytes = 0;
        while (batch.size() < WorkerProtocolLimits.MAX_BATCH_EVENTS && bytes < WorkerProtocolLimits.FULL_BATCH_BYTES) {
            Event made = event.apply(++events);
            bytes += made.weightBytes();
            batch.add(made);
        }
        take(1);
        link.send(new Frame.Batch(++batches, 0, batch));
    }

    private void take(int permits) throws IOException, InterruptedException {
        if (!window.tryAcquire(permits, START.toSeconds(), TimeUnit.SECONDS)) {
            throw new IOException("The worker does not respond");
        }
        String why = failure.get();
        if (why != null) {
            throw new IOException(why);
        }
    }

    private void receive() {
        try {
            for (Optional<Frame> next = link.receive(); next.isPresent(); next = link.receive()) {
                if (next.get() instanceof Frame.Done done) {
                    take(done);
                } else if (next.get() instanceof Frame.Log log) {
                    for (LogLine line : log.lines()) {
                        loggedChars.addAndGet(line.text().length());
                    }
                }
            }
        } catch (IOException e) {
            // the connection was closed: no further outcomes arrive
        }
    }

    private void take(Frame.Done done) {
        for (Outcome outcome : done.outcomes()) {
            if (!outcome.ok()) {
                failure.compareAndSet(null, "An invocation failed: " + outcome);
            }
        }
        answered.addAndGet(done.outcomes().size());
        window.release();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        link.close();
        host.close();
    }
}
