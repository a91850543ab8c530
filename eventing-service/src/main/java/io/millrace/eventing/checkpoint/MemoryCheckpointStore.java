package io.millrace.eventing.checkpoint;

import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.ownership.OwnerTable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Checkpoints in memory: a readable specification of the store on Redis. */
final class MemoryCheckpointStore implements CheckpointStore {

    private final Map<CheckpointGroup, TreeMap<Integer, Checkpoint>> groups = new HashMap<>();
    private final Map<CheckpointGroup, Integer> generations = new HashMap<>();
    private final OwnerTable owners;

    MemoryCheckpointStore(InstantSource clock) {
        this.owners = new OwnerTable(clock);
    }

    @Override
    public synchronized CompletableFuture<Claim> claim(CheckpointGroup group, String owner, VbucketSet wanted) {
        OwnerTable.TakeOver taken = owners.takeOver(name(group), owner(group, owner), wanted);
        TreeMap<Integer, Checkpoint> checkpoints = groups.computeIfAbsent(group, any -> new TreeMap<>());
        List<Checkpoint> claimed = new ArrayList<>();
        taken.granted().stream().forEach(vbucket -> {
            Checkpoint found = checkpoints.getOrDefault(vbucket, Checkpoint.first(vbucket, taken.epoch(), owner));
            checkpoints.put(vbucket, found.claimedBy(owner, taken.epoch()));
            claimed.add(found.claimedBy(owner, taken.epoch()));
        });
        TreeMap<Integer, String> refused = new TreeMap<>();
        taken.refused().forEach((vbucket, other) -> refused.put(vbucket, other.substring(other.indexOf(' ') + 1)));
        return CompletableFuture.completedFuture(new Claim(taken.epoch(), claimed, refused));
    }

    @Override
    public synchronized CompletableFuture<List<Integer>> save(CheckpointGroup group, List<Checkpoint> checkpoints) {
        List<Integer> fenced = new ArrayList<>();
        for (Checkpoint checkpoint : checkpoints) {
            if (owners.owns(name(group), checkpoint.vbucket(), checkpoint.epoch())) {
                groups.getOrDefault(group, new TreeMap<>()).put(checkpoint.vbucket(), checkpoint);
            } else {
                fenced.add(checkpoint.vbucket());
            }
        }
        return CompletableFuture.completedFuture(fenced);
    }

    @Override
    public synchronized CompletableFuture<List<Integer>> giveUp(CheckpointGroup group, List<Checkpoint> checkpoints) {
        return save(group, checkpoints).thenApply(fenced -> {
            for (Checkpoint checkpoint : checkpoints) {
                if (owners.giveUp(name(group), checkpoint.vbucket(), checkpoint.epoch())) {
                    groups.getOrDefault(group, new TreeMap<>()).put(checkpoint.vbucket(), checkpoint.released());
                }
            }
            return fenced;
        });
    }

    @Override
    public synchronized CompletableFuture<List<Checkpoint>> read(CheckpointGroup group) {
        return CompletableFuture.completedFuture(
                List.copyOf(groups.getOrDefault(group, new TreeMap<>()).values()));
    }

    @Override
    public synchronized CompletableFuture<Void> deleteAll(CheckpointGroup group) {
        groups.remove(group);
        generations.merge(group, 1, Integer::sum);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletableFuture<Renewed> renew(String metadataBucket, String node, Duration lease) {
        boolean lapsed = false;
        if (lease.isZero()) {
            owners.end(metadataBucket + ' ' + node);
        } else {
            lapsed = owners.renew(metadataBucket + ' ' + node, lease);
        }
        return CompletableFuture.completedFuture(new Renewed("memory", lapsed));
    }

    /** A deletion of checkpoints ends their ownership. */
    private String name(CheckpointGroup group) {
        return group + "/" + generations.getOrDefault(group, 0);
    }

    private static String owner(CheckpointGroup group, String node) {
        return group.metadataBucket() + ' ' + node;
    }
}
