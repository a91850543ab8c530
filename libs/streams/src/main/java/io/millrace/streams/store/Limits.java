package io.millrace.streams.store;

/** The limits of event streams, each with its unit. */
public final class Limits {

    /** The most events in one sync ({@link StreamsException.Code#TOO_MANY_EVENTS}). */
    public static final int MAX_EVENTS_PER_SYNC = 10_000;

    /** The largest event in bytes, with its meta ({@code EVENT_TOO_LARGE}). */
    public static final int MAX_EVENT_BYTES = 6 * 1024 * 1024;

    /** The largest unfolds of a stream together, in bytes ({@code EVENT_TOO_LARGE}). */
    public static final int MAX_UNFOLDS_BYTES = 8 * 1024 * 1024;

    /** The largest data of an event in bytes after inflating ({@code EVENT_TOO_LARGE}). */
    public static final int MAX_EXPANDED_BYTES = 64 * 1024 * 1024;

    /** How many events a tip holds before it becomes a batch, by default. */
    public static final int DEFAULT_EVENTS_IN_TIP = 256;

    /** How many bytes of events a tip holds before it becomes a batch, by default. */
    public static final int DEFAULT_TIP_BYTES = 30_000;

    /** How many batches one request reads, by default. */
    public static final int DEFAULT_BATCHES_PER_PAGE = 10;

    /** How many attempts a decision makes when other writers come first, by default. */
    public static final int DEFAULT_ATTEMPTS = 3;

    /** The longest name of a consumer group in characters. */
    public static final int MAX_GROUP_CHARS = 200;

    /** How many streams one subscription may handle at a time. */
    public static final int MAX_PARALLEL_STREAMS = 10_000;

    /** How many unknown types of events a codec logs, each once. */
    public static final int MAX_LOGGED_TYPES = 100;

    private Limits() {}
}
