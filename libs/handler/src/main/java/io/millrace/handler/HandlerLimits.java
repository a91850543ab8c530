package io.millrace.handler;

/** Every limit of this module, with its unit in its name. */
public final class HandlerLimits {

    /** How many elements an array of a document may be made to have. */
    public static final int DOCUMENT_ARRAY_ELEMENTS = 1 << 24;

    /** The stack of a thread that runs code: some 10,000 JavaScript calls deep. */
    public static final long STACK_BYTES = 16L << 20;

    /** How often running invocations are looked at. */
    public static final long GUARD_TICK_MILLIS = 10;

    /** How long an invocation may go on after it was told to stop. */
    public static final long STUCK_AFTER_MILLIS = 20_000;

    /** How many calls a stack trace shows. */
    public static final int STACK_TRACE_FRAMES = 20;

    /** How many results of queries a thread may have open when nothing is said. */
    public static final int QUERY_CURSORS = 10;

    /** How many characters the name of a request may have. */
    public static final int CONTEXT_ID_CHARS = 62;

    /** How often an invocation may have results that it has lost looked for, which takes a collection of garbage. */
    public static final int LOST_CURSOR_SEARCHES = 20;

    /** How many mistakes of one save are told. */
    public static final int MISTAKES = 100;

    /** Of how many calls a second and thread insight looks up the line, one by one. */
    public static final int INSIGHT_CALLS_PER_SECOND = 500;

    /** Beyond that, for how many calls one stands. */
    public static final int INSIGHT_SAMPLE = 64;

    /** The longest line that code can log, in characters; the rest is cut off. */
    public static final int LOG_LINE_CHARS = 64 << 10;

    private HandlerLimits() {}
}
