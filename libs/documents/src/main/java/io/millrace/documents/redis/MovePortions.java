package io.millrace.documents.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Divides what a move copies, so that the process has room for it: a document may have 20 MiB, a set of timers more. */
final class MovePortions {

    /** What a move has in memory at a time, unless a single document or key is larger. */
    static final long BYTES = 16L << 20;

    private MovePortions() {}

    /**
     * Divides a list into portions of so many bytes in Redis; blocks.
     *
     * @param redis where the keys are
     * @param keys returns the keys of an element, which need not exist
     */
    static <T> List<List<T>> of(
            RedisClusterAsyncCommands<byte[], byte[]> redis, List<T> all, Function<T, byte[][]> keys) {
        List<CompletionStage<Long>> sizes =
                all.stream().map(each -> size(redis, keys.apply(each))).toList();
        List<List<T>> portions = new ArrayList<>();
        List<T> portion = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < all.size(); i++) {
            long next = of(sizes.get(i));
            if (!portion.isEmpty() && bytes + next > BYTES) {
                portions.add(portion);
                portion = new ArrayList<>();
                bytes = 0;
            }
            portion.add(all.get(i));
            bytes += next;
        }
        if (!portion.isEmpty()) {
            portions.add(portion);
        }
        return portions;
    }

    private static CompletionStage<Long> size(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys) {
        CompletionStage<Long> sum = CompletableFuture.completedStage(0L);
        for (byte[] key : keys) {
            sum = sum.thenCombine(redis.memoryUsage(key), (former, bytes) -> former + (bytes == null ? 0 : bytes));
        }
        return sum;
    }

    private static long of(CompletionStage<Long> size) {
        try {
            return size.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw RedisErrors.translate(e);
        }
    }
}
