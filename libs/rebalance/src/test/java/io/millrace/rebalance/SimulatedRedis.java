package io.millrace.rebalance;

import io.millrace.rebalance.ownership.OwnerTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Documents, checkpoints, timers and owners, which survive crashes of nodes. */
final class SimulatedRedis {

    private record Place(String function, int vbucket) {}

    private final OwnerTable owners;
    private final Sabotage sabotage;
    private final Witness witness;
    private final int[] logs;
    private final Map<Place, Integer> checkpoints = new TreeMap<>(SimulatedRedis::compare);
    private final Map<Place, TreeMap<Integer, Long>> timers = new TreeMap<>(SimulatedRedis::compare);
    private final List<String> nodes = new ArrayList<>();

    SimulatedRedis(VirtualTime time, int vbuckets, Sabotage sabotage, Witness witness) {
        this.owners = new OwnerTable(time);
        this.logs = new int[vbuckets];
        this.sabotage = sabotage;
        this.witness = witness;
    }

    private static int compare(Place a, Place b) {
        int byFunction = a.function.compareTo(b.function);
        return byFunction == 0 ? Integer.compare(a.vbucket, b.vbucket) : byFunction;
    }

    /** Changes a document; its event gets the next seqno of the vbucket. */
    void mutate(int vbucket) {
        logs[vbucket]++;
    }

    int highSeqno(int vbucket) {
        return logs[vbucket];
    }

    boolean renew(String node, Duration lease) {
        if (!nodes.contains(node)) {
            nodes.add(node);
        }
        return owners.renew(node, lease);
    }

    boolean endLease(String node) {
        owners.end(node);
        return true;
    }

    OwnerTable.TakeOver takeOver(String function, String node, VbucketSet wanted) {
        if (sabotage == Sabotage.TAKE_OVER_BEFORE_LEASE_END) {
            nodes.stream().filter(other -> !other.equals(node)).forEach(owners::end);
        }
        return owners.takeOver(function, node, wanted);
    }

    int checkpoint(String function, int vbucket) {
        return checkpoints.getOrDefault(new Place(function, vbucket), 0);
    }

    /** Saves a checkpoint; returns false if its epoch is fenced. */
    boolean save(String function, int vbucket, long epoch, int seqno) {
        if (!owners.owns(function, vbucket, epoch) && sabotage != Sabotage.NO_FENCE) {
            return false;
        }
        witness.saved(function, vbucket, checkpoint(function, vbucket), seqno);
        checkpoints.put(new Place(function, vbucket), seqno);
        return true;
    }

    boolean giveUp(String function, int vbucket, long epoch, int seqno) {
        return save(function, vbucket, epoch, seqno) && owners.giveUp(function, vbucket, epoch);
    }

    boolean createTimer(String function, int vbucket, long epoch, int id, long due) {
        if (!owners.owns(function, vbucket, epoch)) {
            return false;
        }
        timersOf(function, vbucket).put(id, due);
        return true;
    }

    boolean deleteTimer(String function, int vbucket, long epoch, int id) {
        if (!owners.owns(function, vbucket, epoch)) {
            return false;
        }
        timersOf(function, vbucket).remove(id);
        return true;
    }

    List<Integer> dueTimers(String function, int vbucket, long now) {
        List<Integer> due = new ArrayList<>();
        timersOf(function, vbucket).forEach((id, at) -> {
            if (at <= now) {
                due.add(id);
            }
        });
        return due;
    }

    boolean noTimers(String function, int vbucket) {
        return timersOf(function, vbucket).isEmpty();
    }

    Map<Integer, OwnerTable.Owner> owners(String function) {
        return owners.owners(function);
    }

    private TreeMap<Integer, Long> timersOf(String function, int vbucket) {
        return timers.computeIfAbsent(new Place(function, vbucket), absent -> new TreeMap<>());
    }
}
