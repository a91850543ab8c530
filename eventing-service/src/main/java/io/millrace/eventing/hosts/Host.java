package io.millrace.eventing.hosts;

import io.millrace.eventing.consumer.WorkerLauncher;
import io.millrace.redis.RedisFailure;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerCommand;
import io.millrace.workerprotocol.WorkerExit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker process and what is placed in it.
 *
 * <pre>
 *            Hello           close, or the process ends
 *  STARTING ------> WARM -------------------------------> ENDED
 *     |                                                     ^
 *     +-----------------------------------------------------+
 * </pre>
 */
final class Host {

    private static final Logger LOG = LoggerFactory.getLogger(Host.class);

    /** A worker that has not ended so long after it was told to is ended with its process. */
    private static final Duration HALT_PATIENCE = Duration.ofSeconds(30);

    /** How long a process may take to end by itself. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    /** How long the successors of its workers wait for Redis to end its connections. */
    private static final Duration CONNECTIONS_PATIENCE = Duration.ofSeconds(2);

    /** The socket is closed when the process ends. */
    private static final Duration UNTIL_IT_ENDS = Duration.ofDays(1);

    private final String name;
    private final String redisUri;
    private final HostProcesses.Started started;
    private final Process process;
    private final LinkServer server;
    private final DeadConnections connections;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final long startedNanos = System.nanoTime();

    // guarded by this
    private final Map<Long, Placed> placed = new HashMap<>();
    private final Map<Long, Integer> blamed = new HashMap<>(); // codes of the workers because of which the process ends
    private @Nullable Link link;
    private boolean warm;
    private boolean over;
    private CompletableFuture<?> stalledEnding = CompletableFuture.completedFuture(null);
    private Duration usedWhileStarting = Duration.ZERO;
    private long lastWorker;

    // guarded by the lock of WorkerHosts
    String domain = "";
    boolean assigned;
    boolean alone;
    /** Gets no further workers: it is being replaced. */
    boolean retired;

    long emptySince = System.nanoTime();

    private volatile long heardNanos = System.nanoTime();
    private volatile long heldBytes;

    private Host(
            String name,
            String redisUri,
            HostProcesses.Started started,
            LinkServer server,
            DeadConnections connections) {
        this.name = name;
        this.redisUri = redisUri;
        this.started = started;
        this.process = started.process();
        this.server = server;
        this.connections = connections;
    }

    /**
     * Starts a process.
     *
     * @param redisUri where its workers will find documents
     * @param changed called when it is warm, when a worker in it has ended, and when it has ended itself
     */
    static Host start(
            String name, String redisUri, HostProcesses processes, DeadConnections connections, Consumer<Host> changed)
            throws IOException {
        LinkServer server = LinkServer.listen();
        Host host;
        try {
            host = new Host(name, redisUri, processes.start(name, server.socket()), server, connections);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        host.process.onExit().thenRun(() -> closeQuietly(server));
        Thread.ofVirtual().name(name).start(() -> host.live(changed));
        return host;
    }

    private static void closeQuietly(LinkServer server) {
        try {
            server.close();
        } catch (IOException e) {
            // closed is closed
        }
    }

    private void live(Consumer<Host> changed) {
        try (server;
                Link own = server.accept(UNTIL_IT_ENDS)) {
            connected(own);
            for (Optional<Frame> next = own.receive(); next.isPresent(); next = own.receive()) {
                heardNanos = System.nanoTime();
                switch (next.get()) {
                    case Frame.Hello hello -> {
                        warm(hello);
                        changed.accept(this);
                    }
                    case Frame.Ended gone -> {
                        ended(gone);
                        changed.accept(this);
                    }
                    case Frame.Counters state -> heldBytes = state.deltas().getOrDefault(Frame.Counters.HELD_BYTES, 0L);
                    default ->
                        throw new IOException("The worker process sent an unexpected frame: "
                                + next.get().getClass().getSimpleName());
                }
            }
        } catch (IOException e) {
            LOG.debug("event=host_link_ended host={}", name, e);
        } finally {
            process.destroyForcibly();
            int code = process.onExit().join().exitValue();
            if (code != WorkerExit.DONE.code() && workers() > 0) {
                endConnections().join();
            }
            end(code);
            changed.accept(this);
            ended.complete(null);
        }
    }

    /** Ends what Redis has of the process, before workers of it count as ended: then they have successors. Does not fail. */
    private CompletableFuture<?> endConnections() {
        return connections
                .end(WorkerCommand.connectionName(server.socket()))
                .orTimeout(CONNECTIONS_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .handle((count, failure) -> {
                    if (failure != null) {
                        LOG.warn(
                                "event=dead_connections_left host={} pid={} reason=\"{}\"",
                                name,
                                process.pid(),
                                RedisFailure.unwrap(failure).toString()); // that of a time-out has no message
                    } else if (count > 0) {
                        LOG.info("event=dead_connections_ended host={} pid={} count={}", name, process.pid(), count);
                    }
                    return count;
                });
    }

    /**
     * Ends the connections once for all workers that end meanwhile: what they have waited for in vain was sent long before. Others
     * that use such a connection get a new one.
     */
    private synchronized CompletableFuture<?> endStalledConnections() {
        if (stalledEnding.isDone()) {
            stalledEnding = endConnections();
        }
        return stalledEnding;
    }

    private synchronized void connected(Link own) throws IOException {
        link = own;
        own.send(new Frame.Prepare(redisUri));
        openPlaced();
        own.send(new Frame.WarmUp());
    }

    /** Opens the workers that need not wait any longer. Holds the monitor. */
    private void openPlaced() throws IOException {
        for (Placed worker : placed.values()) {
            open(worker);
        }
    }

    /** Holds the monitor. */
    private void open(Placed worker) throws IOException {
        Link to = link;
        if (to != null && !worker.opened && (warm || worker.known)) {
            worker.opened = true;
            to.send(new Frame.Open(worker.number, worker.socket.toString()));
        }
    }

    private synchronized void warm(Frame.Hello hello) throws IOException {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
        LOG.info(
                "event=host_warm host={} pid={} runtime=\"{}\" start_ms={}",
                name,
                process.pid(),
                hello.runtime(),
                millis);
        warm = true;
        openPlaced();
    }

    private void ended(Frame.Ended gone) {
        int code = (int) gone.code();
        Optional<WorkerExit> why = WorkerExit.of(code);
        Placed worker;
        synchronized (this) {
            if (why.filter(WorkerExit::endsTheHost).isPresent()) {
                blame(gone.worker(), code);
                return;
            }
            worker = placed.remove(gone.worker());
        }
        if (worker == null) {
            return;
        }
        if (why.equals(Optional.of(WorkerExit.STORE_AWAY))) {
            // the network may still have its writes
            endStalledConnections().thenRun(() -> worker.exited.complete(code));
        } else {
            worker.exited.complete(code);
        }
    }

    /** Names a worker because of which the process ends. It counts as ended when the process has, as the others do. */
    private synchronized void blame(long worker, int code) {
        blamed.put(worker, code);
    }

    /** The process has ended, and with it all workers; when one of them was the reason, the others are not to blame. */
    private void end(int code) {
        started.takeCrash()
                .ifPresent(crash -> blame(crash.worker(), crash.exit().code()));
        List<Placed> lost;
        Map<Long, Integer> reasons;
        synchronized (this) {
            over = true;
            link = null;
            lost = new ArrayList<>(placed.values());
            placed.clear();
            reasons = Map.copyOf(blamed);
        }
        int others = reasons.isEmpty() ? code : WorkerExit.NEIGHBOR.code();
        LOG.info("event=host_ended host={} pid={} code={} workers={}", name, process.pid(), code, lost.size());
        lost.forEach(worker -> worker.exited.complete(reasons.getOrDefault(worker.number, others)));
    }

    /**
     * Places a worker, which connects as soon as the process is warm.
     *
     * @param known whether its code has been loaded before: it does not wait until the process is warm
     */
    synchronized WorkerLauncher.Worker place(String worker, Path socket, boolean known) throws IOException {
        if (over || !blamed.isEmpty()) {
            throw new IOException("The worker process %s has just ended".formatted(name));
        }
        Placed placement = new Placed(++lastWorker, worker, socket, !alone, known);
        placed.put(placement.number, placement);
        open(placement);
        return placement;
    }

    /** Asks some workers that have not been asked yet to move to another process. */
    synchronized void moveOut(int some) {
        placed.values().stream()
                .filter(worker -> !worker.renewal.isDone())
                .limit(some)
                .forEach(worker -> worker.renewal.complete(null));
    }

    /** Returns what decides whether this process is replaced. */
    Renewals.Process state() {
        return new Renewals.Process(Duration.ofNanos(System.nanoTime() - startedNanos), heldBytes, started.release());
    }

    /** A worker in this process. */
    private final class Placed implements WorkerLauncher.Worker {

        private final long number;
        private final String worker;
        private final Path socket;
        private final boolean shared;
        private final boolean known;
        private boolean opened; // guarded by the process
        private final CompletableFuture<Integer> exited = new CompletableFuture<>();
        private final CompletableFuture<Void> renewal = new CompletableFuture<>();

        private Placed(long number, String worker, Path socket, boolean shared, boolean known) {
            this.number = number;
            this.worker = worker;
            this.socket = socket;
            this.shared = shared;
            this.known = known;
        }

        @Override
        public long pid() {
            return process.pid();
        }

        @Override
        public CompletableFuture<Integer> exited() {
            return exited.copy();
        }

        @Override
        public CompletableFuture<Void> renewal() {
            return renewal.copy();
        }

        @Override
        public boolean shared() {
            return shared;
        }

        @Override
        public Duration processorTime() {
            return Host.this.processorTime();
        }

        @Override
        public void kill() {
            if (!exited.isDone()) {
                halt(this);
            }
        }
    }

    private void halt(Placed worker) {
        synchronized (this) {
            Link open = link;
            if (open == null) {
                // it has never been opened, or the process is ending
                if (!over && placed.remove(worker.number) != null) {
                    worker.exited.complete(WorkerExit.PEER_GONE.code());
                }
                return;
            }
            try {
                open.send(new Frame.Halt(worker.number));
            } catch (IOException e) {
                LOG.debug("event=halt_not_sent host={} worker={}", name, worker.worker, e);
            }
        }
        CompletableFuture.delayedExecutor(HALT_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> endWith(worker));
    }

    private void endWith(Placed worker) {
        synchronized (this) {
            if (over || worker.exited.isDone()) {
                return;
            }
            LOG.warn("event=worker_late worker={} pid={} missing=\"its end\" action=kill", worker.worker, pid());
            blame(worker.number, WorkerExit.STUCK.code());
        }
        process.destroyForcibly();
    }

    synchronized boolean isWarm() {
        return warm && !over;
    }

    /** Returns whether a worker has been the reason for the end of the process: it gets no others. */
    synchronized boolean isEnding() {
        return !blamed.isEmpty();
    }

    synchronized boolean isOver() {
        return over;
    }

    synchronized int workers() {
        return placed.size();
    }

    long pid() {
        return process.pid();
    }

    String name() {
        return name;
    }

    /** Returns for how long the process has shown no life: a message, or while it starts the use of processor time. */
    synchronized Duration silence() {
        if (!warm) {
            Duration used = processorTime();
            if (used.compareTo(usedWhileStarting) > 0) {
                usedWhileStarting = used;
                heardNanos = System.nanoTime();
            }
        }
        return Duration.ofNanos(System.nanoTime() - heardNanos);
    }

    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Ends the process at once. */
    void kill() {
        process.destroyForcibly();
    }

    /** Asks the process to end, and kills it after a while. Completes when it has ended. */
    CompletableFuture<Void> close() {
        Link open;
        synchronized (this) {
            open = link;
        }
        if (open == null) {
            kill();
            return ended;
        }
        try {
            open.send(new Frame.Shutdown());
        } catch (IOException e) {
            kill();
        }
        CompletableFuture.delayedExecutor(END_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .execute(process::destroyForcibly);
        return ended;
    }
}
