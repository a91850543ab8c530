package io.millrace.eventing.deadletter;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.rebalance.VbucketSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Stores the dead letters of functions. Thread-safe; no call blocks. A future fails when the store could not be reached
 * or did not answer: the call may or may not have taken effect, and may be repeated.
 */
public interface DeadLetterStore {

    /**
     * Returns a store on Redis.
     *
     * @param redis opens the connection: asked at the first call, and again after it failed; must not block
     * @param notifier tells of requested replays
     */
    static DeadLetterStore onRedis(
            Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis, ChangeNotifier notifier) {
        return new RedisDeadLetterStore(redis, notifier);
    }

    /**
     * Returns a store in memory, for tests.
     *
     * @param checkpoints knows the owners of vbuckets
     */
    static DeadLetterStore inMemory(CheckpointStore checkpoints) {
        return new MemoryDeadLetterStore(checkpoints);
    }

    /** The result of {@link #bury} when nothing was written because the epoch does not own the vbucket. */
    int FENCED = -1;

    /**
     * A letter in the list.
     *
     * @param number increases with every letter that is written
     * @param replaying whether a replay was requested and has not happened yet
     */
    record Kept(long number, DeadLetter letter, boolean replaying) {}

    /**
     * Stores a letter, replacing one of the same name, if the epoch owns its vbucket; deletes the oldest letters beyond
     * {@code most}. Completes with the number of deleted letters, or with {@link #FENCED}.
     */
    CompletableFuture<Integer> bury(CheckpointGroup group, long epoch, DeadLetter letter, int most);

    /** Completes with up to {@code most} letters with numbers below one, newest first. */
    CompletableFuture<List<Kept>> list(CheckpointGroup group, long below, int most);

    CompletableFuture<Optional<Kept>> find(CheckpointGroup group, String name);

    CompletableFuture<Long> count(CheckpointGroup group);

    /** Completes with the names of all letters, oldest first. */
    CompletableFuture<List<String>> names(CheckpointGroup group);

    /** Deletes letters. Completes with how many of them existed. */
    CompletableFuture<Integer> drop(CheckpointGroup group, List<String> names);

    /** Requests the replay of letters by the owners of their vbuckets. Completes with how many of them exist. */
    CompletableFuture<Integer> askForReplay(CheckpointGroup group, List<String> names);

    /** Takes back requests for replays; the letters remain. */
    CompletableFuture<Void> withdrawReplay(CheckpointGroup group, List<String> names);

    /**
     * Calls back when a replay has been requested, until the result is closed. A call may be missed, and may come without a
     * request; the callback must not block.
     */
    ChangeNotifier.Subscription onReplay(CheckpointGroup group, Runnable asked);

    /** Completes with up to {@code most} letters of some vbuckets whose replay was requested. */
    CompletableFuture<List<DeadLetter>> toReplay(CheckpointGroup group, VbucketSet vbuckets, int most);

    /** Deletes all letters of a function. */
    CompletableFuture<Void> deleteAll(CheckpointGroup group);
}
