package io.millrace.documents.redis;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.IdRange;
import io.millrace.redis.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads the ids of a collection in order: a page of each shard, merged. */
final class IdScan {

    /** The byte behind the colon that ends a collection's number. */
    private static final byte BEHIND_COLON = ':' + 1;

    private IdScan() {}

    static CompletionStage<List<String>> read(
            RedisClusterAsyncCommands<byte[], byte[]> redis,
            RedisBucket bucket,
            RedisBucket.Collection collection,
            IdRange range,
            int max) {
        Range<byte[]> refs = Range.from(from(collection.number(), range), to(collection.number(), range));
        List<CompletableFuture<List<byte[]>>> pages = new ArrayList<>();
        for (int shard = 0; shard < bucket.descriptor.shards(); shard++) {
            pages.add(redis.zrangebylex(bucket.shard(shard).ids(), refs, Limit.create(0, max))
                    .toCompletableFuture());
        }
        int prefix = collection.number().length + 1;
        return CompletableFuture.allOf(pages.toArray(CompletableFuture[]::new)).thenApply(done -> {
            List<byte[]> merged = new ArrayList<>();
            pages.forEach(page -> merged.addAll(page.join()));
            if (pages.size() > 1) {
                merged.sort(Arrays::compareUnsigned);
            }
            return merged.stream()
                    .limit(max)
                    .map(ref -> Bytes.text(Arrays.copyOfRange(ref, prefix, ref.length)))
                    .toList();
        });
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
