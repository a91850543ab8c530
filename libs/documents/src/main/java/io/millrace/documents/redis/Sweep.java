package io.millrace.documents.redis;

import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * Removes the documents of dropped collections, tombstones included. Their shards must have been closed to them. Every
 * document has a row in by_seq, so a walk over the rows finds all; collection numbers are never used again, so nothing
 * new can be hit.
 */
final class Sweep {

    private static final int PAGE_ROWS = 1000;

    private final RedisClusterAsyncCommands<byte[], byte[]> redis;
    private final RedisBucket bucket;
    private final IntPredicate collections;

    Sweep(RedisClusterAsyncCommands<byte[], byte[]> redis, RedisBucket bucket, IntPredicate collections) {
        this.redis = redis;
        this.bucket = bucket;
        this.collections = collections;
    }

    CompletionStage<Void> run() {
        return shards(0);
    }

    private CompletionStage<Void> shards(int number) {
        if (number == bucket.descriptor.shards()) {
            return CompletableFuture.completedStage(null);
        }
        Keys.Shard shard = bucket.shard(number);
        return indexes(shard).thenCompose(done -> shard(shard, 0)).thenCompose(done -> shards(number + 1));
    }

    @SuppressWarnings("NullAway") // the null that a CompletableFuture<Void> holds
    private CompletionStage<Void> indexes(Keys.Shard shard) {
        return redis.hkeys(shard.indexes()).thenCompose(names -> {
            List<byte[]> gone = names.stream()
                    .filter(name -> collections.test(Row.collection(name)))
                    .toList();
            if (gone.isEmpty()) {
                return CompletableFuture.completedStage(null);
            }
            byte[][] keys = gone.stream()
                    .flatMap(name -> Stream.of(Keys.concat(shard.entries(), name), Keys.concat(shard.owners(), name)))
                    .toArray(byte[][]::new);
            // the names first: no entries are added to an index that is not listed
            return redis.hdel(shard.indexes(), gone.toArray(byte[][]::new))
                    .thenCompose(done -> redis.unlink(keys))
                    .thenAccept(done -> {});
        });
    }

    private CompletionStage<Void> shard(Keys.Shard shard, long since) {
        return redis.zrangebyscoreWithScores(shard.order(), "(" + since, "+inf", 0, PAGE_ROWS)
                .thenCompose(page -> {
                    if (page.isEmpty()) {
                        return CompletableFuture.completedStage(null);
                    }
                    long last = (long) page.getLast().getScore();
                    return remove(shard, page).thenCompose(done -> shard(shard, last));
                });
    }

    @SuppressWarnings("NullAway") // the null that a CompletableFuture<Void> holds
    private CompletableFuture<Void> remove(Keys.Shard shard, List<ScoredValue<byte[]>> page) {
        List<byte[]> members = new ArrayList<>();
        List<byte[]> refs = new ArrayList<>();
        List<byte[]> documents = new ArrayList<>();
        for (ScoredValue<byte[]> scored : page) {
            Row row = Row.decode(scored);
            if (collections.test(row.collection())) {
                members.add(scored.getValue());
                refs.add(row.ref());
                documents.add(shard.document(row.ref()));
                documents.add(shard.list(row.ref()));
            }
        }
        if (members.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        // rows last: a sweep that is cut short finds them again
        return CompletableFuture.allOf(
                redis.unlink(documents.toArray(byte[][]::new)).toCompletableFuture(),
                redis.zrem(shard.expiries(), refs.toArray(byte[][]::new)).toCompletableFuture(),
                redis.zrem(shard.ids(), refs.toArray(byte[][]::new)).toCompletableFuture(),
                redis.zrem(Keys.log(bucket.descriptor.name()), members.toArray(byte[][]::new))
                        .toCompletableFuture(),
                redis.zrem(shard.order(), members.toArray(byte[][]::new)).toCompletableFuture());
    }
}
