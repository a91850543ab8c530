package io.millrace.rebalance.topology;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The registered nodes.
 *
 * @param leases the end of each registration in milliseconds since 1970; a renewal changes it
 * @param left the nodes that shut down and have not returned; nodes whose registrations expired are not included
 */
public record Registry(SortedMap<String, Long> leases, SortedSet<String> left) {

    public Registry {
        leases = Collections.unmodifiableSortedMap(new TreeMap<>(leases));
        TreeSet<String> gone = new TreeSet<>(left);
        gone.removeAll(leases.keySet());
        left = Collections.unmodifiableSortedSet(gone);
    }

    /** Returns a registry of live nodes, without information about others. */
    public static Registry of(SortedSet<String> live) {
        TreeMap<String, Long> leases = new TreeMap<>();
        live.forEach(node -> leases.put(node, 0L));
        return new Registry(leases, Collections.emptySortedSet());
    }

    /** Returns the nodes whose registrations have not expired. */
    public SortedSet<String> live() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(leases.keySet()));
    }
}
