package io.millrace.eventing.kafka;

import java.time.Duration;

/**
 * Which failures to read a topic are news: one that comes again and again is not, even if the cluster, which may tell where
 * messages are, can be reached in between. Times are those of {@link System#nanoTime}. Not thread-safe.
 */
public final class Trouble {

    private final Duration end;
    private String known = "";
    private long begunNanos;

    /** @param end after so long without a failure there is no trouble any more */
    public Trouble(Duration end) {
        this.end = end;
    }

    /** The topic is being read again. */
    public void begun(long nanos) {
        begunNanos = nanos;
    }

    /** Returns whether the topic has been read for long enough. */
    public boolean isOver(long nanos) {
        boolean over = nanos - begunNanos >= end.toNanos();
        if (over) {
            known = "";
        }
        return over;
    }

    /** Returns whether a reason differs from the last one. */
    public boolean isNew(String reason) {
        boolean fresh = !reason.equals(known);
        known = reason;
        return fresh;
    }
}
