package io.millrace.eventing.consumer;

import io.millrace.eventing.metrics.DeliveryMetrics;
import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.eventing.metrics.FunctionLog;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.LinkException;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events to one worker process and keeps one running: a worker that dies, or does not answer in time, gets a
 * successor, which is sent everything unacknowledged, in order, before anything newer.
 *
 * <p>The thread that adds events also sends them as far as the window allows; the thread that receives outcomes sends
 * the rest. So an event changes threads at most once between the feed and the socket.
 */
public final class Consumer {

    private static final Logger LOG = LoggerFactory.getLogger(Consumer.class);
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String name;
    private final WorkerLauncher launcher;
    private final DeliverySettings settings;
    private final DeliveryMetrics metrics;
    private final BooleanSupplier gate;
    private final Acknowledgements acknowledgements;
    private final Standing standing;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // guarded by the lock
    private final Outbox outbox;
    private @Nullable Session session;
    private WorkerLauncher.@Nullable Worker starting;
    private boolean draining;
    private boolean closing;
    private boolean progress;
    private int settling;
    private int rejoining;

    /** Whether the worker that died last was called outside the feed. */
    private volatile boolean called;

    private final Supervision supervision;
    private final Deadlines deadlines;
    private final Calls calls;
    private final Reports reports;
    private final Handover handover;
    private volatile long pid;
    private volatile long heardNanos;
    private volatile String runtime = "";

    /**
     * @param placement with whom the worker may share a process
     * @param gate whether events may be sent to the worker now; {@link #sendWaiting} sends what it held back
     */
    public Consumer(
            String name,
            WorkerSetup setup,
            Placement placement,
            WorkerLauncher launcher,
            DeliverySettings settings,
            FunctionCounts counts,
            FunctionLog log,
            BooleanSupplier gate,
            Acknowledgements acknowledgements) {
        this.name = name;
        this.launcher = launcher;
        this.settings = settings;
        this.metrics = counts.delivery();
        this.gate = gate;
        this.acknowledgements = acknowledgements;
        this.standing = new Standing(launcher.suspects(), placement, this::sendWaiting);
        this.deadlines = new Deadlines(settings, setup);
        this.calls = new Calls(setup);
        this.reports = new Reports(log, counts.counters(), metrics, calls);
        this.handover = new Handover(name, launcher, standing, reports, this::awaitIdle, this::sendWaiting);
        this.supervision = new Supervision(
                name,
                settings,
                metrics,
                () -> locked(() -> closing),
                this::live,
                handover::isReady,
                this::afterDeath,
                this::waitOut);
        this.outbox = new Outbox(setup.limits().threads(), settings, counts.queueMicros());
    }

    /**
     * Starts the first worker. Completes when it is ready; fails with {@link HandlerRejected} when the handler cannot
     * run. A worker that dies before it is ready gets a successor.
     */
    public CompletableFuture<Void> start() {
        Thread.ofVirtual().name(name).start(() -> supervision.run(ready, ended));
        Pulse.every(settings.watchInterval(), Deadlines.rest(settings)).until(ended, this::killWhenLate);
        ended.whenComplete((end, failure) -> handover.close())
                .whenComplete((end, failure) -> standing.leave()); // others wait for the turn that it may have
        return ready;
    }

    /**
     * Takes events for a thread of the worker, in order, and waits while that thread is full. Returns false when the
     * consumer has stopped taking events.
     *
     * @param readNanos when the events were read, by {@link System#nanoTime}
     */
    public boolean submit(int thread, List<Event> events, long readNanos) throws InterruptedException {
        return submit(thread, events, readNanos, () -> true);
    }

    /** Does so if the events are still wanted when there is room for them; otherwise returns false. */
    public boolean submit(int thread, List<Event> events, long readNanos, BooleanSupplier wanted)
            throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (outbox.full(thread) && !draining) {
                changed.await();
            }
            if (draining || !wanted.getAsBoolean()) {
                return false;
            }
            outbox.add(thread, events, readNanos);
            pump(thread);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes an event once more if it is wanted. No outcome is acknowledged between that question and the taking. */
    public Rejoined rejoin(int thread, Event event, BooleanSupplier wanted) {
        return locked(() -> {
            for (rejoining++; settling > 0 && !draining; ) {
                changed.awaitUninterruptibly();
            }
            rejoining--;
            if (!draining && outbox.hasLater(thread, event)) {
                return Rejoined.SUPERSEDED;
            } else if (draining || !wanted.getAsBoolean()) {
                return Rejoined.REFUSED;
            }
            outbox.add(thread, List.of(event), System.nanoTime());
            pump(thread);
            return Rejoined.TAKEN;
        });
    }

    /** Sends what the window of a thread allows. Holds the lock. */
    private void pump(int thread) {
        if (session == null || draining || handover.holding() || !standing.maySend() || !gate.getAsBoolean()) {
            return;
        }
        Session to = session;
        try {
            Frame.Batch batch;
            while ((batch = outbox.take(thread, System.nanoTime())) != null) {
                to.send(batch);
                metrics.sent(batch);
            }
        } catch (IOException e) {
            // the receiving thread finds the link closed and starts a successor
            LOG.debug("event=send_failed worker={} pid={}", name, to.pid(), e);
            to.kill();
        }
    }

    /** Sends waiting events, or starts a waiting worker, as far as that is allowed now. */
    public void sendWaiting() {
        locked(() -> {
            changed.signalAll();
            pumpAll();
            return draining;
        });
    }

    private void pumpAll() {
        for (int thread = 0; thread < outbox.threads(); thread++) {
            pump(thread);
        }
    }

    /** Runs one worker until it ends; returns why it ended. */
    private Death live() {
        Session next = handover.take();
        reports.counters().of("worker_spawn_counter").add(next == null ? 1 : 0);
        try (Session opened = next != null ? next : Session.open(name, calls.setup(), calls.next(standing), launcher)) {
            setStarted(opened.worker());
            boolean served = next != null;
            try {
                if (!served) {
                    opened.greet(reports::take);
                    LOG.info(
                            "event=worker_ready worker={} pid={} runtime=\"{}\"", name, opened.pid(), opened.runtime());
                }
                served = true;
                serve(opened);
                return opened.death(true);
            } catch (IOException e) {
                return e instanceof LinkException || !served
                        ? opened.death(served)
                        : Death.own(String.valueOf(e.getMessage()));
            } finally {
                setSession(null);
                called = calls.ended();
            }
        } catch (HandlerRejected e) {
            if (!ready.isDone() || calls.untried()) {
                (ready.isDone() ? ended : ready).completeExceptionally(e);
                kill();
            }
            return Death.own("the handler was rejected: " + e.getMessage());
        } catch (IOException e) {
            return Death.own(String.valueOf(e.getMessage()));
        } finally {
            setStarted(null);
            pid = 0;
        }
    }

    private void serve(Session opened) throws IOException {
        pid = opened.pid();
        runtime = opened.runtime();
        heardNanos = System.nanoTime();
        handover.serves(opened);
        setSession(opened);
        calls.opened(opened);
        ready.complete(null);
        for (Optional<Frame> frame = opened.receive(); frame.isPresent(); frame = opened.receive()) {
            heardNanos = System.nanoTime();
            if (frame.get() instanceof Frame.Done done) {
                done(done);
            } else {
                reports.take(frame.get());
            }
        }
    }

    private void done(Frame.Done done) throws IOException {
        List<Event> events;
        lock.lock();
        try {
            boolean isolating = outbox.isolating();
            events = outbox.done(done, System.nanoTime());
            if (events.isEmpty()) {
                throw new IOException("The worker answered batch %d of thread %d, which is not the oldest one in flight"
                        .formatted(done.batch(), done.thread()));
            }
            settling = events.size();
            progress = true;
            standing.clearedIf(!outbox.suspicious());
            if (isolating) {
                pumpAll();
            } else {
                pump(done.thread());
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        metrics.done(events, done.outcomes());
        for (int i = 0; i < events.size(); i++) {
            acknowledgements.acknowledged(events.get(i), done.outcome(i));
        }
        settled();
    }

    /** Returns what the worker is asked outside the feed. */
    public Calls calls() {
        return calls;
    }

    private void settled() {
        locked(() -> {
            settling = 0;
            if (draining || rejoining > 0) {
                changed.signalAll();
            }
            return settling;
        });
    }

    private boolean afterDeath(Death death) {
        Outbox.NotResent notResent;
        boolean useful;
        lock.lock();
        try {
            boolean involved = !death.served() || called || outbox.inFlightEvents() > 0;
            notResent = outbox.workerDied(System.nanoTime(), standing.died(death, involved));
            useful = progress;
            progress = false;
            settling = 1;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        notResent.acknowledge(acknowledgements, metrics, settings.poisonDeaths(), calls.version());
        settled();
        return useful;
    }

    private void waitOut(Duration backoff) throws InterruptedException {
        long until = System.nanoTime() + backoff.toNanos();
        await(() -> closing || System.nanoTime() - until >= 0 && standing.mayStart(), () -> false, FOREVER);
    }

    /** Kills a worker that has missed a deadline. Returns whether it has none that is near: it is ready and has nothing to answer. */
    private boolean killWhenLate() {
        if (!lock.tryLock()) {
            return false; // others are looked at on this thread, and the lock is held while events are being sent
        }
        try {
            String late = deadlines.missed(session != null, heardNanos, outbox, starting);
            if (late != null) {
                LOG.warn("event=worker_late worker={} pid={} missing=\"{}\" action=kill", name, pid, late);
                Thread.ofVirtual().name(name + "-late").start(killing());
            }
            return Deadlines.none(session != null, outbox);
        } finally {
            lock.unlock();
        }
    }

    /** Returns what ends the worker that there is now. Holds the lock. */
    private Runnable killing() {
        return session != null ? session::kill : starting != null ? starting::kill : () -> {};
    }

    /** Stops taking and sending. Events that were taken and not sent are dropped. */
    public void stopTaking() {
        locked(() -> {
            changed.signalAll();
            return draining = true;
        });
    }

    /** Drops events that were taken and not sent, and takes events again. */
    public void resumeTaking() {
        locked(() -> {
            outbox.dropWaiting();
            return draining = closing;
        });
    }

    /** Stops taking events and waits until every event that was sent is acknowledged. Returns false on a timeout. */
    public boolean drain(Duration atMost) throws InterruptedException {
        stopTaking();
        return await(() -> settling == 0 && outbox.inFlightEvents() == 0, () -> closing, atMost);
    }

    /** Waits until a worker has nothing to do; returns false when that takes too long, or the consumer has another one. */
    private boolean awaitIdle(Session of, Duration atMost) throws InterruptedException {
        return await(
                () -> session == of && settling == 0 && outbox.inFlightEvents() == 0 && calls.idle(),
                () -> closing || session != of,
                atMost);
    }

    private boolean await(BooleanSupplier done, BooleanSupplier hopeless, Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (!done.getAsBoolean()) {
                if (System.nanoTime() - until >= 0 || hopeless.getAsBoolean()) {
                    return false;
                }
                changed.awaitNanos(LOOK_NANOS);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a future that completes when this consumer has ended, exceptionally when it crashed. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    /** Asks the worker to end and kills it after a timeout. Completes when it has ended. */
    public CompletableFuture<Void> close() {
        Session current = locked(() -> {
            draining = closing = true;
            changed.signalAll();
            if (session == null && starting != null) {
                starting.kill();
            }
            return session;
        });
        ready.cancel(false);
        if (current != null) {
            try {
                current.send(new Frame.Shutdown());
            } catch (IOException e) {
                LOG.debug("event=shutdown_not_sent worker={}", name, e);
            }
            CompletableFuture.delayedExecutor(settings.shutdownTimeout().toMillis(), TimeUnit.MILLISECONDS)
                    .execute(current::kill);
        }
        return ended;
    }

    /** Ends the worker at once. */
    public CompletableFuture<Void> kill() {
        locked(() -> {
            killing().run();
            changed.signalAll();
            return draining = closing = true;
        });
        ready.cancel(false);
        return ended;
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    private void setStarted(WorkerLauncher.@Nullable Worker worker) {
        locked(() -> {
            deadlines.begin();
            if (worker != null && closing) {
                worker.kill();
            }
            return Optional.ofNullable(starting = worker);
        });
    }

    private void setSession(@Nullable Session current) {
        locked(() -> {
            session = current;
            if (current == null) {
                changed.signalAll();
            } else if (closing) {
                current.kill();
            } else {
                standing.clearedIf(!outbox.suspicious());
                pumpAll();
            }
            return closing;
        });
    }

    public String name() {
        return name;
    }

    /** Returns the worker's process id, 0 while there is none. */
    public long pid() {
        return pid;
    }

    /** Returns why the worker has a process of its own although its function may share one; "" when it has not. */
    public String apart() {
        return standing.convictedFor();
    }

    /** Returns what a worker that cannot handle anything waits for; "" when it can. */
    public String waitsFor() {
        return standing.waitsFor();
    }

    /** Returns how the worker runs handlers; "" while unknown. */
    public String runtime() {
        return runtime;
    }

    /** Returns how many events were taken and are not acknowledged. */
    public long unacknowledged() {
        return locked(() -> outbox.unacknowledged() + settling);
    }

    /** Returns the size of the events that wait to be sent, in bytes. */
    public long waitingBytes() {
        return locked(outbox::waitingBytes);
    }
}
