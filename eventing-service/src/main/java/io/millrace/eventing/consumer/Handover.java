package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves a consumer to a worker in another process, while the worker that it has serves: the process of that one is being
 * renewed. Nothing is handled twice, and nothing waits longer than for the events in flight.
 *
 * <pre>
 *             renewal              ready           nothing in flight         it serves
 *  SERVING -----------> PREPARING -------> HOLDING ------------------> READY ---------> SERVING
 *     ^                     |                 |
 *     +---------------------+-----------------+  failed, too late, or other code meanwhile: again after a while
 * </pre>
 */
final class Handover {

    private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

    /** How long events may be held back until those in flight are handled. */
    private static final Duration HOLDING = Duration.ofSeconds(10);

    private static final Duration AGAIN = Duration.ofSeconds(30);

    private final String name;
    private final WorkerLauncher launcher;
    private final Standing standing;
    private final Reports reports;
    private final InFlight inFlight;
    private final Runnable resume;

    private volatile boolean holding;

    // guarded by this
    private @Nullable Session ready;
    private boolean over;

    /** The view of the consumer. */
    @FunctionalInterface
    interface InFlight {

        /** Waits until the worker of a session has nothing to do; returns false when it takes too long, or has another. */
        boolean ended(Session of, Duration atMost) throws InterruptedException;
    }

    /** @param resume called when what was held back may be sent to the present worker after all */
    Handover(
            String name,
            WorkerLauncher launcher,
            Standing standing,
            Reports reports,
            InFlight inFlight,
            Runnable resume) {
        this.name = name;
        this.launcher = launcher;
        this.standing = standing;
        this.reports = reports;
        this.inFlight = inFlight;
        this.resume = resume;
    }

    /** Returns whether events must wait for the next worker. */
    boolean holding() {
        return holding;
    }

    /** Takes note of the worker that serves from now on. */
    void serves(Session session) {
        holding = false;
        session.worker()
                .renewal()
                .thenRun(() -> Thread.ofVirtual().name(name + "-moves").start(() -> move(session)));
    }

    /** Returns the next worker when it is ready to serve; null when one has to be started. */
    synchronized @Nullable Session take() {
        Session next = ready;
        ready = null;
        return next;
    }

    /** Returns whether the worker that has just ended has a successor that is ready. */
    synchronized boolean isReady() {
        return ready != null;
    }

    /** Ends the next worker, because the consumer has ended. */
    void close() {
        Session next;
        synchronized (this) {
            over = true;
            next = take();
        }
        reports.calls().release();
        if (next != null) {
            next.kill();
        }
    }

    private void move(Session from) {
        try {
            while (!attempt(from) && !ends(from)) {
                LOG.info("event=move_repeated worker={} pid={}", name, from.pid());
            }
        } catch (InterruptedException e) {
            LOG.debug("event=move_ended worker={}", name, e);
        }
    }

    /** Waits for a while; returns whether the worker has ended, so that its successor has another process already. */
    private static boolean ends(Session from) throws InterruptedException {
        try {
            from.worker().exited().get(AGAIN.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }

    /** Returns whether the worker has a successor, which serves as soon as it has ended. */
    private boolean attempt(Session from) throws InterruptedException {
        long began = System.nanoTime();
        WorkerSetup setup = reports.calls().setup();
        Session next = null;
        try {
            next = Session.open(name, setup, standing.placement(), launcher);
            next.greet(reports::take);
            long held = System.nanoTime();
            if (handOver(from, next, setup)) {
                LOG.info(
                        "event=worker_moved worker={} from_pid={} pid={} start_ms={} held_ms={}",
                        name,
                        from.pid(),
                        next.pid(),
                        TimeUnit.NANOSECONDS.toMillis(held - began),
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - held));
                return true;
            }
        } catch (IOException | HandlerRejected e) {
            LOG.warn("event=worker_not_moved worker={} pid={} reason=\"{}\"", name, from.pid(), e.getMessage());
        }
        if (next != null) {
            next.close();
        }
        return false;
    }

    private boolean handOver(Session from, Session next, WorkerSetup setup) throws InterruptedException {
        holding = true;
        reports.calls().hold();
        boolean handedOver = false;
        try {
            handedOver = inFlight.ended(from, HOLDING) && reports.calls().setup() == setup && put(next);
        } finally {
            if (!handedOver) {
                holding = false;
                reports.calls().release();
                resume.run();
            }
        }
        if (handedOver) {
            end(from);
        }
        return handedOver;
    }

    private synchronized boolean put(Session next) {
        if (over) {
            return false;
        }
        ready = next;
        return true;
    }

    /** What it has counted and logged is sent before it ends. */
    private static void end(Session from) {
        try {
            from.send(new Frame.Shutdown());
        } catch (IOException e) {
            from.kill();
        }
        CompletableFuture.delayedExecutor(HOLDING.toMillis(), TimeUnit.MILLISECONDS)
                .execute(from::kill);
    }
}
