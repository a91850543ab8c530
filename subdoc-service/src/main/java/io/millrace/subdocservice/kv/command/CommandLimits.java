package io.millrace.subdocservice.kv.command;

/** The limits of commands on documents, each with its unit. */
final class CommandLimits {

    /** How often a change is attempted while other writers are faster; after that the client has to retry ({@code ETMPFAIL}). */
    static final int MAX_ATTEMPTS = 100;

    /** How long a lock lasts in seconds when the client does not say. */
    static final int DEFAULT_LOCK_SECONDS = 15;

    /** The longest lock in seconds; a request for a longer one gets the default. */
    static final int MAX_LOCK_SECONDS = 30;

    /** The most ids or documents in one response of a range scan; the client asks for the next ones. */
    static final int MAX_SCAN_ITEMS = 1000;

    /** The most milliseconds that one response of a range scan is filled. */
    static final int MAX_SCAN_MILLIS = 1000;

    /** After how many bytes of documents a response of a range scan ends; the last document may exceed them. */
    static final int MAX_SCAN_BYTES = 1024 * 1024;

    private CommandLimits() {}
}
