package io.millrace.audit;

import java.time.Duration;

/** The limits of the audit trail. */
public final class AuditLimits {

    /** Refusals of one user and one operation that have a line of their own within {@link #WINDOW}; further ones are counted. */
    public static final int MAX_EQUAL_REFUSALS = 5;

    /** Users and operations whose refusals are told apart within {@link #WINDOW}; further ones are counted together. */
    public static final int MAX_KINDS_OF_REFUSALS = 200;

    /** The window in which refusals count. */
    public static final Duration WINDOW = Duration.ofMinutes(1);

    /** How much of a text that a client chose is kept. */
    static final int MAX_TEXT_CHARS = 4096;

    /** How many lines a service sends to the stream at once. */
    public static final int MAX_LINES_PER_COPY = 50;

    /** How many lines of all trails the stream keeps; older ones are in the files alone. */
    public static final int MAX_LINES_IN_STREAM = 100_000;

    private AuditLimits() {}
}
