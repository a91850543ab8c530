package io.millrace.subdocservice.query;

import java.time.Duration;

/** The limits of the query service. */
public final class QueryLimits {

    /** The most statements that run at the same time in one process. */
    public static final int MAX_RUNNING = 32;

    /** The most statements that wait for their turn behind them. */
    public static final int MAX_WAITING = 10_000;

    /** The largest request of a statement, in bytes. */
    public static final int MAX_REQUEST_BYTES = 20 << 20;

    /** How long a statement may run when its request does not say. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(75);

    /** So much of the heap's old part may be in use, in percent; beyond it the largest statement is ended. */
    public static final int MOST_HEAP_PERCENT = 75;

    private QueryLimits() {}
}
