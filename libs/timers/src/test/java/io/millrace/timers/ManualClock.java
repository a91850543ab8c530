package io.millrace.timers;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands until it is moved, forward or back. */
public final class ManualClock implements InstantSource {

    private volatile Instant now = Instant.parse("2026-01-01T12:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    public void move(Duration by) {
        now = now.plus(by);
    }

    public long in(Duration time) {
        return now.plus(time).toEpochMilli();
    }
}
