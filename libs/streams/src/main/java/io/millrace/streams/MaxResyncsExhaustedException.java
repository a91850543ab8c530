package io.millrace.streams;

import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamsException;

/** Thrown when each permitted attempt of a decision found that other writers had changed the stream first. */
public final class MaxResyncsExhaustedException extends StreamsException {

    private static final long serialVersionUID = 1L;

    MaxResyncsExhaustedException(StreamName stream, int attempts) {
        super(
                Code.MAX_RESYNCS_EXHAUSTED,
                "Stream %s was changed by other writers in each of %d attempts; try again later."
                        .formatted(stream, attempts));
    }
}
