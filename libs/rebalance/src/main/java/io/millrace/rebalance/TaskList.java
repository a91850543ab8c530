package io.millrace.rebalance;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is going on about the topology: the answer to GetTaskList.
 *
 * @param rev of the change that the tasks are about; empty when there was none
 * @param tasks one for the change as a whole: for its preparation until all nodes have prepared, then for the change
 */
public record TaskList(String rev, List<Task> tasks) {

    /** Returns what a view says. A change that ended well has no task; one that failed keeps its task. */
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

    /** Returns the task of a running change as a whole, with the progress of each node that takes part. */
    static Task overall(ClusterView view, Versioned<Change> change) {
        SortedMap<String, Double> byNode = new TreeMap<>();
        for (String node : change.value().participants(view.live())) {
            byNode.put(node, view.progress(node, change.value()));
        }
        return Task.rebalance(
                change.rev(), change.value().message().id(), byNode, WaitedFor.extra(view, change.value()));
    }
}
