package io.millrace.eventing.producer;

import org.jspecify.annotations.Nullable;

/**
 * Lets events pass to workers only while no other node can own their vbuckets: the lease of this node must be valid, and the
 * function must have compared what it owns with Redis since the lease was last interrupted. Thread-safe; one thread compares.
 */
final class LeaseGate {

    private volatile NodeLeases.@Nullable Held lease;

    /** The term of the lease in which this function last compared what it owns. */
    private volatile long comparedTerm;

    /** Whether something was not handed out because the lease was not valid. */
    private volatile boolean heldBack;

    /** Opens the gate; before, nothing passes. What is claimed from now on is owned in the present term. */
    void open(NodeLeases.Held held) {
        comparedTerm = held.term();
        lease = held;
    }

    /** Returns whether events may be handed out now; if not, {@link #takeHeldBack} reports it later. */
    boolean mayHandOut() {
        NodeLeases.Held held = lease;
        if (held != null && held.valid(comparedTerm)) {
            return true;
        }
        heldBack = true;
        return false;
    }

    /** Returns whether the function has compared what it owns in a term of the lease. */
    boolean compared(long term) {
        return term == comparedTerm;
    }

    /** Notes that the function has compared what it owns, and lost nothing. */
    void comparedIn(long term) {
        comparedTerm = term;
    }

    /** Returns whether something was held back since the last call of {@link #takeHeldBack}. */
    boolean holdsBack() {
        return heldBack;
    }

    /** Returns whether something was held back since the last call. */
    boolean takeHeldBack() {
        boolean held = heldBack;
        if (held) {
            heldBack = false;
        }
        return held;
    }
}
