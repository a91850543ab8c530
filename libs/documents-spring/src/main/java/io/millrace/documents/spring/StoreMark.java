package io.millrace.documents.spring;

import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes the Redis with the data by a mark that the first service leaves in it. A Redis without that mark was emptied, or is
 * another one; a replica that was promoted has it.
 */
final class StoreMark {

    private static final byte[] KEY = "mr:store".getBytes(StandardCharsets.UTF_8);

    private final AtomicReference<@Nullable String> known = new AtomicReference<>();

    /** Returns whether Redis has the mark that this process saw first. The first call leaves one where there is none. */
    CompletionStage<Boolean> isThere(RedisClusterAsyncCommands<byte[], byte[]> redis) {
        return redis.get(KEY).thenCompose(found -> {
            if (found != null) {
                String mark = new String(found, StandardCharsets.UTF_8);
                return CompletableFuture.completedStage(known.compareAndSet(null, mark) || mark.equals(known.get()));
            }
            return known.get() == null ? leave(redis) : CompletableFuture.completedStage(false);
        });
    }

    /** Another process may be faster, so that what counts is what is found afterwards. */
    private CompletionStage<Boolean> leave(RedisClusterAsyncCommands<byte[], byte[]> redis) {
        byte[] mark = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
        return redis.set(KEY, mark, SetArgs.Builder.nx())
                .thenCompose(done -> isThere(redis))
                .exceptionally(refused -> true); // nothing is known yet
    }
}
