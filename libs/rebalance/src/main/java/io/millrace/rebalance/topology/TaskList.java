package io.millrace.rebalance.topology;

import java.util.List;
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
}
