package io.millrace.rebalance;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far a prepared or started topology change is (seed document 000, figure 8).
 *
 * @param rev names the state of the change that this is about
 * @param id of the change
 * @param progress 0 to 1
 * @param detailedProgress the same by node
 * @param type what failed, or goes on: to prepare all nodes, or the change itself once it has started
 * @param errorMessage why it failed; empty otherwise
 * @param extra further facts: {@code waitedFor} has the vbuckets that must still come or go, as runs by function in a
 *     node's own task, and by node and function in that of the change as a whole
 */
public record Task(
        String rev,
        String id,
        Type type,
        Status status,
        @JsonProperty("isCancelable") boolean cancelable,
        double progress,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) SortedMap<String, Double> detailedProgress,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String description,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String errorMessage,
        SortedMap<String, Object> extra) {

    /** What a task is about. */
    public enum Type {
        PREPARED("task-prepared"),
        REBALANCE("task-rebalance");

        private final String wire;

        Type(String wire) {
            this.wire = wire;
        }

        @JsonValue
        public String wire() {
            return wire;
        }
    }

    /** How it stands. */
    public enum Status {
        RUNNING("task-running"),
        FAILED("task-failed");

        private final String wire;

        Status(String wire) {
            this.wire = wire;
        }

        @JsonValue
        public String wire() {
            return wire;
        }
    }

    @SuppressWarnings("ConstantValue") // a field that is missing in JSON arrives as null
    public Task {
        detailedProgress = sorted(detailedProgress == null ? Map.of() : detailedProgress);
        description = description == null ? "" : description;
        errorMessage = errorMessage == null ? "" : errorMessage;
        extra = sorted(extra == null ? Map.of() : extra);
    }

    static Task prepared(String rev, String id) {
        return new Task(
                rev, id, Type.PREPARED, Status.RUNNING, true, 1, new TreeMap<>(), "prepared", "", new TreeMap<>());
    }

    /** Returns the task of a preparation as a whole. */
    static Task preparing(String rev, String id, SortedMap<String, Double> byNode) {
        return new Task(
                rev,
                id,
                Type.PREPARED,
                Status.RUNNING,
                true,
                mean(byNode),
                byNode,
                mean(byNode) < 1 ? "preparing" : "prepared",
                "",
                new TreeMap<>());
    }

    /** Returns the task of a started change as a whole. */
    static Task rebalance(String rev, String id, SortedMap<String, Double> byNode, SortedMap<String, Object> extra) {
        return rebalance(rev, id, mean(byNode), byNode, extra);
    }

    private static double mean(SortedMap<String, Double> byNode) {
        return byNode.values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(0);
    }

    static Task rebalance(
            String rev, String id, double progress, SortedMap<String, Double> byNode, SortedMap<String, Object> extra) {
        return new Task(
                rev,
                id,
                Type.REBALANCE,
                Status.RUNNING,
                true,
                progress,
                byNode,
                progress < 1 ? "rebalancing" : "settled",
                "",
                extra);
    }

    static Task failed(String rev, String id, Type type, String reason) {
        return new Task(rev, id, type, Status.FAILED, false, 0, new TreeMap<>(), "failed", reason, new TreeMap<>());
    }

    private static <T> SortedMap<String, T> sorted(Map<String, T> map) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(map));
    }
}
