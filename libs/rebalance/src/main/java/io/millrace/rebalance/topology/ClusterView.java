package io.millrace.rebalance.topology;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.topology.Order.Token;
import io.millrace.rebalance.topology.TaskList.Task;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the cluster. It may be out of date, because every write names the rev that it replaces.
 *
 * @param layout null before the first node has started
 * @param change the current or the last change; null before the first
 * @param tokens the rebalance tokens, by id of the change
 * @param tasks the last task of each node
 * @param registry the registered nodes
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

    /** Returns the nodes whose registrations have not expired. */
    public SortedSet<String> live() {
        return registry.live();
    }

    /** Returns the members of the cluster, alive or not. */
    public SortedSet<String> members() {
        return layout == null ? Collections.emptySortedSet() : layout.value().members();
    }

    /** Whether a topology change is running. */
    public boolean rebalancing() {
        return change != null && change.value().running();
    }

    /** Returns the nodes that an operator ejected; only an operator can include them again. */
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

    /** A value and the rev of its MetaKV entry. */
    public record Versioned<T>(T value, String rev) {}
}
