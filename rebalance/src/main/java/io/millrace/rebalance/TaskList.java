package io.millrace.rebalance;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is going on about the topology: the answer to GetTaskList.
 *
 * @param rev of the change that the tasks are about; empty when there was none
 * @param tasks one for the change as a whole once it has started, before that one for each node that is prepared
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
                    case PREPARE -> prepared(view, change);
                    case START, EXECUTION -> List.of(overall(view, current));
                    case FAILED -> List.of(Task.failed(current.rev(), id, change.error()));
                    case DONE, CANCELLED -> List.of();
                });
    }

    /** Returns the task of a running change as a whole, with the progress of each node that takes part. */
    static Task overall(ClusterView view, Versioned<Change> change) {
        SortedMap<String, Double> byNode = new TreeMap<>();
        for (String node : change.value().participants(view.live())) {
            byNode.put(node, view.progress(node, change.value()));
        }
        double mean = byNode.values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(0);
        return Task.rebalance(change.rev(), change.value().message().id(), mean, byNode);
    }

    private static List<Task> prepared(ClusterView view, Change change) {
        List<Task> tasks = new ArrayList<>();
        for (String node : change.participants(view.live())) {
            Task task = view.tasks().get(node);
            if (task != null && task.id().equals(change.message().id())) {
                tasks.add(task);
            }
        }
        return tasks;
    }
}
