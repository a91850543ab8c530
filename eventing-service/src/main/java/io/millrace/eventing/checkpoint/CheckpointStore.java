package io.millrace.eventing.checkpoint;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps checkpoints. Thread-safe; no call blocks. A future that fails says that the store could not be reached or did
 * not answer: the call may or may not have been carried out and may be repeated.
 */
public interface CheckpointStore {

    /**
     * Takes over the vbuckets {@code first} to {@code last}: from now on whoever claimed them before is fenced. A
     * vbucket without a checkpoint gets one that is not {@link Checkpoint#started()}.
     */
    CompletableFuture<Claim> claim(CheckpointGroup group, String owner, int first, int last);

    /**
     * Saves checkpoints, each only where its vbucket's claim is still that of the checkpoint's epoch. Returns the
     * vbuckets, in the order given, that somebody else has claimed since or whose checkpoints were deleted; nothing was
     * saved for those.
     */
    CompletableFuture<List<Integer>> save(CheckpointGroup group, List<Checkpoint> checkpoints);

    /** Deletes the checkpoints of a function; whoever claimed them is fenced. */
    CompletableFuture<Void> deleteAll(CheckpointGroup group);
}
