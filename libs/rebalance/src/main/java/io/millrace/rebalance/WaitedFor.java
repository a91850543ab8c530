package io.millrace.rebalance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The vbuckets that must still come or go, as tasks and errors name them: never more than people read. */
final class WaitedFor {

    private static final String FIELD = "waitedFor";
    private static final String FURTHER = "furtherFunctions";

    private static final int FUNCTIONS = 20;
    private static final int RUNS = 16;
    private static final int NODES_IN_TEXT = 5;
    private static final int FUNCTIONS_IN_TEXT = 3;

    private WaitedFor() {}

    /** Returns what a node says in its own task. */
    static SortedMap<String, Object> extra(SortedMap<String, VbucketSet> byFunction) {
        TreeMap<String, String> told = new TreeMap<>();
        byFunction.entrySet().stream()
                .filter(function -> !function.getValue().isEmpty())
                .limit(FUNCTIONS)
                .forEach(function -> told.put(function.getKey(), shortened(function.getValue())));
        long all = byFunction.values().stream().filter(set -> !set.isEmpty()).count();
        TreeMap<String, Object> extra = new TreeMap<>();
        if (!told.isEmpty()) {
            extra.put(FIELD, told);
        }
        if (all > told.size()) {
            extra.put(FURTHER, all - told.size());
        }
        return extra;
    }

    private static String shortened(VbucketSet vbuckets) {
        List<String> runs = Arrays.asList(vbuckets.toString().split(",", -1));
        return runs.size() <= RUNS
                ? vbuckets.toString()
                : String.join(",", runs.subList(0, RUNS)) + ",... (" + vbuckets.size() + " in all)";
    }

    /** Returns what the nodes said, by node. */
    static SortedMap<String, Object> extra(ClusterView view, Change change) {
        TreeMap<String, Object> byNode = new TreeMap<>();
        for (String node : change.participants(view.live())) {
            Map<?, ?> told = told(view, node, change);
            if (!told.isEmpty()) {
                byNode.put(node, told);
            }
        }
        TreeMap<String, Object> extra = new TreeMap<>();
        if (!byNode.isEmpty()) {
            extra.put(FIELD, byNode);
        }
        return extra;
    }

    private static Map<?, ?> told(ClusterView view, String node, Change change) {
        Task task = view.tasks().get(node);
        if (task == null || !task.id().equals(change.message().id()) || view.progress(node, change) >= 1) {
            return Map.of();
        }
        return task.extra().get(FIELD) instanceof Map<?, ?> told ? told : Map.of();
    }

    /** Returns a sentence about some nodes; empty when they said nothing. */
    static String sentence(ClusterView view, Iterable<String> nodes, Change change) {
        List<String> parts = new ArrayList<>();
        for (String node : nodes) {
            Map<?, ?> told = told(view, node, change);
            if (!told.isEmpty() && parts.size() < NODES_IN_TEXT) {
                String functions = told.entrySet().stream()
                        .limit(FUNCTIONS_IN_TEXT)
                        .map(function -> function.getKey() + " " + function.getValue())
                        .collect(Collectors.joining(", "));
                parts.add(node + " for " + functions + (told.size() > FUNCTIONS_IN_TEXT ? ", and more" : ""));
            }
        }
        return parts.isEmpty() ? "" : ". Vbuckets are waited for by " + String.join("; by ", parts);
    }
}
