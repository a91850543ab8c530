package io.millrace.eventing.producer;

import io.millrace.documents.Branch;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.VBuckets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * The positions that a function had reached at the latest few moments, so that a loss of the last second does not repeat all
 * that came after the last checkpoint. What the function had done until such a moment is certainly still there if a change of
 * the source is that was made later: Redis loses what it took last. Thread-safe.
 */
final class Milestones {

    /** Less than the second that Redis may lose, as a function also repeats what it had in hand at such a moment. */
    static final Duration EVERY = Duration.ofMillis(500);

    /** Redis syncs its file each second and loses what came after the last sync, which may take another second. */
    private static final int KEPT = 8;

    /** Each shard is asked each time. */
    private static final int MAX_SHARDS = 16;

    private final DocumentStore documents;
    private final BucketInfo source;
    private final Deque<Milestone> latest = new ArrayDeque<>();

    /**
     * The state of a shard at a moment.
     *
     * @param run of Redis
     * @param begun where its newest history began
     * @param newest a number that no later change has
     */
    private record At(String run, long begun, long newest) {}

    /**
     * A moment.
     *
     * @param reached the positions of the vbuckets, not changed any more
     * @param shards the state of each shard, asked for afterwards
     */
    @SuppressWarnings(
            "ArrayRecordComponent") // a list of boxed numbers for each vbucket would take five times the memory
    private record Milestone(long[] reached, List<At> shards) {

        /** Returns whether a change is left that was made in this shard after the moment, and everything before it. */
        boolean survives(int shard, Branch now) {
            At then = shards.get(shard);
            return now.kept(then.begun(), then.newest() + 1);
        }
    }

    Milestones(DocumentStore documents, BucketInfo source) {
        this.documents = documents;
        this.source = source;
    }

    /**
     * Notes the positions of the vbuckets unless they are what is known already. Never blocks.
     *
     * @param run the run of Redis in which they were claimed: in a later one, what was done up to them may be lost already
     */
    CompletableFuture<Void> note(IntToLongFunction positions, String run) {
        int shards = source.shards();
        long[] reached = new long[VBuckets.COUNT];
        Arrays.setAll(reached, positions);
        if (shards > MAX_SHARDS || isKnown(reached)) {
            return CompletableFuture.completedFuture(null);
        }
        // asked for after what was reached is known: whatever has a greater number came later
        List<CompletableFuture<At>> asked =
                IntStream.range(0, shards).mapToObj(this::now).toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenRun(() -> {
            List<At> shardsNow = asked.stream().map(CompletableFuture::join).toList();
            if (shardsNow.stream().allMatch(at -> at.run().equals(run))) {
                add(new Milestone(reached, shardsNow));
            }
        });
    }

    private CompletableFuture<At> now(int shard) {
        return documents
                .branch(source.name(), shard)
                .thenCombine(
                        documents.highSeqno(source.name(), shard),
                        (branch, newest) -> new At(branch.run(), branch.first(), newest));
    }

    private synchronized boolean isKnown(long[] reached) {
        return !latest.isEmpty() && Arrays.equals(latest.getFirst().reached(), reached);
    }

    private synchronized void add(Milestone milestone) {
        latest.addFirst(milestone);
        if (latest.size() > KEPT) {
            latest.removeLast();
        }
    }

    /** Forgets everything, because the function has gone back. */
    synchronized void clear() {
        latest.clear();
    }

    /** Returns the positions of the vbuckets of a shard at the latest moment after which something is left of it. */
    synchronized Optional<IntToLongFunction> surviving(int shard, Branch now) {
        return latest.stream()
                .filter(milestone -> milestone.survives(shard, now))
                .findFirst()
                .map(milestone -> vbucket -> milestone.reached()[vbucket]);
    }
}
