package io.millrace.eventing.consumer;

/**
 * With whom a worker may share a process.
 *
 * @param domain only workers of the same domain share a process
 * @param isolation whether it shares a process at all
 */
public record Placement(String domain, Isolation isolation) {

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
}
