package io.millrace.subdocservice.kv.command;

/** The limits of commands on documents, each with its unit. */
final class CommandLimits {

    /** How often a change is attempted while other writers are faster; after that the client has to retry ({@code ETMPFAIL}). */
    static final int MAX_ATTEMPTS = 100;

    /** How long a lock lasts in seconds when the client does not say. */
    static final int DEFAULT_LOCK_SECONDS = 15;

    /** The longest lock in seconds; a request for a longer one gets the default. */
    static final int MAX_LOCK_SECONDS = 30;

    private CommandLimits() {}
}
