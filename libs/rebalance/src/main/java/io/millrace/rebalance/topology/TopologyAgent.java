package io.millrace.rebalance.topology;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.topology.ClusterView.Versioned;
import io.millrace.rebalance.topology.Order.Token;
import io.millrace.rebalance.topology.TaskList.Task;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The part of a node in topology changes: reports that it has prepared, writes the token if it is the master, and decides
 * which layout the node follows. Not thread-safe.
 */
public final class TopologyAgent {

    /** The smallest progress to report. */
    private static final double GRAIN = 0.01;

    /** How many tasks of former nodes the master deletes at once. */
    private static final int LEFTOVERS_AT_ONCE = 10;

    private final String node;
    private @Nullable Layout layout;

    public TopologyAgent(String node) {
        this.node = node;
    }

    /** Returns the layout that this node follows; null before the first one. */
    public @Nullable Layout layout() {
        return layout;
    }

    /**
     * Returns the writes to do now, and adopts the layout of the view. Call it after every change of the view, and
     * periodically.
     *
     * @param progress returns how much of a layout this node has realized, 0 to 1
     */
    public List<Order> decide(ClusterView view, ToDoubleFunction<Layout> progress) {
        return decide(view, progress, () -> true);
    }

    /** @param prepared returns whether this node is ready to work on additional vbuckets */
    public List<Order> decide(ClusterView view, ToDoubleFunction<Layout> progress, BooleanSupplier prepared) {
        return decide(view, progress, prepared, layout -> new TreeMap<>());
    }

    /** @param waitedFor returns by function the vbuckets that this node must still take over or give up for a layout */
    public List<Order> decide(
            ClusterView view,
            ToDoubleFunction<Layout> progress,
            BooleanSupplier prepared,
            Function<Layout, SortedMap<String, VbucketSet>> waitedFor) {
        Versioned<Change> change = view.change();
        if (view.layout() == null && change == null) {
            // the first node starts immediately; of several, one wins
            return List.of(new Order.PutLayout(Layout.contiguous("first", List.of(node)), null));
        }
        layout = adopted(view);
        if (change == null || !change.value().running()) {
            return List.of();
        }
        List<Order> orders = new ArrayList<>();
        if (change.value().phase() != Change.Phase.PREPARE
                && change.value().master().equals(node)) {
            master(view, change.value(), orders);
        }
        if (change.value().participants(view.live()).contains(node)) {
            task(view, change, progress, prepared, waitedFor, orders);
        }
        return orders;
    }

    private @Nullable Layout adopted(ClusterView view) {
        Versioned<Change> current = view.change();
        if (current != null && current.value().running()) {
            Change change = current.value();
            String id = change.message().id();
            boolean told =
                    change.phase() != Change.Phase.PREPARE && view.tokens().containsKey(id);
            // a token deleted by mistake is written again; nodes that have started do not go back
            boolean begun = change.phase() == Change.Phase.EXECUTION
                    && layout != null
                    && layout.id().equals(id);
            if (told || begun) {
                return change.target();
            }
        }
        Versioned<Layout> settled = view.layout();
        return settled == null ? layout : settled.value();
    }

    private void master(ClusterView view, Change change, List<Order> orders) {
        String id = change.message().id();
        view.tokens().keySet().stream()
                .filter(leftover -> !leftover.equals(id))
                .forEach(leftover -> orders.add(new Order.DeleteToken(leftover)));
        if (!view.tokens().containsKey(id)) {
            orders.add(new Order.AddToken(new Token(id, node)));
        }
        Set<String> known = new HashSet<>(view.live());
        known.addAll(view.members());
        known.addAll(change.message().keep());
        known.addAll(change.message().eject());
        view.tasks().keySet().stream()
                .filter(leftover -> !known.contains(leftover))
                .limit(LEFTOVERS_AT_ONCE)
                .forEach(leftover -> orders.add(new Order.DeleteTask(leftover)));
    }

    private void task(
            ClusterView view,
            Versioned<Change> change,
            ToDoubleFunction<Layout> progress,
            BooleanSupplier prepared,
            Function<Layout, SortedMap<String, VbucketSet>> waitedFor,
            List<Order> orders) {
        String id = change.value().message().id();
        Task told = view.tasks().get(node);
        Task before = told != null && told.id().equals(id) ? told : null;
        Layout followed = layout;
        boolean begun =
                followed != null && followed.id().equals(id) && change.value().phase() == Change.Phase.EXECUTION;
        if (begun) {
            double now = progress.applyAsDouble(followed);
            if (before == null || isNews(before, now)) {
                orders.add(new Order.PutTask(node, rebalancing(view, change, now, waitedFor.apply(followed))));
            }
        } else if (before == null && prepared.getAsBoolean()) {
            orders.add(new Order.PutTask(node, Task.prepared(change.rev(), id)));
        }
    }

    private static boolean isNews(Task before, double now) {
        return before.type() != Task.Type.REBALANCE
                || Math.abs(before.progress() - now) >= GRAIN
                || (now >= 1) != (before.progress() >= 1);
    }

    /** The task of the master includes the progress of the others. */
    private Task rebalancing(
            ClusterView view, Versioned<Change> change, double now, SortedMap<String, VbucketSet> waitedFor) {
        TreeMap<String, Double> byNode = new TreeMap<>();
        if (change.value().master().equals(node)) {
            byNode.putAll(TaskList.overall(view, change).detailedProgress());
            byNode.put(node, now);
        }
        return Task.rebalance(
                change.rev(), change.value().message().id(), now, byNode, PendingVbuckets.extra(waitedFor));
    }
}
