package io.millrace.eventing.idempotency;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Keeps one record for each request with a key, for all nodes and a limited time. Thread-safe; no call blocks. A future fails
 * when the store could not be reached or did not answer.
 */
public interface AnswerStore {

    /** How long a record is kept, from its claim on. */
    Duration RETENTION = Duration.ofHours(1);

    /** How many bytes may be reserved for one function within {@link #RETENTION}. */
    long MAX_BYTES_PER_FUNCTION = 64L << 20;

    /**
     * Returns a store on Redis.
     *
     * @param redis opens the connection: asked at the first call, and again after it failed; must not block
     */
    static AnswerStore onRedis(
            Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis, InstantSource clock) {
        return new RedisAnswerStore(redis, clock);
    }

    /** Returns a store in memory, for tests. */
    static AnswerStore inMemory(InstantSource clock) {
        return new MemoryAnswerStore(clock);
    }

    /**
     * Stores a record unless there is another one with this key already; then completes with that one.
     *
     * @param record differs from those of all other claims, so that a claim whose answer is lost may be repeated
     */
    CompletableFuture<Optional<byte[]>> claim(String key, byte[] record);

    /** Replaces the record of a claimed key, for the rest of its time; does nothing when that is over. */
    CompletableFuture<Void> replace(String key, byte[] record);

    /** Forgets a key if it still has the record that it was claimed with. */
    CompletableFuture<Void> release(String key, byte[] record);

    /**
     * Counts bytes that are kept for a function; completes with whether there are not too many, and counts nothing if there
     * are. Windows of time follow each other, so that at most twice the limit is kept.
     */
    CompletableFuture<Boolean> reserve(String function, long bytes);
}
