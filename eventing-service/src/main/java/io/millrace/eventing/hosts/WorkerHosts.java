package io.millrace.eventing.hosts;

import io.millrace.eventing.consumer.Backoff;
import io.millrace.eventing.consumer.Placement;
import io.millrace.eventing.consumer.Suspects;
import io.millrace.eventing.consumer.WorkerLauncher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker processes of this node. Before any function needs it one is warm; while functions run so are the spares.
 * A process gets the domain of the first worker that is placed in it, and keeps it. Thread-safe.
 */
public final class WorkerHosts implements WorkerLauncher, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerHosts.class);

    private static final Duration WATCH = Duration.ofSeconds(1);
    private static final Duration SILENCE = Duration.ofSeconds(60);

    /** A process without workers is kept for so long: its functions may be deployed again. */
    private static final Duration KEPT_EMPTY = Duration.ofMinutes(5);

    /** How many workers of a process that is replaced are asked to move, each {@link #WATCH}. */
    private static final int MOVED_AT_ONCE = 4;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration CLOSING = Duration.ofSeconds(12);

    private final HostSettings settings;
    private final Duration keptEmpty;
    private final DeadConnections connections;
    private final HostProcesses processes;
    private final Renewals renewals;
    private final Suspects suspects = new Suspects();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile BooleanSupplier crowded = () -> false;

    // guarded by the lock
    private final List<Host> hosts = new ArrayList<>();
    private final Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    private boolean pausing;
    private boolean warming;
    private boolean used;
    private int lastNumber;

    /** The process whose workers are moving to others; one at a time. */
    private @Nullable Host retiring;

    /** @param connections those of the processes to the Redis of the settings */
    public WorkerHosts(HostSettings settings, DeadConnections connections) {
        this(settings, connections, KEPT_EMPTY);
    }

    WorkerHosts(HostSettings settings, DeadConnections connections, Duration keptEmpty) {
        this.settings = settings;
        this.connections = connections;
        this.keptEmpty = keptEmpty;
        this.processes = new HostProcesses(settings);
        this.renewals = new Renewals(settings.home(), settings.heapMib(), settings.renewal(), System::nanoTime);
    }

    /** Begins to watch the processes; those that functions need are started also before. */
    public void start() {
        Thread.ofVirtual().name("hosts-watch").start(this::watch);
    }

    /** Sets when no spare is to be started because it would keep functions waiting that are being started. */
    public void noSpareWhile(BooleanSupplier crowded) {
        this.crowded = crowded;
    }

    /** Keeps a process warm from now on, before any function needs one; without spares there is none. */
    public void warmUp() {
        lock.lock();
        try {
            warming = true;
            fill();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Suspects suspects() {
        return suspects;
    }

    @Override
    public boolean ready() {
        return settings.spares() == 0 || warm() > 0;
    }

    @Override
    public Worker launch(String name, Path socket, Placement placement) throws IOException {
        lock.lock();
        try {
            if (closed.isDone()) {
                throw new IOException("This node is shutting down");
            }
            used = true;
            boolean alone = switch (placement.isolation()) {
                case NODE -> settings.apart();
                case SHARED -> false;
                case PROCESS -> true;
            };
            Host host = alone
                    ? forOne(placement.start() == Placement.Start.YIELDING)
                    : forDomain(settings.mixing() ? "" : placement.domain());
            Worker worker = host.place(name, socket, placement.start() == Placement.Start.KNOWN);
            LOG.info(
                    "event=worker_placed worker={} host={} pid={} alone={}", name, host.name(), host.pid(), host.alone);
            fill();
            return worker;
        } finally {
            lock.unlock();
        }
    }

    /** Holds the lock. */
    private Host forOne(boolean yielding) throws IOException {
        Host host = yielding ? starting() : unassigned();
        host.assigned = true;
        host.alone = true;
        return host;
    }

    /** Returns the process of a domain with the fewest workers. Holds the lock. */
    private Host forDomain(String domain) throws IOException {
        List<Host> candidates = living(host ->
                        host.assigned && !host.alone && !host.retired && !host.isEnding() && host.domain.equals(domain))
                .toList();
        Optional<Host> emptiest = candidates.stream()
                .min(Comparator.<Host>comparingInt(host -> host.isWarm() ? 0 : 1)
                        .thenComparingInt(Host::workers));
        if (emptiest.isPresent()
                && (candidates.size() >= settings.count() || emptiest.get().workers() == 0)) {
            return emptiest.get();
        }
        if (emptiest.isPresent()
                && living(host -> !host.assigned && host.isWarm()).findAny().isEmpty()) {
            return emptiest.get(); // another process is not worth waiting for
        }
        Host host = unassigned();
        host.assigned = true;
        host.domain = domain;
        return host;
    }

    private Stream<Host> living(Predicate<Host> such) {
        return hosts.stream().filter(host -> !host.isOver()).filter(such);
    }

    /** Returns a process without workers, a warm one if there is one. Holds the lock. */
    private Host unassigned() throws IOException {
        Optional<Host> free =
                living(host -> !host.assigned).min(Comparator.comparingInt(host -> host.isWarm() ? 0 : 1));
        return free.isPresent() ? free.get() : startHost();
    }

    /** Returns a process without workers that is not warm yet. Holds the lock. */
    private Host starting() throws IOException {
        Optional<Host> free = living(host -> !host.assigned && !host.isWarm()).findAny();
        return free.isPresent() ? free.get() : startHost();
    }

    private Host startHost() throws IOException {
        Host host = Host.start("host-" + ++lastNumber, settings.redisUri(), processes, connections, this::changed);
        hosts.add(host);
        return host;
    }

    /** Returns how many processes without functions are to be ready. Holds the lock. */
    private int wantedFree() {
        if (used) {
            return settings.spares();
        }
        return warming ? Math.min(1, settings.spares()) : 0;
    }

    /** Starts what is missing, one after another. Holds the lock. */
    private void fill() {
        long starting = living(host -> !host.isWarm()).count();
        long free = living(host -> !host.assigned).count();
        if (closed.isDone() || pausing || starting > 0 || free >= wantedFree() || used && crowded.getAsBoolean()) {
            return;
        }
        try {
            startHost();
        } catch (IOException e) {
            LOG.warn("event=host_not_started reason=\"{}\"", e.getMessage());
            pause();
        }
    }

    /** Holds the lock. */
    private void pause() {
        pausing = true;
        CompletableFuture.delayedExecutor(backoff.next().toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    lock.lock();
                    try {
                        pausing = false;
                        fill();
                    } finally {
                        lock.unlock();
                    }
                });
    }

    /** A process has become warm, or it or one of its workers has ended. */
    private void changed(Host host) {
        lock.lock();
        try {
            if (host.isOver()) {
                boolean unexpected = hosts.remove(host);
                if (unexpected && !host.assigned && !closed.isDone()) {
                    pause(); // it has ended before it was of any use
                }
            } else if (host.isWarm() && (host.alone || host.retired) && host.workers() == 0) {
                host.close();
            } else if (host.isWarm()) {
                backoff.reset();
            }
            fill();
        } finally {
            lock.unlock();
        }
    }

    /** Kills processes that are silent. */
    private void watch() {
        while (true) {
            try {
                closed.get(WATCH.toNanos(), TimeUnit.NANOSECONDS);
                return;
            } catch (TimeoutException e) {
                endEmpty();
                renew();
                silent().forEach(host -> {
                    LOG.warn(
                            "event=host_late host={} pid={} missing=\"a sign of life\" action=kill",
                            host.name(),
                            host.pid());
                    host.kill();
                });
            } catch (ExecutionException | InterruptedException e) {
                return;
            }
        }
    }

    /** Ends processes that have been empty for long; the owners of their functions may never come back. */
    private void endEmpty() {
        lock.lock();
        try {
            long now = System.nanoTime();
            living(host -> host.workers() > 0).forEach(host -> host.emptySince = now);
            List<Host> empty = living(host -> host.isWarm() && now - host.emptySince > keptEmpty.toNanos())
                    .toList();
            used = living(host -> host.assigned).count()
                    > empty.stream().filter(host -> host.assigned).count();
            long surplus = living(host -> !host.assigned).count() - wantedFree();
            Stream.concat(
                            empty.stream().filter(host -> host.assigned),
                            empty.stream().filter(host -> !host.assigned).limit(Math.max(0, surplus)))
                    .forEach(host -> {
                        LOG.info("event=host_not_needed host={} pid={}", host.name(), host.pid());
                        hosts.remove(host);
                        host.close();
                    });
            fill();
        } finally {
            lock.unlock();
        }
    }

    /** Replaces the processes that are due, one at a time: its workers move to others while they serve. */
    private void renew() {
        lock.lock();
        try {
            renewals.look();
            if (retiring == null || retiring.isOver()) {
                retiring = nextToRetire();
            }
            Host host = retiring;
            if (host != null) {
                host.moveOut(MOVED_AT_ONCE);
                changed(host);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns a process that is due, which gets no workers from now on; or null. Holds the lock. */
    private @Nullable Host nextToRetire() {
        List<Host> sparesFirst = living(Host::isWarm)
                .sorted(Comparator.comparing(host -> host.assigned))
                .toList();
        for (Host host : sparesFirst) {
            Optional<String> why = renewals.due(host.state());
            if (why.isPresent()) {
                LOG.info(
                        "event=host_renewed host={} pid={} reason={} workers={}",
                        host.name(),
                        host.pid(),
                        why.get(),
                        host.workers());
                host.retired = true;
                host.assigned = true; // so that another one is kept ready in its place
                return host;
            }
        }
        return null;
    }

    private List<Host> silent() {
        lock.lock();
        try {
            return living(host -> host.silence().compareTo(SILENCE) > 0).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many processes are ready for workers. */
    int warm() {
        lock.lock();
        try {
            return (int) living(Host::isWarm).count();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many processes are ready for workers and have never had any. */
    int spare() {
        lock.lock();
        try {
            return (int) living(host -> !host.assigned && host.isWarm()).count();
        } finally {
            lock.unlock();
        }
    }

    /** Ends every process, and waits for that. */
    @Override
    public void close() {
        List<Host> last;
        lock.lock();
        try {
            closed.complete(null);
            last = List.copyOf(hosts);
        } finally {
            lock.unlock();
        }
        CompletableFuture.allOf(last.stream().map(Host::close).toArray(CompletableFuture[]::new))
                .orTimeout(CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(late -> null)
                .join();
    }
}
