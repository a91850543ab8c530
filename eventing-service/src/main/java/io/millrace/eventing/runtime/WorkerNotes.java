package io.millrace.eventing.runtime;

import java.util.Map;

/**
 * What is out of the ordinary about workers of a function on a node, by the name of the worker.
 *
 * @param apart why it has a process of its own although it may share one
 * @param waiting what it waits for before it can handle anything
 */
public record WorkerNotes(Map<String, String> apart, Map<String, String> waiting) {

    /** Nothing is. */
    public static final WorkerNotes NONE = new WorkerNotes(Map.of(), Map.of());
}
