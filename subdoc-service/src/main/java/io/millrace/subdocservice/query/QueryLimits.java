package io.millrace.subdocservice.query;

import java.time.Duration;

/** The limits of the query service. */
final class QueryLimits {

    /** The most statements that run at the same time in one process. */
    public static final int MAX_RUNNING = 32;

    /** The most statements that wait for one of them to end. */
    public static final int MAX_WAITING = 10_000;

    /** The largest request of a statement, in bytes. */
    public static final int MAX_REQUEST_BYTES = 20 << 20;

    /** How long a statement may run if its request does not say. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(75);

    /** The most of the old generation that may be in use, in percent; beyond it the largest statement is cancelled. */
    public static final int MOST_HEAP_PERCENT = 75;

    private QueryLimits() {}
}
