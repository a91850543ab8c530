package io.millrace.streams;

import java.util.List;

/**
 * What has been decided: a result for the caller, and the events that record it; none when nothing is to be recorded.
 */
public record Decision<R, E>(R result, List<E> events) {

    public static <R, E> Decision<R, E> of(R result, List<E> events) {
        return new Decision<>(result, events);
    }
}
