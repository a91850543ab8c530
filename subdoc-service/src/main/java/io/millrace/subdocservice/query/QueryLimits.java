package io.millrace.subdocservice.query;

import java.time.Duration;

/** The limits of the query service. */
final class QueryLimits {

    /** The most statements that run, or wait for their turn, at the same time in one process. */
    public static final int MAX_RUNNING = 256;

    /** The most statements that wait for one of them to end. */
    public static final int MAX_WAITING = 10_000;

    /** A statement that computes less than this never waits for others; the longer ones take turns. */
    public static final Duration SHORT_STATEMENT = Duration.ofMillis(50);

    /** When it has computed so long, a long statement goes to the end of the queue. */
    public static final Duration TURN_OF_LONG_STATEMENT = Duration.ofSeconds(5);

    /** The largest request of a statement, in bytes. */
    public static final int MAX_REQUEST_BYTES = 20 << 20;

    /** How long a statement may run if its request does not say. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(75);

    /** So much of a slow statement is logged, in characters. */
    public static final int LOGGED_CHARACTERS = 2_000;

    /** The most of the old generation that may be in use, in percent; beyond it the largest statement is cancelled. */
    public static final int MOST_HEAP_PERCENT = 75;

    /** How long one call of a function in JavaScript may take. */
    public static final Duration FUNCTION_TIMEOUT = Duration.ofSeconds(5);

    /** How much memory one call of a function in JavaScript may hold, in bytes. */
    public static final long FUNCTION_BYTES = 64L << 20;

    /** The most calls of one function in JavaScript that run at the same time; others wait. */
    public static final int THREADS_OF_FUNCTION = 2;

    /** The most functions in JavaScript that stay compiled. */
    public static final int COMPILED_FUNCTIONS = 32;

    private QueryLimits() {}
}
