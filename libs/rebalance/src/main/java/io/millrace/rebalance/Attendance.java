package io.millrace.rebalance;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who is gone and who has come, as a cluster manager remembers it from look to look. A registration that ran out proves
 * nothing while nobody could renew: after an outage of the registry, and when this manager is new, nodes have time to
 * come back. Not thread-safe.
 */
final class Attendance {

    /** What a node may need beyond a lease until it is back after an outage. */
    private static final Duration SLACK = Duration.ofSeconds(1);

    /** How many join delays a node waits at most when others keep coming. */
    private static final int LONGEST_WAIT = 5;

    private final long leaseMillis;
    private final long joinMillis;
    private final long failoverMillis;
    private final Map<String, Long> missingSince = new HashMap<>();
    private final Map<String, Long> hereSince = new HashMap<>();
    private @Nullable Registry registry;
    private long renewedMillis;
    private long worksSinceMillis;

    Attendance(ManagerSettings settings) {
        this.leaseMillis = settings.nodeLease().toMillis();
        this.joinMillis = settings.joinDelay().toMillis();
        this.failoverMillis = settings.failoverDelay().toMillis();
    }

    /** Takes notice of what is there now. */
    void look(ClusterView view, long nowMillis) {
        Registry before = registry;
        registry = view.registry();
        // of several nodes one renews at least every third of a lease: silence says that the registry is away
        if (before == null || view.live().isEmpty() || !working(nowMillis)) {
            worksSinceMillis = nowMillis;
        }
        if (before == null || renewed(before, view.registry())) {
            renewedMillis = nowMillis;
        }
        Set<String> known = new HashSet<>(view.members());
        Versioned<Change> change = view.change();
        if (change != null) {
            known.addAll(change.value().message().keep());
        }
        known.removeAll(view.live());
        note(missingSince, known, nowMillis);
        note(hereSince, view.live(), nowMillis);
    }

    /** The registry cannot be read: what it says next is looked at as for the first time. */
    void blind() {
        registry = null;
    }

    private static boolean renewed(Registry before, Registry now) {
        return now.leases().entrySet().stream()
                .anyMatch(lease -> !lease.getValue().equals(before.leases().get(lease.getKey())));
    }

    private static void note(Map<String, Long> since, Collection<String> nodes, long nowMillis) {
        since.keySet().retainAll(nodes);
        nodes.forEach(node -> since.putIfAbsent(node, nowMillis));
    }

    /** Returns whether a renewal was seen a short while ago. */
    private boolean working(long nowMillis) {
        return nowMillis - renewedMillis <= leaseMillis * 6 / 10;
    }

    /** Returns since when nodes have been renewing all the time. */
    long worksSinceMillis() {
        return worksSinceMillis;
    }

    private boolean trusted(long nowMillis) {
        return nowMillis - worksSinceMillis >= leaseMillis + SLACK.toMillis();
    }

    private boolean left(String node) {
        return Objects.requireNonNull(registry).left().contains(node);
    }

    /** Returns those of some nodes, which are not alive, that left in order or had the time to come back. */
    SortedSet<String> gone(Collection<String> missing, long nowMillis) {
        TreeSet<String> gone = new TreeSet<>(missing);
        gone.removeIf(node -> !left(node) && !trusted(nowMillis));
        return gone;
    }

    /**
     * Returns whether to go on without some nodes, which are not alive. One whose time has come takes the others along: a
     * change can do nothing with a node that does not answer.
     */
    boolean without(Collection<String> missing, long nowMillis) {
        return gone(missing, nowMillis).containsAll(missing)
                && missing.stream()
                        .anyMatch(node ->
                                left(node) || nowMillis - missingSince.getOrDefault(node, nowMillis) >= failoverMillis);
    }

    /** Returns whether no further node came for a while after these, or one of them has waited long enough. */
    boolean arrived(Collection<String> newcomers, long nowMillis) {
        long last = newcomers.stream()
                .mapToLong(node -> here(node, nowMillis))
                .max()
                .orElse(nowMillis);
        long first = newcomers.stream()
                .mapToLong(node -> here(node, nowMillis))
                .min()
                .orElse(nowMillis);
        return nowMillis - last >= joinMillis || nowMillis - first >= LONGEST_WAIT * joinMillis;
    }

    private long here(String node, long nowMillis) {
        return hereSince.getOrDefault(node, nowMillis);
    }
}
