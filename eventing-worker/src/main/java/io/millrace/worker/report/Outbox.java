package io.millrace.worker.report;

import io.millrace.worker.WorkerLimits;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.LineInsight;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LogLine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Everything that the worker reports while it runs, sent by one thread so that no handler waits for the link. What an
 * invocation logged leaves before its outcome does.
 */
public final class Outbox {

    private static final Frame.Done END = new Frame.Done(-1, 0, List.of());

    private final Link link;
    private final LogBuffer log;
    private final Counters counters;
    private final LongSupplier nanos;
    private final InsightBook insight;

    /** Bounded by the batches that the service sends before it waits. */
    private final LinkedBlockingQueue<Frame> done = new LinkedBlockingQueue<>();

    public Outbox(Link link, LogBuffer log, Counters counters, InsightBook insight, LongSupplier nanos) {
        this.link = link;
        this.log = log;
        this.counters = counters;
        this.insight = insight;
        this.nanos = nanos;
    }

    public void done(Frame.Done frame) {
        done.add(frame);
    }

    public void deployed(Frame.Deployed frame) {
        done.add(frame);
    }

    public void responded(Frame.Response frame) {
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
        long lifeDue = nanos.getAsLong() + WorkerLimits.SIGN_OF_LIFE.toNanos();
        Duration look = WorkerLimits.LOG_DELAY;
        while (true) {
            Frame next = done.poll(look.toMillis(), TimeUnit.MILLISECONDS);
            // a worker that has nothing to do looks less often: a process may have hundreds of them
            look = next == null && log.size() == 0 ? WorkerLimits.IDLE_LOOK : WorkerLimits.LOG_DELAY;
            sendLog();
            if (next == END || nanos.getAsLong() - countersDue >= 0) {
                sendInsight();
                if (sendCounters(next == END || nanos.getAsLong() - lifeDue >= 0)) {
                    lifeDue = nanos.getAsLong() + WorkerLimits.SIGN_OF_LIFE.toNanos();
                }
                countersDue = nanos.getAsLong() + WorkerLimits.COUNTERS_INTERVAL.toNanos();
            }
            if (next == END) {
                return;
            }
            if (next != null) {
                link.send(next);
            }
        }
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
        List<LineInsight> lines = insight.take();
        if (!lines.isEmpty()) {
            link.send(new Frame.Insight(lines));
        }
    }

    /** Sends what was counted; {@code always} even if that is nothing. Returns whether anything was sent. */
    private boolean sendCounters(boolean always) throws IOException {
        Map<String, Long> deltas = counters.takeDeltas();
        if (deltas.isEmpty() && !always) {
            return false;
        }
        link.send(new Frame.Counters(deltas));
        return true;
    }
}
