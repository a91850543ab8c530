package io.millrace.eventing.checkpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Checkpoints in the memory of this process: the readable description of what the one on Redis does. */
public final class MemoryCheckpointStore implements CheckpointStore {

    private final Map<CheckpointGroup, TreeMap<Integer, Checkpoint>> groups = new HashMap<>();
    private long lastEpoch;

    @Override
    public synchronized CompletableFuture<Claim> claim(CheckpointGroup group, String owner, int first, int last) {
        long epoch = ++lastEpoch;
        TreeMap<Integer, Checkpoint> checkpoints = groups.computeIfAbsent(group, any -> new TreeMap<>());
        for (int vbucket = first; vbucket <= last; vbucket++) {
            checkpoints.merge(
                    vbucket,
                    Checkpoint.first(vbucket, epoch, owner),
                    (found, ignored) -> found.claimedBy(owner, epoch));
        }
        List<Checkpoint> claimed =
                List.copyOf(checkpoints.subMap(first, true, last, true).values());
        return CompletableFuture.completedFuture(new Claim(epoch, claimed));
    }

    @Override
    public synchronized CompletableFuture<List<Integer>> save(CheckpointGroup group, List<Checkpoint> checkpoints) {
        Map<Integer, Checkpoint> found = groups.getOrDefault(group, new TreeMap<>());
        List<Integer> fenced = new ArrayList<>();
        for (Checkpoint checkpoint : checkpoints) {
            Checkpoint old = found.get(checkpoint.vbucket());
            if (old == null || old.epoch() != checkpoint.epoch()) {
                fenced.add(checkpoint.vbucket());
            } else {
                found.put(checkpoint.vbucket(), checkpoint);
            }
        }
        return CompletableFuture.completedFuture(fenced);
    }

    @Override
    public synchronized CompletableFuture<Void> deleteAll(CheckpointGroup group) {
        groups.remove(group);
        return CompletableFuture.completedFuture(null);
    }
}
