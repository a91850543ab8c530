package io.millrace.eventing.lasthandled;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores the state of each document that a function handled last, for functions that need it. Thread-safe; no call
 * blocks. A future fails when the store could not be reached or did not answer: the call may or may not have taken
 * effect, and may be repeated.
 */
public interface LastHandledStore {

    /**
     * Returns a store on Redis.
     *
     * @param redis opens the connection: asked at the first call, and again after it failed; must not block
     */
    static LastHandledStore onRedis(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
        return new RedisLastHandledStore(redis);
    }

    /**
     * Returns a store in memory, for tests.
     *
     * @param checkpoints knows the owners of vbuckets
     */
    static LastHandledStore inMemory(CheckpointStore checkpoints) {
        return new MemoryLastHandledStore(checkpoints);
    }

    /**
     * The state that was handled last.
     *
     * @param epoch the claim under which the document's vbucket is owned
     * @param document the name of the document
     * @param state the bytes to store; empty to delete the stored state
     */
    record Handled(int vbucket, long epoch, String document, byte[] state) {}

    /**
     * Stores each state if its epoch owns the vbucket; of several states of one document the last one is kept.
     * Completes with how many were refused.
     */
    CompletableFuture<Integer> remember(CheckpointGroup group, List<Handled> handled);

    /** Completes with the states of documents, in their order; null where none is stored. */
    CompletableFuture<List<byte @Nullable []>> recall(CheckpointGroup group, List<String> documents);

    /** Deletes all states of a function. */
    CompletableFuture<Void> deleteAll(CheckpointGroup group);
}
