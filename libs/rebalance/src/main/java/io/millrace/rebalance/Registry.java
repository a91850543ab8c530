package io.millrace.rebalance;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The nodes as the registry has them.
 *
 * @param leases until when each registration runs, in milliseconds since 1970: another number after each renewal
 * @param left the nodes that took themselves out and have not come back; those whose registrations ran out are not here
 */
public record Registry(SortedMap<String, Long> leases, SortedSet<String> left) {

    public Registry {
        leases = Collections.unmodifiableSortedMap(new TreeMap<>(leases));
        TreeSet<String> gone = new TreeSet<>(left);
        gone.removeAll(leases.keySet());
        left = Collections.unmodifiableSortedSet(gone);
    }

    /** Returns what somebody knows who has heard of the living nodes alone. */
    public static Registry of(SortedSet<String> live) {
        TreeMap<String, Long> leases = new TreeMap<>();
        live.forEach(node -> leases.put(node, 0L));
        return new Registry(leases, Collections.emptySortedSet());
    }

    /** Returns the nodes whose registrations have not run out. */
    public SortedSet<String> live() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(leases.keySet()));
    }
}
