package io.millrace.rebalance.topology;

import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.topology.TaskList.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The vbuckets still to move, in tasks and errors; truncated to a readable length. */
final class PendingVbuckets {

    private static final String FIELD = "waitedFor";
    private static final String FURTHER = "furtherFunctions";

    private static final int FUNCTIONS = 20;
    private static final int RUNS = 16;
    private static final int NODES_IN_TEXT = 5;
    private static final int FUNCTIONS_IN_TEXT = 3;

    private PendingVbuckets() {}

    /** Returns the {@code extra} of the task of a node. */
    static SortedMap<String, Object> extra(SortedMap<String, VbucketSet> byFunction) {
        TreeMap<String, String> reported = new TreeMap<>();
        byFunction.entrySet().stream()
                .filter(function -> !function.getValue().isEmpty())
                .limit(FUNCTIONS)
                .forEach(function -> reported.put(function.getKey(), shortened(function.getValue())));
        long all = byFunction.values().stream().filter(set -> !set.isEmpty()).count();
        TreeMap<String, Object> extra = new TreeMap<>();
        if (!reported.isEmpty()) {
            extra.put(FIELD, reported);
        }
        if (all > reported.size()) {
            extra.put(FURTHER, all - reported.size());
        }
        return extra;
    }

    private static String shortened(VbucketSet vbuckets) {
        List<String> runs = Arrays.asList(vbuckets.toString().split(",", -1));
        return runs.size() <= RUNS
                ? vbuckets.toString()
                : String.join(",", runs.subList(0, RUNS)) + ",... (" + vbuckets.size() + " in total)";
    }

    /** Returns the {@code extra} of the task of a change: what the nodes reported, by node. */
    static SortedMap<String, Object> extra(ClusterView view, Change change) {
        TreeMap<String, Object> byNode = new TreeMap<>();
        for (String node : change.participants(view.live())) {
            Map<?, ?> reported = reported(view, node, change);
            if (!reported.isEmpty()) {
                byNode.put(node, reported);
            }
        }
        TreeMap<String, Object> extra = new TreeMap<>();
        if (!byNode.isEmpty()) {
            extra.put(FIELD, byNode);
        }
        return extra;
    }

    private static Map<?, ?> reported(ClusterView view, String node, Change change) {
        Task task = view.tasks().get(node);
        if (task == null || !task.id().equals(change.message().id()) || view.progress(node, change) >= 1) {
            return Map.of();
        }
        return task.extra().get(FIELD) instanceof Map<?, ?> reported ? reported : Map.of();
    }

    /** Returns the end of an error message about nodes; empty if they reported nothing. */
    static String sentence(ClusterView view, Iterable<String> nodes, Change change) {
        List<String> parts = new ArrayList<>();
        for (String node : nodes) {
            Map<?, ?> reported = reported(view, node, change);
            if (!reported.isEmpty() && parts.size() < NODES_IN_TEXT) {
                String functions = reported.entrySet().stream()
                        .limit(FUNCTIONS_IN_TEXT)
                        .map(function -> function.getKey() + " " + function.getValue())
                        .collect(Collectors.joining(", "));
                parts.add("on " + node + " " + functions + (reported.size() > FUNCTIONS_IN_TEXT ? ", and more" : ""));
            }
        }
        return parts.isEmpty() ? "" : ". Vbuckets still to move: " + String.join("; ", parts);
    }
}
