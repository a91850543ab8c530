package io.millrace.streams;

import java.util.List;

/**
 * A decision: a result for the caller, and the events to append; an empty list appends nothing.
 */
public record Decision<R, E>(R result, List<E> events) {

    public static <R, E> Decision<R, E> of(R result, List<E> events) {
        return new Decision<>(result, events);
    }
}
