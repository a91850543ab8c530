package io.millrace.documents.redis;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.IdRange;
import io.millrace.redis.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Reads a range of the ids of a collection: a page of each shard, merged. */
final class IdScan {

    /** The byte behind the colon that ends a collection's number. */
    private static final byte BEHIND_COLON = ':' + 1;

    private final RedisBucket bucket;
    private final int prefix;
    private final Range<byte[]> refs;

    IdScan(RedisBucket bucket, RedisBucket.Collection collection, IdRange range) {
        this.bucket = bucket;
        this.prefix = collection.number().length + 1;
        this.refs = Range.from(from(collection.number(), range), to(collection.number(), range));
    }

    CompletionStage<List<String>> ascending(RedisClusterAsyncCommands<byte[], byte[]> redis, int max) {
        return merged(ids -> redis.zrangebylex(ids, refs, Limit.create(0, max)), Arrays::compareUnsigned, max);
    }

    CompletionStage<List<String>> descending(RedisClusterAsyncCommands<byte[], byte[]> redis, int max) {
        Comparator<byte[]> order = Arrays::compareUnsigned;
        return merged(ids -> redis.zrevrangebylex(ids, refs, Limit.create(0, max)), order.reversed(), max);
    }

    CompletionStage<Long> count(RedisClusterAsyncCommands<byte[], byte[]> redis) {
        return ofShards(ids -> redis.zlexcount(ids, refs))
                .thenApply(counts -> counts.stream().mapToLong(Long::longValue).sum());
    }

    private CompletionStage<List<String>> merged(
            Function<byte[], CompletionStage<List<byte[]>>> page, Comparator<byte[]> order, int max) {
        return ofShards(page).thenApply(pages -> {
            List<byte[]> all = new ArrayList<>();
            pages.forEach(all::addAll);
            if (pages.size() > 1) {
                all.sort(order);
            }
            return all.stream()
                    .limit(max)
                    .map(ref -> Bytes.text(Arrays.copyOfRange(ref, prefix, ref.length)))
                    .toList();
        });
    }

    private <T> CompletionStage<List<T>> ofShards(Function<byte[], CompletionStage<T>> question) {
        List<CompletableFuture<T>> answers = new ArrayList<>();
        for (int shard = 0; shard < bucket.descriptor.shards(); shard++) {
            answers.add(question.apply(bucket.shard(shard).ids()).toCompletableFuture());
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
    }

    private static Boundary<byte[]> from(byte[] collection, IdRange range) {
        String from = range.from();
        byte[] ref = Keys.ref(collection, Bytes.bytes(from == null ? "" : from));
        return from == null || range.fromIncluded() ? Boundary.including(ref) : Boundary.excluding(ref);
    }

    private static Boundary<byte[]> to(byte[] collection, IdRange range) {
        String to = range.to();
        if (to == null) {
            return Boundary.excluding(Keys.concat(collection, new byte[] {BEHIND_COLON}));
        }
        byte[] ref = Keys.ref(collection, Bytes.bytes(to));
        return range.toIncluded() ? Boundary.including(ref) : Boundary.excluding(ref);
    }
}
