package io.millrace.eventing.consumer;

/**
 * In which process a worker starts.
 *
 * @param domain only workers of the same domain share a process
 * @param isolation whether it shares a process at all
 * @param start what it waits for
 */
public record Placement(String domain, Isolation isolation, Start start) {

    /** A placement of a worker that waits for a process that is warm. */
    public Placement(String domain, Isolation isolation) {
        this(domain, isolation, Start.WARM);
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

    /** What a worker waits for. */
    public enum Start {
        /** Its process is warm. */
        WARM,
        /** A process is started for it: those that are warm are left to others. */
        YIELDING,
        /** Its process runs. Its code has been loaded before: it is ready first and loads it then. */
        KNOWN
    }

    Placement apart() {
        return new Placement(domain, Isolation.PROCESS);
    }

    /** Returns the placement of a worker that has ended a shared process: the others of that one need the warm one now. */
    Placement convicted() {
        return new Placement(domain, Isolation.PROCESS, Start.YIELDING);
    }

    /** Returns the placement of a worker whose code has been loaded before. */
    Placement known() {
        return new Placement(domain, isolation, Start.KNOWN);
    }
}
