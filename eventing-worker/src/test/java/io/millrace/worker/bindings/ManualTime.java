package io.millrace.worker.bindings;

import java.time.Duration;

/** Time that passes only when a caller sleeps. */
final class ManualTime implements Time {

    private long nanos = -5_000_000_000L;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public void sleep(Duration pause) {
        nanos += pause.toNanos();
    }
}
