package io.millrace.worker.report;

import io.millrace.redis.CommonTimes;
import io.millrace.worker.WorkerLimits;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LogLine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Everything that the worker reports while it runs, sent by one thread so that no handler waits for the link. What an
 * invocation logged leaves before its outcome does.
 */
public final class Outbox {

    private static final Frame.Done END = new Frame.Done(-1, 0, List.of());

    /** Ends a rest. */
    private static final Frame.Done BEGUN = new Frame.Done(-2, 0, List.of());

    private final Link link;
    private final LogBuffer log;
    private final Counters counters;
    private final LongSupplier nanos;
    private final InsightBook insight;
    private final Duration signOfLife;

    /** Bounded by the batches that the service sends before it waits. */
    private final LinkedBlockingQueue<Frame> done = new LinkedBlockingQueue<>();

    /** How many handler threads have something to do. */
    private final AtomicInteger working = new AtomicInteger();

    /** Whether {@link #run} waits, or is about to, until a thread begins. */
    private volatile boolean resting;

    public Outbox(Link link, LogBuffer log, Counters counters, InsightBook insight, LongSupplier nanos) {
        this(link, log, counters, insight, nanos, WorkerLimits.SIGN_OF_LIFE);
    }

    Outbox(Link link, LogBuffer log, Counters counters, InsightBook insight, LongSupplier nanos, Duration signOfLife) {
        this.signOfLife = signOfLife;
        this.link = link;
        this.log = log;
        this.counters = counters;
        this.insight = insight;
        this.nanos = nanos;
    }

    /** Says that a handler thread begins to do something, of which there may be something to report. */
    public void begin() {
        working.incrementAndGet();
        if (resting) {
            resting = false;
            done.add(BEGUN);
        }
    }

    /** Says that a handler thread waits. */
    public void end() {
        working.decrementAndGet();
    }

    boolean resting() {
        return resting;
    }

    public void done(Frame.Done frame) {
        done.add(frame);
    }

    public void spans(Frame.Spans frame) {
        done.add(frame);
    }

    public void deployed(Frame.Deployed frame) {
        done.add(frame);
    }

    public void responded(Frame.Response frame) {
        done.add(frame);
    }

    /** Reports a piece of a response; a {@link Frame.Begun} or {@link Frame.Part}. */
    public void streamed(Frame frame) {
        done.add(frame);
    }

    public void swapped() {
        done.add(new Frame.Swapped());
    }

    /** Lets {@link #run} return when it has sent everything that was reported before. */
    public void finish() {
        done.add(END);
    }

    /** Sends until {@link #finish}. */
    public void run() throws IOException, InterruptedException {
        long countersDue = nanos.getAsLong() + WorkerLimits.COUNTERS_INTERVAL.toNanos();
        long lifeDue = nextLife();
        Duration look = WorkerLimits.LOG_DELAY;
        boolean quiet = false; // whether nothing was reported or counted since the last look but one
        while (true) {
            Frame next = done.poll(look.toNanos(), TimeUnit.NANOSECONDS);
            boolean silent = nanos.getAsLong() - lifeDue >= 0;
            lifeDue = silent ? nextLife() : lifeDue;
            look = next == null && log.size() == 0 ? pause(quiet, lifeDue) : WorkerLimits.LOG_DELAY;
            quiet &= next == null;
            sendLog();
            if (next == END || silent || nanos.getAsLong() - countersDue >= 0) {
                sendInsight();
                quiet = !sendCounters(next == END || silent);
                lifeDue = quiet ? lifeDue : nextLife();
                countersDue = nanos.getAsLong() + WorkerLimits.COUNTERS_INTERVAL.toNanos();
            }
            if (next == END) {
                return;
            }
            if (next != null && next != BEGUN) {
                link.send(next);
            }
        }
    }

    /** Returns when to show life next: the workers of a process do that together. */
    private long nextLife() {
        long now = nanos.getAsLong();
        return now + CommonTimes.within(signOfLife.toNanos(), now);
    }

    /**
     * Returns how long to wait for something to report while there is nothing. A worker without anything to do shows that it
     * lives and no more: a process may have hundreds of them.
     */
    private Duration pause(boolean quiet, long lifeDue) {
        resting = quiet;
        if (!quiet || working.get() > 0) { // a thread that begins sees the rest, or is seen here
            resting = false;
            return WorkerLimits.IDLE_LOOK;
        }
        return Duration.ofNanos(Math.max(WorkerLimits.IDLE_LOOK.toNanos(), lifeDue - nanos.getAsLong()));
    }

    /** Sends what was logged until now, and no more: a handler may log without end. */
    private void sendLog() throws IOException {
        for (int waiting = log.size(); waiting > 0; ) {
            List<LogLine> lines = log.take();
            link.send(new Frame.Log(lines));
            waiting -= lines.size();
        }
    }

    private void sendInsight() throws IOException {
        for (Frame.Insight seen : insight.take()) {
            link.send(seen);
        }
    }

    /** Sends what was counted; {@code always} even if that is nothing. Returns whether anything was counted. */
    private boolean sendCounters(boolean always) throws IOException {
        Map<String, Long> deltas = counters.takeDeltas();
        if (deltas.isEmpty() && !always) {
            return false;
        }
        link.send(new Frame.Counters(deltas));
        return !deltas.isEmpty();
    }
}
