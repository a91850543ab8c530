package io.millrace.eventing.delivery;

/** The limits of what functions do beyond calling their handlers, each with its unit. */
final class HandlingLimits {

    /** The most changes of a function on a node that wait to be tried again; with more the feed is not read. */
    static final int MAX_CHANGES_AWAITING_RETRY = 1000;

    /** How many bytes these changes may weigh; with more the feed is not read. */
    static final long MAX_BYTES_AWAITING_RETRY = 64L << 20;

    /** The most dead letters of a function that a node looks at a time to replay them. */
    static final int MAX_LETTERS_REPLAYED = 100;

    /** The most dead letters that a node replays at a time with drafts of code. */
    static final int MAX_TRIALS = 2;

    /** The largest document that is kept in a dead letter, in bytes; of a larger one only the size is. */
    static final int MAX_LETTER_DOCUMENT_BYTES = 16 * 1024;

    /** The largest document that is kept to be shown as the old one, in bytes; of a larger one nothing is shown. */
    static final int MAX_OLD_DOCUMENT_BYTES = 64 * 1024;

    /** How many documents whose state was handled are remembered at a time. */
    static final int MAX_STATES_REMEMBERED = 500;

    /** How many bytes of these are written at a time; the last one may go beyond. */
    static final int MAX_REMEMBERED_BYTES = 1 << 20;

    private HandlingLimits() {}
}
