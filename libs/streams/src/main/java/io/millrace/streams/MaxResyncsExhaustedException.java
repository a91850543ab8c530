package io.millrace.streams;

import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamsException;

/** A decision was made as often as it may be, and each time others changed the stream first. */
public final class MaxResyncsExhaustedException extends StreamsException {

    private static final long serialVersionUID = 1L;

    MaxResyncsExhaustedException(StreamName stream, int attempts) {
        super(
                Code.MAX_RESYNCS_EXHAUSTED,
                "Stream %s was changed by others in all of %d attempts.".formatted(stream, attempts));
    }
}
