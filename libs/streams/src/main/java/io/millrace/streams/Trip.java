package io.millrace.streams;

/** The kinds of trips to a store, by how they ended. */
public enum Trip {
    TIP,
    TIP_NOT_FOUND,
    TIP_NOT_MODIFIED,
    RESPONSE_FORWARD,
    RESPONSE_BACKWARD,
    APPEND,
    /** A sync ended in a conflict, and the answer had the missed events. */
    RESYNC,
    /** A sync ended in a conflict, and the missed events have to be read. */
    CONFLICT,
    PRUNE
}
