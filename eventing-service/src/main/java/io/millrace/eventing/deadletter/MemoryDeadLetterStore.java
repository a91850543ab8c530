package io.millrace.eventing.deadletter;

import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.rebalance.VbucketSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Dead letters in memory, for tests. */
final class MemoryDeadLetterStore implements DeadLetterStore {

    private final CheckpointStore checkpoints;
    private final Map<CheckpointGroup, TreeMap<Long, Kept>> groups = new HashMap<>();
    private final Map<CheckpointGroup, List<Runnable>> listeners = new HashMap<>();
    private long number;

    /** @param checkpoints knows the owners of vbuckets */
    MemoryDeadLetterStore(CheckpointStore checkpoints) {
        this.checkpoints = checkpoints;
    }

    @Override
    public CompletableFuture<Integer> bury(CheckpointGroup group, long epoch, DeadLetter letter, int most) {
        return checkpoints.read(group).thenApply(owned -> {
            boolean mine = owned.stream().anyMatch(one -> one.vbucket() == letter.vbucket() && one.epoch() == epoch);
            return mine ? keep(group, letter, most) : FENCED;
        });
    }

    private synchronized int keep(CheckpointGroup group, DeadLetter letter, int most) {
        TreeMap<Long, Kept> letters = letters(group);
        letters.values().removeIf(kept -> kept.letter().name().equals(letter.name()));
        letters.put(++number, new Kept(number, letter, false));
        int dropped = 0;
        while (letters.size() > most) {
            letters.pollFirstEntry();
            dropped++;
        }
        return dropped;
    }

    private TreeMap<Long, Kept> letters(CheckpointGroup group) {
        return groups.computeIfAbsent(group, any -> new TreeMap<>());
    }

    @Override
    public synchronized CompletableFuture<List<Kept>> list(CheckpointGroup group, long below, int most) {
        return CompletableFuture.completedFuture(letters(group).headMap(below, false).descendingMap().values().stream()
                .limit(most)
                .toList());
    }

    @Override
    public synchronized CompletableFuture<Optional<Kept>> find(CheckpointGroup group, String name) {
        return CompletableFuture.completedFuture(letters(group).values().stream()
                .filter(kept -> kept.letter().name().equals(name))
                .findFirst());
    }

    @Override
    public synchronized CompletableFuture<Long> count(CheckpointGroup group) {
        return CompletableFuture.completedFuture((long) letters(group).size());
    }

    @Override
    public synchronized CompletableFuture<List<String>> names(CheckpointGroup group) {
        return CompletableFuture.completedFuture(letters(group).values().stream()
                .map(kept -> kept.letter().name())
                .toList());
    }

    @Override
    public synchronized CompletableFuture<Integer> drop(CheckpointGroup group, List<String> names) {
        int before = letters(group).size();
        letters(group).values().removeIf(kept -> names.contains(kept.letter().name()));
        return CompletableFuture.completedFuture(before - letters(group).size());
    }

    @Override
    public synchronized CompletableFuture<Integer> askForReplay(CheckpointGroup group, List<String> names) {
        int found = mark(group, names, true);
        if (found > 0) {
            listeners.getOrDefault(group, List.of()).forEach(Runnable::run);
        }
        return CompletableFuture.completedFuture(found);
    }

    private int mark(CheckpointGroup group, List<String> names, boolean replaying) {
        List<Kept> found = new ArrayList<>(letters(group).values());
        found.removeIf(kept -> !names.contains(kept.letter().name()));
        found.forEach(kept -> letters(group).put(kept.number(), new Kept(kept.number(), kept.letter(), replaying)));
        return found.size();
    }

    @Override
    public synchronized CompletableFuture<Void> withdrawReplay(CheckpointGroup group, List<String> names) {
        mark(group, names, false);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized ChangeNotifier.Subscription onReplay(CheckpointGroup group, Runnable asked) {
        List<Runnable> all = listeners.computeIfAbsent(group, any -> new CopyOnWriteArrayList<>());
        all.add(asked);
        return () -> all.remove(asked);
    }

    @Override
    public synchronized CompletableFuture<List<DeadLetter>> toReplay(
            CheckpointGroup group, VbucketSet vbuckets, int most) {
        return CompletableFuture.completedFuture(letters(group).values().stream()
                .filter(kept ->
                        kept.replaying() && vbuckets.contains(kept.letter().vbucket()))
                .map(Kept::letter)
                .limit(most)
                .toList());
    }

    @Override
    public synchronized CompletableFuture<Void> deleteAll(CheckpointGroup group) {
        groups.remove(group);
        return CompletableFuture.completedFuture(null);
    }
}
