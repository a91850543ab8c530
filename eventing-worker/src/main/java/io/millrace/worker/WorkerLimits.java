package io.millrace.worker;

import java.time.Duration;

/** The limits of a worker, each with its unit. */
public final class WorkerLimits {

    /** The most writes of one thread that Redis has not answered; a handler that makes one more waits. */
    static final int MAX_UNANSWERED_WRITES = 512;

    /** The most bytes of documents in such writes; one write is always let through. */
    static final long MAX_UNANSWERED_BYTES = 8L << 20;

    /** The pause before the first repair of a failed write, about; each further one is twice as long. */
    static final Duration FIRST_REPAIR_PAUSE = Duration.ofMillis(20);

    /** The longest pause before a repair. */
    static final Duration LONGEST_REPAIR_PAUSE = Duration.ofSeconds(1);

    /** How long Redis may take to answer one command. */
    static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);

    /** The time left to a handler to deal with the KVError for a store that does not answer. */
    static final Duration HANDLER_MARGIN = Duration.ofSeconds(2);

    /** The most log lines that wait for the link; further ones are dropped and counted. */
    public static final int MAX_WAITING_LOG_LINES = 10_000;

    /** The most characters in them. */
    public static final int MAX_WAITING_LOG_CHARS = 4 << 20;

    /** The most log lines in one frame. */
    public static final int LOG_LINES_PER_FRAME = 1_000;

    /** No line is added to a log frame that has so many characters. */
    public static final int LOG_CHARS_PER_FRAME = 1 << 20;

    /** The longest that a log line waits for others to share its frame. */
    public static final Duration LOG_DELAY = Duration.ofMillis(100);

    public static final Duration COUNTERS_INTERVAL = Duration.ofSeconds(1);

    /** The most rows of a query that are read at a time; the first time it is one, then twice as many each time. */
    static final int QUERY_BATCH_ROWS = 64;

    /** No row is added to a batch that has so many bytes. */
    static final int QUERY_BATCH_BYTES = 256 << 10;

    private WorkerLimits() {}
}
