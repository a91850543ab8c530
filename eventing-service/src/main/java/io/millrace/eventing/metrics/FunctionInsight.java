package io.millrace.eventing.metrics;

import io.millrace.workerprotocol.LineInsight;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The insight into the versions of a function's code by line, summed over its workers. Thread-safe. */
final class FunctionInsight {

    /**
     * The most versions that are kept: the one that runs, a canary, and the one before, of which reports may come late. The
     * one of which nothing was added for the longest time is forgotten.
     */
    static final int MAX_VERSIONS = 4;

    private final Map<Long, Map<Integer, LineInsight>> versions = new LinkedHashMap<>();

    synchronized void add(long version, List<LineInsight> more) {
        Map<Integer, LineInsight> lines = versions.remove(version);
        if (lines == null) {
            lines = new TreeMap<>();
        }
        for (LineInsight line : more) {
            lines.merge(line.line(), line, LineInsight::plus);
        }
        versions.put(version, lines);
        if (versions.size() > MAX_VERSIONS) {
            versions.remove(versions.keySet().iterator().next());
        }
    }

    /** Adds what was seen of workers that have ended. */
    void add(FunctionInsight ended) {
        ended.copy().forEach(this::add);
    }

    private synchronized Map<Long, List<LineInsight>> copy() {
        Map<Long, List<LineInsight>> copy = new LinkedHashMap<>();
        versions.forEach((version, lines) -> copy.put(version, List.copyOf(lines.values())));
        return copy;
    }

    /** Returns the insight into a version in the order of the lines. */
    synchronized List<LineInsight> lines(long version) {
        return List.copyOf(versions.getOrDefault(version, Map.of()).values());
    }

    synchronized void reset() {
        versions.clear();
    }
}
