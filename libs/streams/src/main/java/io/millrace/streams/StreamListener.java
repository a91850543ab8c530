package io.millrace.streams;

import io.millrace.streams.store.StreamName;

/** Is notified of every trip to a store, for metrics. Must neither block nor throw. */
public interface StreamListener {

    /** Ignores all trips. */
    StreamListener NONE = (stream, trip) -> {};

    void trip(StreamName stream, Trip trip);
}
