package io.millrace.streams;

import java.util.List;

/**
 * What is written for a decision.
 *
 * @param events to append
 * @param unfolds replace those of the stream
 */
public record Transmuted<E>(List<E> events, List<E> unfolds) {}
