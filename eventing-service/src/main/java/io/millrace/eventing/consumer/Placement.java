package io.millrace.eventing.consumer;

/**
 * With whom a worker may share a process.
 *
 * @param domain only workers of the same domain share a process
 * @param isolation whether it shares a process at all
 * @param yielding whether it waits for the start of a process and leaves those that are warm to others
 */
public record Placement(String domain, Isolation isolation, boolean yielding) {

    /** A placement of a worker that may have a process that is warm. */
    public Placement(String domain, Isolation isolation) {
        this(domain, isolation, false);
    }

    /** Whether a worker shares a process with others. */
    public enum Isolation {
        /** As the operator of the node has decided. */
        NODE,
        /** It does. */
        SHARED,
        /** It has a process of its own. */
        PROCESS
    }

    Placement apart() {
        return new Placement(domain, Isolation.PROCESS);
    }

    /** Returns the placement of a worker that has ended a shared process: the others of that one need the warm one now. */
    Placement convicted() {
        return new Placement(domain, Isolation.PROCESS, true);
    }
}
