package io.millrace.httpdoor;

/** The limits of requests and responses that do not fit into the budget of their service. */
final class ByteBudgetLimits {

    /** The largest request or response in bytes that may use the last quarter of the budget of a service. */
    public static final int SMALL_BYTES = 64 * 1024;

    /** The most requests that wait for room in the budget of a service; a further one is refused at once. */
    public static final int MAX_WAITING = 1_000;

    /** The smallest budget of a service in bytes, however small its heap is: one largest document and some small ones fit. */
    public static final long MIN_BUDGET_BYTES = 32L << 20;

    private ByteBudgetLimits() {}
}
