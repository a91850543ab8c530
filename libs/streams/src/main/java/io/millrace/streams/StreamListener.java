package io.millrace.streams;

import io.millrace.streams.store.StreamName;

/** Hears of every trip to a store, for metrics. Must neither block nor throw. */
public interface StreamListener {

    /** Hears nothing. */
    StreamListener NONE = (stream, trip) -> {};

    void trip(StreamName stream, Trip trip);
}
