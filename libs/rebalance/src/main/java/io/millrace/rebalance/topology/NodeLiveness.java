package io.millrace.rebalance.topology;

import io.millrace.rebalance.topology.ClusterView.Versioned;
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
 * Decides which nodes have died and which have joined, from successive states of the registry. An expired registration
 * proves nothing while no node could renew: after an outage of the registry, and after the start of this manager, nodes get
 * time to register again. Not thread-safe.
 */
final class NodeLiveness {

    /** The time after an outage, in addition to a lease, in which a node may register again. */
    private static final Duration SLACK = Duration.ofSeconds(1);

    /** The longest wait of a joining node while others keep joining, in join delays. */
    private static final int LONGEST_WAIT = 5;

    private final long leaseMillis;
    private final long joinMillis;
    private final long failoverMillis;
    private final Map<String, Long> missingSince = new HashMap<>();
    private final Map<String, Long> hereSince = new HashMap<>();
    private @Nullable Registry registry;
    private long renewedMillis;
    private long worksSinceMillis;

    NodeLiveness(ManagerSettings settings) {
        this.leaseMillis = settings.nodeLease().toMillis();
        this.joinMillis = settings.joinDelay().toMillis();
        this.failoverMillis = settings.failoverDelay().toMillis();
    }

    /** Records the current state of the cluster. */
    void observe(ClusterView view, long nowMillis) {
        Registry before = registry;
        registry = view.registry();
        // every node renews three times per lease: without any renewal, the registry is unavailable
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

    /** The registry cannot be read: its next state counts as the first one. */
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

    /** Whether a node renewed recently. */
    private boolean working(long nowMillis) {
        return nowMillis - renewedMillis <= leaseMillis * 6 / 10;
    }

    /** Returns the start of the current period of uninterrupted renewals. */
    long worksSinceMillis() {
        return worksSinceMillis;
    }

    private boolean trusted(long nowMillis) {
        return nowMillis - worksSinceMillis >= leaseMillis + SLACK.toMillis();
    }

    private boolean left(String node) {
        return Objects.requireNonNull(registry).left().contains(node);
    }

    /** Returns the missing nodes that have shut down, or have had enough time to register again. */
    SortedSet<String> gone(Collection<String> missing, long nowMillis) {
        TreeSet<String> gone = new TreeSet<>(missing);
        gone.removeIf(node -> !left(node) && !trusted(nowMillis));
        return gone;
    }

    /**
     * Whether to start a change without the missing nodes. When the failover delay of one has passed, the change removes all
     * of them, because it cannot include a node that does not answer.
     */
    boolean without(Collection<String> missing, long nowMillis) {
        return gone(missing, nowMillis).containsAll(missing)
                && missing.stream()
                        .anyMatch(node ->
                                left(node) || nowMillis - missingSince.getOrDefault(node, nowMillis) >= failoverMillis);
    }

    /** Whether no node has joined for a join delay, or one of these has waited the longest time. */
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
