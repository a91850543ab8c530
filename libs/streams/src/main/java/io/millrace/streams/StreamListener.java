package io.millrace.streams;

import io.millrace.streams.store.StreamName;

/** Is notified of every trip to a store, for metrics. Must neither block nor throw. */
public interface StreamListener {

    /** Ignores all trips. */
    StreamListener NONE = (stream, trip) -> {};

    void trip(StreamName stream, Trip trip);

    /** The kinds of trips to a store, by how they ended. */
    enum Trip {
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
}
