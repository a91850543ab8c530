package io.millrace.worker.trial;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands until it is set. */
public final class Moment implements InstantSource {

    private volatile Instant now;

    public Moment(Instant now) {
        this.now = now;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** Sets the clock; an earlier time than it shows is ignored. */
    void reach(Instant time) {
        if (time.isAfter(now)) {
            now = time;
        }
    }
}
