package io.millrace.documents.redis;

import io.millrace.documents.redis.RedisBucket.Collection;
import io.millrace.documents.redis.RedisBucket.Place;
import io.millrace.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** The documents of a bucket that are due at one moment. */
final class DueDocuments {

    private record Due(Place place, byte[] ref) {}

    private final RedisLink link;
    private final RedisBucket bucket;
    private final long now;

    DueDocuments(RedisLink link, RedisBucket bucket, long now) {
        this.link = link;
        this.bucket = bucket;
        this.now = now;
    }

    /** Turns up to {@code max} of them into tombstones and returns how many there were. */
    CompletionStage<Integer> expire(int max) {
        int perShard = Math.max(1, max / bucket.descriptor.shards());
        List<CompletableFuture<List<Due>>> pages = new ArrayList<>();
        for (int number = 0; number < bucket.descriptor.shards(); number++) {
            pages.add(page(bucket.shard(number), perShard).toCompletableFuture());
        }
        return all(pages).thenCompose(due -> {
            List<CompletableFuture<Integer>> answers = due.stream()
                    .flatMap(List::stream)
                    .limit(max)
                    .map(this::expire)
                    .toList();
            return all(answers)
                    .thenApply(counts ->
                            counts.stream().mapToInt(Integer::intValue).sum());
        });
    }

    private CompletionStage<List<Due>> page(Keys.Shard shard, int max) {
        return link.redis()
                .zrangebyscore(shard.expiries(), "-inf", Long.toString(now), 0, max)
                .thenApply(refs -> refs.stream()
                        .flatMap(ref -> {
                            Collection collection = bucket.collection(Row.collection(ref));
                            return collection == null
                                    ? Stream.of()
                                    : Stream.of(new Due(new Place(bucket, collection, shard), ref));
                        })
                        .toList());
    }

    private CompletableFuture<Integer> expire(Due due) {
        return link.call(redis -> DocumentCalls.expire(redis, due.place, due.ref, now))
                .thenApply(expired -> expired ? 1 : 0)
                .toCompletableFuture();
    }

    private static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> answers) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
    }
}
