package io.millrace.eventing.metrics;

import io.millrace.workerprotocol.LineInsight;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The insight into a function's code by line, summed over its workers. Thread-safe. */
final class FunctionInsight {

    private final Map<Integer, LineInsight> lines = new TreeMap<>();

    synchronized void add(List<LineInsight> more) {
        more.forEach(line -> lines.merge(line.line(), line, LineInsight::plus));
    }

    /** Returns the insight in the order of the lines. */
    synchronized List<LineInsight> lines() {
        return List.copyOf(lines.values());
    }

    synchronized void reset() {
        lines.clear();
    }
}
