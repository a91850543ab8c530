package io.millrace.rebalance;

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
 * A node's part in topology changes: says that it is prepared, writes the token when it is the master, and knows which
 * layout the node follows. Not thread-safe.
 */
public final class TopologyAgent {

    /** Progress that is not worth a write. */
    private static final double GRAIN = 0.01;

    /** How many tasks of nodes that are gone for good the master deletes in one turn. */
    private static final int LEFTOVERS_AT_ONCE = 10;

    private final String node;
    private @Nullable Layout layout;

    public TopologyAgent(String node) {
        this.node = node;
    }

    /** Returns the layout that this node follows; null before it knows of any. */
    public @Nullable Layout layout() {
        return layout;
    }

    /**
     * Returns what there is to do now, and adopts the layout that the view tells of. To be asked when something changed,
     * and from time to time.
     *
     * @param progress tells how much of a layout this node has made true, 0 to 1
     */
    public List<Order> decide(ClusterView view, ToDoubleFunction<Layout> progress) {
        return decide(view, progress, () -> true);
    }

    /** @param prepared tells whether this node can work on what it may get as soon as it gets it */
    public List<Order> decide(ClusterView view, ToDoubleFunction<Layout> progress, BooleanSupplier prepared) {
        return decide(view, progress, prepared, layout -> new TreeMap<>());
    }

    /** @param waitedFor tells by function the vbuckets that must still come or go here to make a layout true */
    public List<Order> decide(
            ClusterView view,
            ToDoubleFunction<Layout> progress,
            BooleanSupplier prepared,
            Function<Layout, SortedMap<String, VbucketSet>> waitedFor) {
        Versioned<Change> change = view.change();
        if (view.layout() == null && change == null) {
            // the first node begins at once and asks nobody; of several, one wins
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
            // a token that was deleted by mistake comes back; nobody turns round for it
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

    /** The master tells about the others as well. */
    private Task rebalancing(
            ClusterView view, Versioned<Change> change, double now, SortedMap<String, VbucketSet> waitedFor) {
        TreeMap<String, Double> byNode = new TreeMap<>();
        if (change.value().master().equals(node)) {
            byNode.putAll(TaskList.overall(view, change).detailedProgress());
            byNode.put(node, now);
        }
        return Task.rebalance(change.rev(), change.value().message().id(), now, byNode, WaitedFor.extra(waitedFor));
    }
}
