package io.millrace.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Divides what is to be read, so that the process has room for it. */
public final class Portions {

    private Portions() {}

    /**
     * Divides a list into portions that take at most so many bytes in Redis, or have a single element; blocks. Fails with a
     * {@link CompletionException} around Lettuce's exception; see {@link RedisFailure}.
     *
     * @param redis where the keys are
     * @param keys returns the keys of an element, which need not exist
     */
    public static <T> List<List<T>> of(
            RedisClusterAsyncCommands<byte[], byte[]> redis, List<T> all, Function<T, byte[][]> keys, long most) {
        List<CompletionStage<Long>> sizes =
                all.stream().map(each -> size(redis, keys.apply(each))).toList();
        List<List<T>> portions = new ArrayList<>();
        List<T> portion = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < all.size(); i++) {
            long next = sizes.get(i).toCompletableFuture().join();
            if (!portion.isEmpty() && bytes + next > most) {
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
}
