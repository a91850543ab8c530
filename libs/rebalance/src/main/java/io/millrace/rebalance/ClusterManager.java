package io.millrace.rebalance;

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
 * Leads topology changes from phase to phase (seed document 000, figures 6 to 8). It keeps nothing that could not be
 * lost: every decision is made from a view, and every write names the rev that it replaces, so that several managers may
 * be at work, and one that dies is replaced by any other. Not thread-safe.
 */
public final class ClusterManager {

    private final ManagerSettings settings;
    private final Planner planner;
    private final Supplier<String> ids;

    private final Attendance attendance;

    /** The progress that was last different, and since when it is what it is. */
    private double progress = -1;

    private String progressOf = "";
    private long progressSinceMillis;

    /** @param ids of new changes; never the same twice */
    public ClusterManager(ManagerSettings settings, Planner planner, Supplier<String> ids) {
        this.settings = settings;
        this.planner = planner;
        this.ids = ids;
        this.attendance = new Attendance(settings);
    }

    /** Returns what there is to do now. To be asked when something changed, and from time to time. */
    public List<Order> decide(ClusterView view, long nowMillis) {
        attendance.look(view, nowMillis);
        Versioned<Change> change = view.change();
        if (change != null && change.value().running()) {
            return advance(view, change, nowMillis);
        }
        return settings.auto() ? automatic(view, nowMillis) : List.of();
    }

    /** To be told when there is no view to decide from. After that no node counts as dead for a while. */
    public void blind() {
        attendance.blind();
    }

    /**
     * Begins a change that a person asks for.
     *
     * @param type a failover does not wait for those that it ejects
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

    /** Returns why a change cannot be begun, and what to do about it; null when it can. */
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
            return "A topology change is going on: "
                    + Objects.requireNonNull(view.change()).value().message().id()
                    + ". Wait for its end, or stop it, and ask again.";
        }
        if (!both.isEmpty()) {
            return "These nodes are in keepNodes and in ejectNodes: " + both + ". Name each in one of the lists.";
        }
        if (!dead.isEmpty()) {
            return "These nodes of keepNodes are not alive: " + dead + "; alive are " + view.live()
                    + ". Start them, or leave them out.";
        }
        if (!unknown.isEmpty()) {
            return "These nodes to eject are neither alive nor part of the cluster: " + unknown + "; alive are "
                    + view.live() + ".";
        }
        if (keep.isEmpty()) {
            return "keepNodes is empty: nobody that is alive would be left for the vbuckets."
                    + " Keep one node, or start another first.";
        }
        if (!unnamed.isEmpty()) {
            return "These nodes are neither in keepNodes nor in ejectNodes: " + unnamed
                    + ". Name each in one of the lists.";
        }
        return null;
    }

    /** Stops the running change with this id: CancelTask. */
    public ChangeRequest cancel(ClusterView view, String id) {
        Versioned<Change> change = view.change();
        if (change == null
                || !change.value().running()
                || !change.value().message().id().equals(id)) {
            String running = view.rebalancing()
                    ? "The running one is '"
                            + Objects.requireNonNull(change).value().message().id() + "'."
                    : "None is running, so there is nothing to stop.";
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
        if (!missing.isEmpty() && !attendance.without(missing, nowMillis)) {
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
                || (newcomers.isEmpty() ? retry(view, nowMillis) : attendance.arrived(newcomers, nowMillis));
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

    /** Whoever is alive is taken out only as people wanted it in the change that failed. */
    private static TopologyChange.Type typeWithout(ClusterView view, SortedSet<String> eject) {
        Versioned<Change> failed = view.change();
        return failed == null || eject.stream().noneMatch(view.live()::contains)
                ? TopologyChange.Type.REBALANCE
                : failed.value().message().type();
    }

    /** After a failure with all nodes alive there is another try, in a while; after a cancellation there is none. */
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
        SortedSet<String> gone = attendance.gone(dead, nowMillis);
        if (!gone.isEmpty()) {
            return end(view, current, Change.Phase.FAILED, "These nodes are gone: " + gone, nowMillis);
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
                ? end(view, current, Change.Phase.FAILED, "These nodes did not prepare: " + silent, nowMillis)
                : List.of();
    }

    private List<Order> start(ClusterView view, Versioned<Change> current, long nowMillis) {
        Change change = current.value();
        if (view.tokens().containsKey(change.message().id())) {
            return List.of(new Order.PutChange(change.executing(nowMillis), current.rev()));
        }
        return expired(change, nowMillis)
                ? end(view, current, Change.Phase.FAILED, "No token came from " + change.master(), nowMillis)
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
        boolean stalled = nowMillis - Math.max(progressSinceMillis, attendance.worksSinceMillis())
                >= settings.stallTimeout().toMillis();
        return stalled ? end(view, current, Change.Phase.FAILED, stuck(view, unsettled, change), nowMillis) : List.of();
    }

    private static String stuck(ClusterView view, SortedSet<String> unsettled, Change change) {
        return "Nothing moves; not settled are " + unsettled + WaitedFor.sentence(view, unsettled, change);
    }

    /** The first of those that stay. When it dies the change ends as with any other of them, and the next one has another. */
    private static String master(Change change) {
        return change.message().keep().first();
    }

    /** Nobody could answer while the registry was away. */
    private boolean expired(Change change, long nowMillis) {
        return nowMillis - Math.max(change.sinceMillis(), attendance.worksSinceMillis())
                >= settings.prepareTimeout().toMillis();
    }

    /** May be interrupted after each order and decided on again. */
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

    /** Whoever was to come or to go is part of the cluster after a change that was stopped. */
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
}
