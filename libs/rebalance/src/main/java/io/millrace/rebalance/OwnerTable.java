package io.millrace.rebalance;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who owns which vbucket of which function, in memory: the readable description of what the scripts in Redis do. An
 * owner is fenced by its epoch: whatever it writes with an older one is refused. Not thread-safe.
 */
public final class OwnerTable {

    /** In place of a node: nobody. */
    public static final String NOBODY = "-";

    /** @param epoch of the last one who took it over; grows with each */
    public record Owner(String node, long epoch) {}

    /**
     * The answer to a take-over.
     *
     * @param epoch of what was granted
     * @param granted what the node owns from now on with that epoch
     * @param refused who has the others
     * @param held everything of the function that the node owns, with its epochs, what was granted included
     */
    public record TakeOver(
            long epoch, VbucketSet granted, TreeMap<Integer, String> refused, TreeMap<Integer, Long> held) {}

    private final InstantSource clock;
    private final Map<String, Long> leaseEnds = new HashMap<>();
    private final Map<String, TreeMap<Integer, Owner>> functions = new HashMap<>();
    private long lastEpoch;

    public OwnerTable(InstantSource clock) {
        this.clock = clock;
    }

    /** Begins or prolongs the lease of a node. */
    public void renew(String node, Duration lease) {
        leaseEnds.put(node, clock.millis() + lease.toMillis());
    }

    /** Ends the lease of a node. */
    public void end(String node) {
        leaseEnds.remove(node);
    }

    /**
     * Gives a node the vbuckets that nobody has, that it has already, or whose owner's lease has ended. What a node
     * without lease gets, the next one may take.
     */
    public TakeOver takeOver(String function, String node, VbucketSet wanted) {
        TreeMap<Integer, Owner> owners = functions.computeIfAbsent(function, absent -> new TreeMap<>());
        long epoch = ++lastEpoch;
        TreeMap<Integer, String> refused = new TreeMap<>();
        wanted.stream().forEach(vbucket -> {
            Owner owner = owners.getOrDefault(vbucket, new Owner(NOBODY, 0));
            boolean free = owner.node().equals(NOBODY) || owner.node().equals(node) || !leased(owner.node());
            if (free) {
                owners.put(vbucket, new Owner(node, epoch));
            } else {
                refused.put(vbucket, owner.node());
            }
        });
        TreeMap<Integer, Long> held = new TreeMap<>();
        owners.forEach((vbucket, owner) -> {
            if (owner.node().equals(node)) {
                held.put(vbucket, owner.epoch());
            }
        });
        VbucketSet granted =
                wanted.minus(VbucketSet.of(refused.keySet().stream().mapToInt(Integer::intValue)));
        return new TakeOver(epoch, granted, refused, held);
    }

    /** Returns whether a write with this epoch is allowed. */
    public boolean owns(String function, int vbucket, long epoch) {
        Owner owner = functions.getOrDefault(function, new TreeMap<>()).get(vbucket);
        return owner != null && owner.epoch() == epoch && !owner.node().equals(NOBODY);
    }

    /** Releases a vbucket when it is still owned with this epoch; whoever had it is fenced. Returns whether it was. */
    public boolean giveUp(String function, int vbucket, long epoch) {
        if (!owns(function, vbucket, epoch)) {
            return false;
        }
        functions.getOrDefault(function, new TreeMap<>()).put(vbucket, new Owner(NOBODY, epoch));
        return true;
    }

    /** Returns the owner of each vbucket of a function that ever had one. */
    public Map<Integer, Owner> owners(String function) {
        return new TreeMap<>(functions.getOrDefault(function, new TreeMap<>()));
    }

    private boolean leased(String node) {
        Long end = leaseEnds.get(node);
        return end != null && clock.millis() < end;
    }
}
