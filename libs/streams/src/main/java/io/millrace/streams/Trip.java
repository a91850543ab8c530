package io.millrace.streams;

/** The kinds of trips to a store, by how they ended. */
public enum Trip {
    TIP,
    TIP_NOT_FOUND,
    TIP_NOT_MODIFIED,
    RESPONSE_FORWARD,
    RESPONSE_BACKWARD,
    APPEND,
    /** A sync was refused, and the answer has all that is needed to go on. */
    RESYNC,
    /** A sync was refused, and only a read can tell what happened. */
    CONFLICT,
    PRUNE
}
