package io.millrace.eventing.consumer;

import java.time.Duration;

/** How long to wait before the next attempt: longer each time up to a limit, from the start again after a success. */
public final class Backoff {

    private final Duration first;
    private final Duration longest;
    private Duration next;

    public Backoff(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
        this.next = first;
    }

    /** Returns the wait that is due and doubles the one after it. */
    public Duration next() {
        Duration due = next;
        Duration doubled = due.multipliedBy(2);
        next = doubled.compareTo(longest) < 0 ? doubled : longest;
        return due;
    }

    /** Says that an attempt was a success. */
    public void reset() {
        next = first;
    }
}
