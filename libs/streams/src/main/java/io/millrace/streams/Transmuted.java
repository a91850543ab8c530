package io.millrace.streams;

import java.util.List;

/**
 * What is written for a decision.
 *
 * @param events to be appended
 * @param unfolds take the place of the stream's unfolds
 */
public record Transmuted<E>(List<E> events, List<E> unfolds) {}
