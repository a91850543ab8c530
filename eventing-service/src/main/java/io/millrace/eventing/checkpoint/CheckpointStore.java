package io.millrace.eventing.checkpoint;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.rebalance.VbucketSet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Stores checkpoints and with them the owners of vbuckets. Thread-safe; no call blocks. A future fails when the store
 * could not be reached or did not answer: the call may or may not have taken effect, and may be repeated.
 */
public interface CheckpointStore {

    /**
     * Returns a store on Redis.
     *
     * @param redis opens the connection: asked at the first call, and again after it failed; must not block
     */
    static CheckpointStore onRedis(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
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
     * Makes a node the owner of those vbuckets that have no owner, that it owns already, or whose owner's lease has
     * ended; the previous owner is fenced from then on. A vbucket without a checkpoint gets one that is not {@link
     * Checkpoint#started()}.
     */
    CompletableFuture<Claim> claim(CheckpointGroup group, String owner, VbucketSet wanted);

    /**
     * Saves each checkpoint if its epoch still owns the vbucket. Returns the vbuckets, in the order given, for which
     * nothing was saved: those that another claim has taken over, those whose checkpoints were deleted, and all of them
     * when the store may have lost writes since the claim.
     */
    CompletableFuture<List<Integer>> save(CheckpointGroup group, List<Checkpoint> checkpoints);

    /** Saves checkpoints like {@link #save} and releases their vbuckets; their epoch is fenced. */
    CompletableFuture<List<Integer>> giveUp(CheckpointGroup group, List<Checkpoint> checkpoints);

    /** Returns every checkpoint of a function, ascending by vbucket. */
    CompletableFuture<List<Checkpoint>> read(CheckpointGroup group);

    /** Deletes the checkpoints of a function; earlier claims are fenced. */
    CompletableFuture<Void> deleteAll(CheckpointGroup group);

    /**
     * A renewed lease.
     *
     * @param run a name of the run of the store: with another one than before, the store was restarted, and claims from before are void
     * @param lapsed whether the node had no lease until then, so that others may have claimed what it owned
     */
    record Renewed(String run, boolean lapsed) {}

    /** Starts or extends a node's lease for all functions with this metadata bucket; a length of zero ends it. */
    CompletableFuture<Renewed> renew(String metadataBucket, String node, Duration lease);
}
