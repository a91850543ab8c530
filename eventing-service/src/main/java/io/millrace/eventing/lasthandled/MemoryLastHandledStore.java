package io.millrace.eventing.lasthandled;

import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The states that were handled last, in memory, for tests. */
final class MemoryLastHandledStore implements LastHandledStore {

    private final CheckpointStore checkpoints;
    private final Map<CheckpointGroup, Map<String, byte[]>> groups = new HashMap<>();

    /** @param checkpoints knows the owners of vbuckets */
    MemoryLastHandledStore(CheckpointStore checkpoints) {
        this.checkpoints = checkpoints;
    }

    @Override
    public CompletableFuture<Integer> remember(CheckpointGroup group, List<Handled> handled) {
        return checkpoints.read(group).thenApply(found -> {
            Map<Integer, Long> epochs = new HashMap<>();
            found.forEach(one -> epochs.put(one.vbucket(), one.epoch()));
            int fenced = 0;
            for (Handled one : handled) {
                if (epochs.getOrDefault(one.vbucket(), 0L) == one.epoch()) {
                    put(group, one);
                } else {
                    fenced++;
                }
            }
            return fenced;
        });
    }

    private synchronized void put(CheckpointGroup group, Handled one) {
        Map<String, byte[]> states = groups.computeIfAbsent(group, any -> new HashMap<>());
        if (one.state().length == 0) {
            states.remove(one.document());
        } else {
            states.put(one.document(), one.state());
        }
    }

    @Override
    public synchronized CompletableFuture<List<byte @Nullable []>> recall(
            CheckpointGroup group, List<String> documents) {
        Map<String, byte[]> states = groups.getOrDefault(group, Map.of());
        List<byte @Nullable []> found = new ArrayList<>();
        documents.forEach(document -> found.add(states.get(document)));
        return CompletableFuture.completedFuture(found);
    }

    @Override
    public synchronized CompletableFuture<Void> deleteAll(CheckpointGroup group) {
        groups.remove(group);
        return CompletableFuture.completedFuture(null);
    }
}
