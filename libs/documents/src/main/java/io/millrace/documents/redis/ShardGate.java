package io.millrace.documents.redis;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.store.BucketDescriptor;
import io.millrace.redis.Bytes;
import io.millrace.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Opens shards for writing and closes them: the fence that keeps writes out of what has been dropped. */
final class ShardGate {

    private static final byte OPEN = 'O';
    private static final byte WRITES_LOST = 'L';
    private static final byte NEWER_FORMAT = 'F';

    private ShardGate() {}

    /**
     * Opens a shard for all collections of its bucket; false when the shard has a newer incarnation. Where Redis has lost
     * writes that this process knows of, the bucket gets the next incarnation first; where an earlier version has written, the
     * catalog says first that this one does.
     */
    static CompletionStage<Boolean> open(RedisLink link, CatalogCache directory, RedisBucket bucket, Keys.Shard shard) {
        BucketDescriptor descriptor = bucket.descriptor;
        if (descriptor.format() < BucketDescriptor.FORMAT && !descriptor.dropped()) {
            return again(link, directory, bucket, shard, BucketDescriptor::upgraded);
        }
        return send(link, bucket, shard, directory.seen(shard.topic())).thenCompose(answer -> switch (answer) {
            case WRITES_LOST -> again(link, directory, bucket, shard, BucketDescriptor::branched);
            case NEWER_FORMAT ->
                CompletableFuture.failedStage(DocumentsException.newerFormat(
                        descriptor.name(), BucketDescriptor.FORMAT + 1, BucketDescriptor.FORMAT));
            default -> CompletableFuture.completedStage(answer == OPEN);
        });
    }

    private static CompletionStage<Boolean> again(
            RedisLink link,
            CatalogCache directory,
            RedisBucket bucket,
            Keys.Shard shard,
            UnaryOperator<BucketDescriptor> step) {
        return change(link, bucket, step)
                .thenCompose(done -> directory.refresh())
                .thenCompose(fresh -> open(link, directory, fresh.require(bucket.descriptor.name()), shard));
    }

    /** Changes the entry of a bucket; does nothing when another process was faster. */
    private static CompletionStage<?> change(RedisLink link, RedisBucket bucket, UnaryOperator<BucketDescriptor> step) {
        byte[] name = Bytes.bytes(bucket.descriptor.name());
        return link.ready().thenCompose(redis -> redis.hget(Keys.CATALOG, name)).thenCompose(raw -> {
            BucketDescriptor found = raw == null ? null : CatalogCache.decode(raw);
            if (found == null
                    || found.dropped()
                    || found.incarnation() != bucket.descriptor.incarnation()
                    || !found.format().equals(bucket.descriptor.format())) {
                return CompletableFuture.completedStage(null);
            }
            byte[] next = CatalogCache.encode(step.apply(found));
            return link.call(redis -> DocumentFunction.SWAP.call(redis, Keys.CATALOG, name, raw, next));
        });
    }

    private static CompletionStage<Byte> send(RedisLink link, RedisBucket bucket, Keys.Shard shard, long seen) {
        BucketDescriptor descriptor = bucket.descriptor;
        List<byte[]> args = new ArrayList<>();
        args.add(bucket.gate);
        args.add(Bytes.bytes(BucketInfo.firstSeqno(descriptor.incarnation())));
        args.add(Bytes.bytes(seen));
        descriptor.numbers().forEach(number -> args.add(Keys.counter(number)));
        byte[][] all = args.toArray(byte[][]::new);
        return link.call(redis -> DocumentFunction.OPEN.call(redis, shard.meta(), all))
                .thenApply(answer -> answer[0]);
    }

    /** Opens all shards of a bucket. */
    static CompletableFuture<Void> open(RedisLink link, CatalogCache directory, RedisBucket bucket) {
        return each(bucket, shard -> open(link, directory, bucket, shard));
    }

    /** Closes all shards of a bucket to some collections. */
    static CompletableFuture<Void> close(RedisLink link, RedisBucket bucket, List<Integer> collections) {
        List<byte[]> args = new ArrayList<>();
        args.add(bucket.gate);
        collections.forEach(number -> args.add(Keys.counter(number)));
        byte[][] all = args.toArray(byte[][]::new);
        return each(bucket, shard -> link.call(redis -> DocumentFunction.CLOSE.call(redis, shard.meta(), all)));
    }

    /** Closes all shards of a bucket to everything. */
    static CompletableFuture<Void> close(RedisLink link, RedisBucket bucket) {
        return close(link, bucket, List.of());
    }

    private static CompletableFuture<Void> each(
            RedisBucket bucket, Function<Keys.Shard, CompletionStage<?>> operation) {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (int shard = 0; shard < bucket.descriptor.shards(); shard++) {
            answers.add(operation.apply(bucket.shard(shard)).toCompletableFuture());
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    }
}
