package io.millrace.eventing.checkpoint;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.rebalance.VbucketSet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Keeps checkpoints, and with them who owns which vbucket. Thread-safe; no call blocks. A future that fails says that the
 * store could not be reached or did not answer: the call may or may not have been carried out and may be repeated.
 */
public interface CheckpointStore {

    /**
     * Returns a store on Redis.
     *
     * @param redis supplies the connection for each call
     */
    static CheckpointStore onRedis(Supplier<RedisClusterAsyncCommands<byte[], byte[]>> redis) {
        return new RedisCheckpointStore(redis);
    }

    /**
     * Returns a store in memory, for tests.
     *
     * @param clock tells whether the lease of an owner has ended
     */
    static CheckpointStore inMemory(InstantSource clock) {
        return new MemoryCheckpointStore(clock);
    }

    /**
     * The right to save checkpoints of some vbuckets, until they are given up or another node claims them.
     *
     * @param epoch higher than that of every earlier claim of the function
     * @param checkpoints the current one of each vbucket that was granted, ascending
     * @param refused the owners of the other vbuckets
     */
    record Claim(long epoch, List<Checkpoint> checkpoints, SortedMap<Integer, String> refused) {}

    /**
     * Makes a node the owner of those vbuckets that nobody has, that it has already, or whose owner has no lease any
     * more: from now on whoever had them is fenced. A vbucket without a checkpoint gets one that is not
     * {@link Checkpoint#started()}.
     */
    CompletableFuture<Claim> claim(CheckpointGroup group, String owner, VbucketSet wanted);

    /**
     * Saves checkpoints, each only where its vbucket's claim is still that of the checkpoint's epoch. Returns the
     * vbuckets, in the order given, that somebody else has claimed since or whose checkpoints were deleted, and all when
     * the store may have lost writes since they were claimed; nothing was saved for those.
     */
    CompletableFuture<List<Integer>> save(CheckpointGroup group, List<Checkpoint> checkpoints);

    /** Saves checkpoints like {@link #save} and releases their vbuckets; the epoch that had them is fenced. */
    CompletableFuture<List<Integer>> giveUp(CheckpointGroup group, List<Checkpoint> checkpoints);

    /** Returns every checkpoint of a function, ascending by vbucket. */
    CompletableFuture<List<Checkpoint>> read(CheckpointGroup group);

    /** Deletes the checkpoints of a function; whoever claimed them is fenced. */
    CompletableFuture<Void> deleteAll(CheckpointGroup group);

    /** Begins or prolongs a node's lease for all functions with this metadata bucket; one of no length ends it. */
    CompletableFuture<Void> renew(String metadataBucket, String node, Duration lease);
}
