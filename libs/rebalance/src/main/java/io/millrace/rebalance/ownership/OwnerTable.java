package io.millrace.rebalance.ownership;

import io.millrace.rebalance.VbucketSet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The owner of each vbucket of each function, in memory: the readable specification of the Redis scripts. Epochs fence
 * owners: a write with an older epoch is refused. Not thread-safe.
 */
public final class OwnerTable {

    /** Stands for no node in {@link Owner}. */
    public static final String NO_OWNER = "-";

    /** @param epoch the epoch of the last take-over; each take-over increases it */
    public record Owner(String node, long epoch) {}

    /**
     * The result of a take-over.
     *
     * @param epoch the epoch of the granted vbuckets
     * @param granted the vbuckets that the node now owns with this epoch
     * @param refused the owners of the others
     * @param held all vbuckets of the function that the node owns, with their epochs, including the granted ones
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

    /** Starts or extends the lease of a node; returns whether it had none until now. */
    public boolean renew(String node, Duration lease) {
        long now = clock.millis();
        Long end = leaseEnds.put(node, now + lease.toMillis());
        return end == null || end < now;
    }

    /** Ends the lease of a node. */
    public void end(String node) {
        leaseEnds.remove(node);
    }

    /**
     * Grants a node the vbuckets without owner, those that it already owns, and those whose owner's lease has ended. If the
     * node has no lease, another node can take the vbuckets over immediately.
     */
    public TakeOver takeOver(String function, String node, VbucketSet wanted) {
        TreeMap<Integer, Owner> owners = functions.computeIfAbsent(function, absent -> new TreeMap<>());
        long epoch = ++lastEpoch;
        TreeMap<Integer, String> refused = new TreeMap<>();
        wanted.stream().forEach(vbucket -> {
            Owner owner = owners.getOrDefault(vbucket, new Owner(NO_OWNER, 0));
            boolean free = owner.node().equals(NO_OWNER) || owner.node().equals(node) || !leased(owner.node());
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

    /** Whether a write with this epoch is allowed. */
    public boolean owns(String function, int vbucket, long epoch) {
        Owner owner = functions.getOrDefault(function, new TreeMap<>()).get(vbucket);
        return owner != null && owner.epoch() == epoch && !owner.node().equals(NO_OWNER);
    }

    /** Releases a vbucket if its owner still has this epoch, and fences that owner. Returns whether it did. */
    public boolean giveUp(String function, int vbucket, long epoch) {
        if (!owns(function, vbucket, epoch)) {
            return false;
        }
        functions.getOrDefault(function, new TreeMap<>()).put(vbucket, new Owner(NO_OWNER, epoch));
        return true;
    }

    /** Returns the owner of each vbucket of a function that has had an owner. */
    public Map<Integer, Owner> owners(String function) {
        return new TreeMap<>(functions.getOrDefault(function, new TreeMap<>()));
    }

    private boolean leased(String node) {
        Long end = leaseEnds.get(node);
        return end != null && clock.millis() < end;
    }
}
