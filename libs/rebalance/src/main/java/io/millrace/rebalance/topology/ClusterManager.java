package io.millrace.rebalance.topology;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.Planner;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.topology.ClusterView.Versioned;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Leads topology changes through their phases (seed document 000, figures 6 to 8). It has no state that must survive: every
 * decision depends on a view, and every write names the rev that it replaces. Several managers can therefore run at the same
 * time, and any other continues the work of one that dies. Not thread-safe.
 */
public final class ClusterManager {

    private final ManagerSettings settings;
    private final Planner planner;
    private final Supplier<String> ids;

    private final NodeLiveness liveness;

    /** The progress of the running change, and when it last changed. */
    private double progress = -1;

    private String progressOf = "";
    private long progressSinceMillis;

    /** @param ids generates unique ids of changes */
    public ClusterManager(ManagerSettings settings, Planner planner, Supplier<String> ids) {
        this.settings = settings;
        this.planner = planner;
        this.ids = ids;
        this.liveness = new NodeLiveness(settings);
    }

    /** Returns the writes to do now. Call it after every change of the view, and periodically. */
    public List<Order> decide(ClusterView view, long nowMillis) {
        liveness.observe(view, nowMillis);
        Versioned<Change> change = view.change();
        if (change != null && change.value().running()) {
            return advance(view, change, nowMillis);
        }
        return settings.auto() ? automatic(view, nowMillis) : List.of();
    }

    /** Reports that the view cannot be read. Afterwards, no node is declared dead for a while. */
    public void blind() {
        liveness.blind();
    }

    /**
     * Starts a change that an operator requests.
     *
     * @param type a failover does not wait for the nodes that it ejects
     */
    public ChangeRequest request(
            ClusterView view,
            TopologyChange.Type type,
            Collection<String> keep,
            Collection<String> eject,
            long nowMillis) {
        String reason = refusal(view, keep, eject);
        if (reason != null) {
            return new ChangeRequest.Refused(reason);
        }
        TreeSet<String> out = new TreeSet<>(eject);
        out.addAll(view.out());
        out.retainAll(view.live());
        out.removeAll(keep);
        String id = ids.get();
        return new ChangeRequest.Accepted(
                id, List.of(begin(view, id, type, new TreeSet<>(keep), new TreeSet<>(eject), out, nowMillis)));
    }

    /** Returns why a change cannot start, and what to do about it; null if it can. */
    private static @Nullable String refusal(ClusterView view, Collection<String> keep, Collection<String> eject) {
        TreeSet<String> both = new TreeSet<>(keep);
        both.retainAll(eject);
        TreeSet<String> unnamed = new TreeSet<>(view.live());
        Versioned<Layout> layout = view.layout();
        if (layout != null) {
            unnamed.addAll(layout.value().members());
        }
        unnamed.removeAll(keep);
        unnamed.removeAll(eject);
        TreeSet<String> dead = new TreeSet<>(keep);
        dead.removeAll(view.live());
        TreeSet<String> unknown = new TreeSet<>(eject);
        unknown.removeAll(view.live());
        if (layout != null) {
            unknown.removeAll(layout.value().members());
        }
        if (view.rebalancing()) {
            return "A topology change is already running: "
                    + Objects.requireNonNull(view.change()).value().message().id()
                    + ". Wait for its end or cancel it, then repeat the request.";
        }
        if (!both.isEmpty()) {
            return "These nodes are in both keepNodes and ejectNodes: " + both + ". Name each node in one list.";
        }
        if (!dead.isEmpty()) {
            return "These nodes of keepNodes are not alive: " + dead + "; alive are " + view.live()
                    + ". Start them, or remove them from keepNodes.";
        }
        if (!unknown.isEmpty()) {
            return "These nodes of ejectNodes are neither alive nor part of the cluster: " + unknown + "; alive are "
                    + view.live() + ". Remove them from ejectNodes.";
        }
        if (keep.isEmpty()) {
            return "keepNodes is empty, so no node would remain to own the vbuckets."
                    + " Keep one node, or start another node first.";
        }
        if (!unnamed.isEmpty()) {
            return "These nodes are neither in keepNodes nor in ejectNodes: " + unnamed
                    + ". Name each node in one list.";
        }
        return null;
    }

    /** Cancels the running change with this id (CancelTask). */
    public ChangeRequest cancel(ClusterView view, String id) {
        Versioned<Change> change = view.change();
        if (change == null
                || !change.value().running()
                || !change.value().message().id().equals(id)) {
            String running = view.rebalancing()
                    ? "The running change is '"
                            + Objects.requireNonNull(change).value().message().id() + "'."
                    : "No change is running.";
            return new ChangeRequest.Refused("There is no running topology change '" + id + "'. " + running);
        }
        return new ChangeRequest.Accepted(
                id, List.of(new Order.PutChange(change.value().cancelled(), change.rev())));
    }

    private List<Order> automatic(ClusterView view, long nowMillis) {
        Versioned<Layout> layout = view.layout();
        if (layout == null || view.live().isEmpty()) {
            return List.of();
        }
        TreeSet<String> missing = new TreeSet<>(view.members());
        missing.removeAll(view.live());
        if (!missing.isEmpty() && !liveness.without(missing, nowMillis)) {
            return List.of();
        }
        TreeSet<String> wanted = new TreeSet<>(view.live());
        wanted.removeAll(view.out());
        if (wanted.isEmpty()) {
            wanted.addAll(view.live());
        }
        TreeSet<String> newcomers = new TreeSet<>(wanted);
        newcomers.removeAll(view.members());
        boolean begin = !missing.isEmpty()
                || (newcomers.isEmpty() ? retry(view, nowMillis) : liveness.arrived(newcomers, nowMillis));
        if (!begin) {
            return List.of();
        }
        TreeSet<String> eject = new TreeSet<>(view.members());
        eject.removeAll(wanted);
        TreeSet<String> out = new TreeSet<>(view.out());
        out.removeAll(wanted);
        TopologyChange.Type type = missing.isEmpty() ? typeWithout(view, eject) : TopologyChange.Type.FAILOVER;
        return List.of(begin(view, ids.get(), type, wanted, eject, out, nowMillis));
    }

    /** A live node is ejected only to repeat a failed change of an operator, with the same type. */
    private static TopologyChange.Type typeWithout(ClusterView view, SortedSet<String> eject) {
        Versioned<Change> failed = view.change();
        return failed == null || eject.stream().noneMatch(view.live()::contains)
                ? TopologyChange.Type.REBALANCE
                : failed.value().message().type();
    }

    /** A failed change is repeated after a delay if all nodes are alive; a cancelled change is not repeated. */
    private boolean retry(ClusterView view, long nowMillis) {
        Versioned<Change> change = view.change();
        return change != null
                && change.value().phase() == Change.Phase.FAILED
                && nowMillis - change.value().sinceMillis()
                        >= settings.retryDelay().toMillis();
    }

    private Order begin(
            ClusterView view,
            String id,
            TopologyChange.Type type,
            SortedSet<String> keep,
            SortedSet<String> eject,
            SortedSet<String> out,
            long nowMillis) {
        Versioned<Layout> layout = view.layout();
        SortedMap<String, VbucketSet> previous = new TreeMap<>();
        if (layout != null && settings.leastMovement()) {
            previous.putAll(layout.value().plan(planner).shares());
        }
        TopologyChange message = TopologyChange.of(id, layout == null ? "" : layout.rev(), type, keep, eject);
        return new Order.PutChange(Change.prepare(message, previous, out, nowMillis), rev(view.change()));
    }

    private List<Order> advance(ClusterView view, Versioned<Change> current, long nowMillis) {
        Change change = current.value();
        if (change.cancel()) {
            return end(view, current, Change.Phase.CANCELLED, "", nowMillis);
        }
        TreeSet<String> dead = new TreeSet<>(change.message().keep());
        dead.removeAll(view.live());
        SortedSet<String> gone = liveness.gone(dead, nowMillis);
        if (!gone.isEmpty()) {
            return end(
                    view,
                    current,
                    Change.Phase.FAILED,
                    "These nodes died or shut down during the change: " + gone,
                    nowMillis);
        }
        return switch (change.phase()) {
            case PREPARE -> prepare(view, current, nowMillis);
            case START -> start(view, current, nowMillis);
            case EXECUTION -> execute(view, current, nowMillis);
            case DONE, CANCELLED, FAILED -> List.of();
        };
    }

    private List<Order> prepare(ClusterView view, Versioned<Change> current, long nowMillis) {
        Change change = current.value();
        TreeSet<String> silent = new TreeSet<>(change.participants(view.live()));
        silent.removeIf(node -> view.prepared(node, change));
        if (silent.isEmpty()) {
            return List.of(new Order.PutChange(change.start(master(change), nowMillis), current.rev()));
        }
        return expired(change, nowMillis)
                ? end(view, current, Change.Phase.FAILED, "These nodes did not prepare in time: " + silent, nowMillis)
                : List.of();
    }

    private List<Order> start(ClusterView view, Versioned<Change> current, long nowMillis) {
        Change change = current.value();
        if (view.tokens().containsKey(change.message().id())) {
            return List.of(new Order.PutChange(change.executing(nowMillis), current.rev()));
        }
        return expired(change, nowMillis)
                ? end(
                        view,
                        current,
                        Change.Phase.FAILED,
                        "The master " + change.master() + " did not write the rebalance token in time",
                        nowMillis)
                : List.of();
    }

    private List<Order> execute(ClusterView view, Versioned<Change> current, long nowMillis) {
        Change change = current.value();
        TreeSet<String> unsettled = new TreeSet<>(change.participants(view.live()));
        unsettled.removeIf(node -> view.progress(node, change) >= 1);
        if (unsettled.isEmpty()) {
            return end(view, current, Change.Phase.DONE, "", nowMillis);
        }
        double now = TaskList.overall(view, current).progress();
        if (now != progress || !progressOf.equals(change.message().id())) {
            progress = now;
            progressOf = change.message().id();
            progressSinceMillis = nowMillis;
        }
        boolean stalled = nowMillis - Math.max(progressSinceMillis, liveness.worksSinceMillis())
                >= settings.stallTimeout().toMillis();
        return stalled ? end(view, current, Change.Phase.FAILED, stuck(view, unsettled, change), nowMillis) : List.of();
    }

    private static String stuck(ClusterView view, SortedSet<String> unsettled, Change change) {
        return "The change makes no progress; unsettled nodes: " + unsettled
                + PendingVbuckets.sentence(view, unsettled, change);
    }

    /** The first node to keep. If it dies, the change fails as for any other node, and the next change chooses another. */
    private static String master(Change change) {
        return change.message().keep().first();
    }

    /** Whether the prepare timeout has passed, without the time in which the registry was unavailable. */
    private boolean expired(Change change, long nowMillis) {
        return nowMillis - Math.max(change.sinceMillis(), liveness.worksSinceMillis())
                >= settings.prepareTimeout().toMillis();
    }

    /** Returns the orders that end a change. If a manager dies between two of them, another one starts over. */
    private static List<Order> end(
            ClusterView view, Versioned<Change> current, Change.Phase end, String reason, long nowMillis) {
        Change change = current.value();
        List<Order> orders = new ArrayList<>();
        Layout layout = layoutAfter(view, change, end);
        Versioned<Layout> before = view.layout();
        if (before == null || !layout.equals(before.value())) {
            orders.add(new Order.PutLayout(layout, rev(before)));
        }
        orders.add(new Order.DeleteToken(change.message().id()));
        orders.add(new Order.PutChange(change.ended(end, reason, nowMillis), current.rev()));
        return orders;
    }

    /** After a change that was stopped, the nodes that were joining or leaving remain part of the cluster. */
    private static Layout layoutAfter(ClusterView view, Change change, Change.Phase end) {
        if (end == Change.Phase.DONE) {
            return change.target();
        }
        TreeSet<String> all = new TreeSet<>(change.message().eject());
        all.retainAll(view.live());
        all.addAll(change.message().keep());
        Versioned<Layout> before = view.layout();
        boolean begun = view.tokens().containsKey(change.message().id()) || change.phase() == Change.Phase.EXECUTION;
        if (begun || before == null) {
            return change.target().frozen(all);
        }
        return before.value().withMembers(all);
    }

    private static @Nullable String rev(@Nullable Versioned<?> entry) {
        return entry == null ? null : entry.rev();
    }

    /** The outcome of a request to start or to cancel a topology change. */
    public sealed interface ChangeRequest {

        /**
         * The request takes effect when these orders are written; if a rev does not match, another writer was faster.
         *
         * @param id the id of the change
         */
        record Accepted(String id, List<Order> orders) implements ChangeRequest {}

        /** The request is not possible now, or not at all. */
        record Refused(String reason) implements ChangeRequest {}
    }
}
