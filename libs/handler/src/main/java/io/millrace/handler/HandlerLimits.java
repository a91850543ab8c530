package io.millrace.handler;

/** The limits of handler code, each with its unit. */
public final class HandlerLimits {

    /** The most elements of an array that becomes JSON for a document. */
    public static final int DOCUMENT_ARRAY_ELEMENTS = 1 << 24;

    /** The most member names that a thread keeps to recognize objects of the same names, at about 1 KiB each. */
    public static final int KNOWN_MEMBERS = 8192;

    /** How many members of one object of a document may have names with the same hash. */
    public static final int MEMBERS_OF_EQUAL_HASH = 100;

    /** How many handlers are known, so that they are not tried again when they are loaded again. */
    public static final int KNOWN_HANDLERS = 32;

    /** The longest code of such a handler, in characters. */
    public static final int KNOWN_HANDLER_CHARS = 64 << 10;

    /** The stack of a thread that runs code: some 10,000 JavaScript calls deep. */
    public static final long STACK_BYTES = 16L << 20;

    /** How often the guard checks running invocations. */
    public static final long GUARD_TICK_MILLIS = 10;

    /** After so many checks that found no invocation the guard waits for the next one to begin. */
    public static final int GUARD_QUIET_TICKS = 100;

    /** How long an invocation may continue after it was told to stop. */
    public static final long STUCK_AFTER_MILLIS = 20_000;

    /** How long after handlers were loaded or closed the heap is measured again. */
    public static final long SETTLE_MILLIS = 1_000;

    /** The heap is measured only while all running invocations together hold less than this. */
    public static final long SETTLED_BYTES = 4L << 20;

    /** The heap counts as full when a collection leaves so many percent of its larger part in use. */
    public static final int FULL_HEAP_PERCENT = 70;

    /** A handler is asked to end only if it keeps one of so many parts of the heap. */
    public static final int FULL_HEAP_PARTS = 8;

    /** How long after a search that found no such handler the next one begins. */
    public static final long FULL_HEAP_REST_MILLIS = 10_000;

    /** How many calls a stack trace shows. */
    public static final int STACK_TRACE_FRAMES = 20;

    /** How many query results a thread may have open by default. */
    public static final int QUERY_CURSORS = 10;

    /** The longest client context id of a query, in characters. */
    public static final int CONTEXT_ID_CHARS = 62;

    /**
     * How often one invocation may trigger a search for unreachable query results, which takes a garbage collection.
     */
    public static final int LOST_CURSOR_SEARCHES = 20;

    /** The most brackets that may be open in code, counted without regard to strings and comments. */
    public static final int OPEN_BRACKETS = 2_000;

    /**
     * How often code may have {@code else}, {@code async}, or a condition without a brace before the next statement: the parser
     * needs memory for the square of those that are in one another.
     */
    public static final int BARE_STATEMENTS = 2_500;

    /** The most mistakes that are reported for one save. */
    public static final int MISTAKES = 100;

    /** For how many calls per second and thread insight looks up the line of each call. */
    public static final int INSIGHT_CALLS_PER_SECOND = 500;

    /** Past that, one call in so many is looked up and counted for all of them. */
    public static final int INSIGHT_SAMPLE = 64;

    /** The longest line that code can log, in characters; the rest is cut off. */
    public static final int LOG_LINE_CHARS = 64 << 10;

    /** The most characters that names and values of the headers of a response have in all. */
    public static final int RESPONSE_HEADER_CHARS = 8 << 10;

    private HandlerLimits() {}
}
