package io.millrace.subdocservice.rest;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until the test advances it. */
final class TestClock implements InstantSource {

    private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

    private volatile Instant now = START;

    @Override
    public Instant instant() {
        return now;
    }

    void reset() {
        now = START;
    }

    void advance(Duration duration) {
        now = now.plus(duration);
    }
}
