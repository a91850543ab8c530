package io.millrace.subdocservice.subdocuments;

import java.time.Duration;

/** The limits of sub-document mutations, each with its unit. */
public final class SubDocumentLimits {

    /** How often a mutation without a CAS is attempted while it conflicts with other writers ({@code ETMPFAIL}). */
    public static final int MAX_ATTEMPTS = 100;

    /** The most mutations of one document that wait in one process ({@code ETMPFAIL}). */
    public static final int MAX_WAITING_MUTATIONS = 10_000;

    /** The pause after the second conflict of a mutation; it doubles with each further one, with a random spread. */
    public static final Duration FIRST_PAUSE = Duration.ofMillis(1);

    /** The longest pause between two attempts of a mutation. */
    public static final Duration LONGEST_PAUSE = Duration.ofMillis(16);

    private SubDocumentLimits() {}
}
