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
 * Remembers of each document which state a function has handled last, for functions that want to know. Thread-safe; no
 * call blocks. A future that fails says that the store could not be reached or did not answer: the call may or may not
 * have been carried out and may be repeated.
 */
public interface LastHandledStore {

    /**
     * Returns a store on Redis.
     *
     * @param redis supplies the connection for each call
     */
    static LastHandledStore onRedis(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
        return new RedisLastHandledStore(redis);
    }

    /**
     * Returns a store in memory, for tests.
     *
     * @param checkpoints tells who owns which vbucket
     */
    static LastHandledStore inMemory(CheckpointStore checkpoints) {
        return new MemoryLastHandledStore(checkpoints);
    }

    /**
     * What was handled last.
     *
     * @param epoch with which the document's vbucket is owned
     * @param document names the document
     * @param state what is to be remembered; empty to forget the document
     */
    record Handled(int vbucket, long epoch, String document, byte[] state) {}

    /**
     * Remembers states, each as long as its vbucket is owned with its epoch; of the same document the last one counts.
     * Completes with how many were refused.
     */
    CompletableFuture<Integer> remember(CheckpointGroup group, List<Handled> handled);

    /** Completes with what is remembered of documents, in their order; null for nothing. */
    CompletableFuture<List<byte @Nullable []>> recall(CheckpointGroup group, List<String> documents);

    /** Forgets everything that a function has here. */
    CompletableFuture<Void> deleteAll(CheckpointGroup group);
}
