package io.millrace.httpdoor;

import java.time.Duration;

/** The limits of requests and responses that do not fit into the budget of their service. */
final class ByteBudgetLimits {

    /** The largest request or response in bytes that may use the last quarter of the budget of a service. */
    public static final int SMALL_BYTES = 64 * 1024;

    /** The most requests that wait for room in the budget of a service; a further one is refused at once. */
    public static final int MAX_WAITING = 1_000;

    /** The smallest budget of a service in bytes, however small its heap is: one largest document and some small ones fit. */
    public static final long MIN_BUDGET_BYTES = 32L << 20;

    /**
     * The bytes per second at which the body of a request has to arrive whose bytes are held while others do not fit; a slower one
     * is refused.
     */
    public static final int MIN_BODY_BYTES_PER_SECOND = 16 * 1024;

    /** How far a body may be behind that rate. */
    public static final Duration LONGEST_BODY_LAG = Duration.ofSeconds(10);

    /** How long slow bodies are refused after something did not fit; longer than a client may pause within a body. */
    public static final Duration SHORTAGE = Duration.ofMinutes(1);

    /** Pieces of a body that are shorter are merged before they are kept, as each costs some hundred bytes more than it has. */
    public static final int MIN_PIECE_BYTES = 4 * 1024;

    private ByteBudgetLimits() {}
}
