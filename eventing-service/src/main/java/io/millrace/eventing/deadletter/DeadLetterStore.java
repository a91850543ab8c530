package io.millrace.eventing.deadletter;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.rebalance.VbucketSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Keeps the dead letters of functions. Thread-safe; no call blocks. A future that fails says that the store could not be
 * reached or did not answer: the call may or may not have been carried out and may be repeated.
 */
public interface DeadLetterStore {

    /**
     * Returns a store on Redis.
     *
     * @param redis supplies the connection for each call
     */
    static DeadLetterStore onRedis(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
        return new RedisDeadLetterStore(redis);
    }

    /**
     * Returns a store in memory, for tests.
     *
     * @param checkpoints tells who owns which vbucket
     */
    static DeadLetterStore inMemory(CheckpointStore checkpoints) {
        return new MemoryDeadLetterStore(checkpoints);
    }

    /** What {@link #bury} completes with when nothing was written. */
    int FENCED = -1;

    /**
     * A letter in the list.
     *
     * @param number grows with every burial
     * @param replaying whether somebody has asked for it to be replayed, which has not happened yet
     */
    record Kept(long number, DeadLetter letter, boolean replaying) {}

    /**
     * Keeps a letter in place of one of the same name, as long as its vbucket is owned with an epoch; what is beyond
     * {@code most} goes, the oldest first. Completes with how many went, or with {@link #FENCED}.
     */
    CompletableFuture<Integer> bury(CheckpointGroup group, long epoch, DeadLetter letter, int most);

    /** Completes with up to {@code most} letters with numbers below one, newest first. */
    CompletableFuture<List<Kept>> list(CheckpointGroup group, long below, int most);

    CompletableFuture<Optional<Kept>> find(CheckpointGroup group, String name);

    CompletableFuture<Long> count(CheckpointGroup group);

    /** Completes with the names of all letters, oldest first. */
    CompletableFuture<List<String>> names(CheckpointGroup group);

    /** Completes with how many of these there were, which are gone. */
    CompletableFuture<Integer> drop(CheckpointGroup group, List<String> names);

    /** Asks whoever owns their vbuckets to replay letters. Completes with how many of them there are. */
    CompletableFuture<Integer> askForReplay(CheckpointGroup group, List<String> names);

    /** Completes with up to {@code most} letters of some vbuckets that are to be replayed. */
    CompletableFuture<List<DeadLetter>> toReplay(CheckpointGroup group, VbucketSet vbuckets, int most);

    /** Drops everything that a function has here. */
    CompletableFuture<Void> deleteAll(CheckpointGroup group);
}
