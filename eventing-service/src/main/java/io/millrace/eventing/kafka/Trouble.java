package io.millrace.eventing.kafka;

import java.time.Duration;

/**
 * Which failures to read a topic are news: one that comes again and again is not, even if the cluster, which may tell where
 * messages are, can be reached in between. Times are those of {@link System#nanoTime}. Not thread-safe.
 */
public final class Trouble {

    private final Duration end;
    private String known = "";
    private long resumedNanos;

    /** @param end after so long without a failure there is no trouble any more */
    public Trouble(Duration end) {
        this.end = end;
    }

    /** The topic is being read again. */
    public void resumed(long nanos) {
        resumedNanos = nanos;
    }

    /** Ends the trouble if the topic has been read for long enough, and returns whether it has. */
    public boolean endsIfRead(long nanos) {
        boolean over = nanos - resumedNanos >= end.toNanos();
        if (over) {
            known = "";
        }
        return over;
    }

    /** Notes the reason of a failure, and returns whether it differs from the last one. */
    public boolean note(String reason) {
        boolean fresh = !reason.equals(known);
        known = reason;
        return fresh;
    }
}
