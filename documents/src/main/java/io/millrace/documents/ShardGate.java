package io.millrace.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Opens shards for writing and closes them: the fence that keeps writes out of what has been dropped. */
final class ShardGate {

    private static final FunctionLibrary FUNCTIONS = FunctionLibrary.INSTANCE;

    private ShardGate() {}

    /** Opens a shard for all collections of its bucket; false when the shard has a newer incarnation. */
    static CompletionStage<Boolean> open(RedisLink link, RedisBucket bucket, Keys.Shard shard) {
        BucketDescriptor descriptor = bucket.descriptor;
        List<byte[]> args = new ArrayList<>();
        args.add(bucket.incarnation);
        args.add(Keys.bytes(Seqno.first(descriptor.incarnation())));
        descriptor.numbers().forEach(number -> args.add(Keys.counter(number)));
        byte[][] all = args.toArray(byte[][]::new);
        return link.call(redis -> FUNCTIONS.open(redis, shard.meta(), all)).thenApply(answer -> answer[0] == 'O');
    }

    /** Opens all shards of a bucket. */
    static CompletableFuture<Void> open(RedisLink link, RedisBucket bucket) {
        return each(bucket, shard -> open(link, bucket, shard));
    }

    /** Closes all shards of a bucket to some collections. */
    static CompletableFuture<Void> close(RedisLink link, RedisBucket bucket, List<Integer> collections) {
        List<byte[]> args = new ArrayList<>();
        args.add(bucket.incarnation);
        collections.forEach(number -> args.add(Keys.counter(number)));
        byte[][] all = args.toArray(byte[][]::new);
        return each(bucket, shard -> link.call(redis -> FUNCTIONS.close(redis, shard.meta(), all)));
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
