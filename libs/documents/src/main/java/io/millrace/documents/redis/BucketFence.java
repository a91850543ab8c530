package io.millrace.documents.redis;

import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.redis.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Refuses the writers of a bucket while it moves, and lets them in again. Blocks. */
final class BucketFence {

    /** For how long a move that has failed tries to let writers in again: the Redis that failed may be restarting. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final byte[] ANY_MOVE = {};

    private final RedisDocumentStore store;
    private final RedisBucket bucket;
    private final byte[] token;
    private final Duration patience;

    /** @param token names the move */
    BucketFence(RedisDocumentStore store, RedisBucket bucket, byte[] token, Duration patience) {
        this.store = store;
        this.bucket = bucket;
        this.token = token;
        this.patience = patience;
    }

    /** Refuses writers, also in place of another move. */
    void refuse() {
        require("F");
    }

    /** Refuses writers for good: the bucket has moved. */
    void keep() {
        require("M");
    }

    /** Lets writers in again, whichever move refused them. */
    static void open(RedisDocumentStore store, RedisBucket bucket) {
        RuntimeException failure = new BucketFence(store, bucket, ANY_MOVE, Duration.ZERO).everyShard("A");
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Lets writers in again after this move has failed, and returns what the move then fails with: the cause, or where
     * Redis did not respond for all the patience, that writers are still refused.
     */
    RuntimeException openAfter(RuntimeException cause) {
        long began = System.nanoTime();
        RuntimeException failure = everyShard("U");
        while (failure != null && System.nanoTime() - began < patience.toNanos() && !interrupted()) {
            LockSupport.parkNanos(PAUSE.toNanos());
            failure = everyShard("U");
        }
        return failure == null ? cause : stillRefused(cause);
    }

    private DocumentsException stillRefused(RuntimeException cause) {
        return DocumentsException.of(
                Code.UNAVAILABLE,
                ("%s Writes to bucket '%s' are still refused, because its Redis did not respond afterwards either:"
                                + " when it does, repeat the move or abandon it.")
                        .formatted(cause.getMessage(), bucket.descriptor.name()),
                cause);
    }

    private static boolean interrupted() {
        return Thread.currentThread().isInterrupted();
    }

    private void require(String what) {
        for (int shard = 0; shard < bucket.descriptor.shards(); shard++) {
            byte answer = of(call(shard, what));
            if (answer != 'O') {
                throw DocumentsException.of(
                        answer == 'M' ? Code.BUCKET_EXISTS : Code.STALE_INCARNATION,
                        (answer == 'M'
                                        ? "Bucket '%s' has moved to another Redis: start the services with its address."
                                                + " If it is not there, abandon the move."
                                        : "Bucket '%s' has been dropped, or is moved by another process now.")
                                .formatted(bucket.descriptor.name()));
            }
        }
    }

    /** Asks all shards, also when one has failed, and returns the first failure. */
    private @Nullable RuntimeException everyShard(String what) {
        List<CompletableFuture<Byte>> answers = new ArrayList<>();
        for (int shard = 0; shard < bucket.descriptor.shards(); shard++) {
            answers.add(call(shard, what));
        }
        RuntimeException first = null;
        for (CompletableFuture<Byte> answer : answers) {
            try {
                of(answer);
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        return first;
    }

    private CompletableFuture<Byte> call(int shard, String what) {
        byte[] meta = bucket.shard(shard).meta();
        return store.link()
                .call(redis -> DocumentFunction.FENCE.call(redis, meta, bucket.gate, token, Bytes.bytes(what)))
                .thenApply(answer -> answer[0]);
    }

    private static byte of(CompletableFuture<Byte> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw DocumentsException.of(e);
        }
    }
}
