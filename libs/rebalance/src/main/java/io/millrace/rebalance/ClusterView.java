package io.millrace.rebalance;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What somebody knows of the cluster; it may be out of date, because every write says which rev it is about.
 *
 * @param layout null before the first node came
 * @param change the current or the last one; null before the first
 * @param tokens by id of the change
 * @param tasks the last one of each node
 * @param registry the nodes as they are registered
 */
public record ClusterView(
        @Nullable Versioned<Layout> layout,
        @Nullable Versioned<Change> change,
        SortedMap<String, Token> tokens,
        SortedMap<String, Task> tasks,
        Registry registry) {

    public ClusterView {
        tokens = Collections.unmodifiableSortedMap(new TreeMap<>(tokens));
        tasks = Collections.unmodifiableSortedMap(new TreeMap<>(tasks));
    }

    /** Returns the nodes whose registrations have not run out. */
    public SortedSet<String> live() {
        return registry.live();
    }

    /** Returns who is part of the cluster, alive or not. */
    public SortedSet<String> members() {
        return layout == null ? Collections.emptySortedSet() : layout.value().members();
    }

    /** Returns whether a topology change is going on. */
    public boolean rebalancing() {
        return change != null && change.value().running();
    }

    /** Returns the nodes that people took out; only people take them in again. */
    public SortedSet<String> out() {
        return change == null ? Collections.emptySortedSet() : change.value().out();
    }

    double progress(String node, Change current) {
        Task task = tasks.get(node);
        if (task == null
                || task.type() != Task.Type.REBALANCE
                || !task.id().equals(current.message().id())) {
            return 0;
        }
        return task.progress();
    }

    boolean prepared(String node, Change current) {
        Task task = tasks.get(node);
        return task != null && task.id().equals(current.message().id());
    }
}
