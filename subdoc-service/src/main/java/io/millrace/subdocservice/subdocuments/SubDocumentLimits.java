package io.millrace.subdocservice.subdocuments;

import java.time.Duration;

/** The limits of changing parts of stored documents, each with its unit. */
public final class SubDocumentLimits {

    /** How often a mutation without a CAS is tried while other writers are faster ({@code ETMPFAIL}). */
    public static final int MAX_ATTEMPTS = 100;

    /** The most mutations of one document that wait for their turn in one process ({@code ETMPFAIL}). */
    public static final int MAX_WAITING_MUTATIONS = 10_000;

    /** The longest pause before a mutation that lost a race is tried again. */
    public static final Duration LONGEST_PAUSE = Duration.ofMillis(16);

    private SubDocumentLimits() {}
}
