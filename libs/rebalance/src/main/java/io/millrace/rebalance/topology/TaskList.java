package io.millrace.rebalance.topology;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import io.millrace.rebalance.topology.ClusterView.Versioned;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The running tasks: the response to GetTaskList.
 *
 * @param rev the rev of the change of the tasks; empty before the first change
 * @param tasks one task for the whole change: its preparation until all nodes have prepared, then its execution
 */
public record TaskList(String rev, List<Task> tasks) {

    /** Returns the tasks of a view. A successful change has no task, a failed one keeps its task. */
    public static TaskList of(ClusterView view) {
        Versioned<Change> current = view.change();
        if (current == null) {
            return new TaskList("", List.of());
        }
        Change change = current.value();
        String id = change.message().id();
        return new TaskList(
                current.rev(),
                switch (change.phase()) {
                    case PREPARE -> List.of(preparing(view, current));
                    case START, EXECUTION -> List.of(overall(view, current));
                    case FAILED -> List.of(Task.failed(current.rev(), id, whatFailed(change), change.error()));
                    case DONE, CANCELLED -> List.of();
                });
    }

    /** A master is chosen when all have prepared. */
    private static Task.Type whatFailed(Change change) {
        return change.master().isEmpty() ? Task.Type.PREPARED : Task.Type.REBALANCE;
    }

    private static Task preparing(ClusterView view, Versioned<Change> change) {
        SortedMap<String, Double> byNode = new TreeMap<>();
        for (String node : change.value().participants(view.live())) {
            byNode.put(node, view.prepared(node, change.value()) ? 1.0 : 0.0);
        }
        return Task.preparing(change.rev(), change.value().message().id(), byNode);
    }

    /** Returns the task of a running change, with the progress of each participating node. */
    static Task overall(ClusterView view, Versioned<Change> change) {
        SortedMap<String, Double> byNode = new TreeMap<>();
        for (String node : change.value().participants(view.live())) {
            byNode.put(node, view.progress(node, change.value()));
        }
        return Task.rebalance(
                change.rev(), change.value().message().id(), byNode, PendingVbuckets.extra(view, change.value()));
    }

    /**
     * The progress of a topology change (seed document 000, figure 8).
     *
     * @param rev the rev of the change that this task belongs to
     * @param id the id of the change
     * @param progress 0 to 1
     * @param detailedProgress the progress by node
     * @param type the preparation of all nodes, or the started change
     * @param errorMessage the reason of a failure; otherwise empty
     * @param extra further information: {@code waitedFor} has the vbuckets still to move, as runs by function in the task of a
     *     node, and by node and function in the task of the whole change
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

        /** The kind of a task. */
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

        /** The status of a task. */
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

        /** Returns the task of a node that has prepared. */
        public static Task prepared(String rev, String id) {
            return new Task(
                    rev, id, Type.PREPARED, Status.RUNNING, true, 1, new TreeMap<>(), "prepared", "", new TreeMap<>());
        }

        /** Returns the task of the preparation of all nodes. */
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

        /** Returns the task of a started change. */
        static Task rebalance(
                String rev, String id, SortedMap<String, Double> byNode, SortedMap<String, Object> extra) {
            return rebalance(rev, id, mean(byNode), byNode, extra);
        }

        private static double mean(SortedMap<String, Double> byNode) {
            return byNode.values().stream()
                    .mapToDouble(Double::doubleValue)
                    .average()
                    .orElse(0);
        }

        static Task rebalance(
                String rev,
                String id,
                double progress,
                SortedMap<String, Double> byNode,
                SortedMap<String, Object> extra) {
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
}
