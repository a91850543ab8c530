package io.millrace.documents.redis;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.store.BucketDescriptor;
import io.millrace.documents.store.Checks;
import io.millrace.redis.Bytes;
import io.millrace.redis.RedisLink;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The catalog of a {@link RedisDocumentStore}: one hash of descriptors, each changed by compare-and-set.
 *
 * <p>Something is created by entering it first and opening its shards then, and dropped by taking it out first, closing
 * its shards and then sweeping up its documents. Whatever is cut short in between is made good: a shard that is not open
 * is opened at the first write, a sweep is finished by the next drop or by the next bucket of that name.
 */
final class RedisCatalog implements Catalog {

    private static final byte[] NONE = {};

    /** The position of an index that has no entries yet. */
    private static final byte[] FIRST = {'0'};

    private final RedisLink link;
    private final CatalogCache directory;

    RedisCatalog(RedisLink link, CatalogCache directory) {
        this.link = link;
        this.directory = directory;
    }

    /** What a change makes of the descriptor that it finds; throws when it cannot be. */
    private interface Step extends Function<@Nullable BucketDescriptor, BucketDescriptor> {}

    @Override
    public CompletableFuture<List<BucketInfo>> list() {
        return directory
                .refresh()
                .thenApply(fresh -> fresh.living().stream()
                        .map(bucket -> bucket.info)
                        .sorted(Comparator.comparing(BucketInfo::name))
                        .toList());
    }

    @Override
    public CompletableFuture<Optional<BucketInfo>> find(String name) {
        return directory
                .bucket(name)
                .handle((bucket, failure) -> failure == null
                        ? CompletableFuture.completedFuture(Optional.of(bucket.info))
                        : absent(DocumentsException.of(failure)))
                .thenCompose(Function.identity());
    }

    private static CompletableFuture<Optional<BucketInfo>> absent(DocumentsException failure) {
        return failure.code() == DocumentsException.Code.BUCKET_NOT_FOUND
                ? CompletableFuture.completedFuture(Optional.empty())
                : CompletableFuture.failedFuture(failure);
    }

    @Override
    public CompletableFuture<BucketInfo> createBucket(String name, int shards) {
        return answer(directory
                .refresh()
                .thenCompose(fresh -> {
                    BucketDescriptor.create(name, shards, null); // checks name and shards before anything is swept
                    return sweepFormer(name);
                })
                .thenCompose(swept -> change(name, former -> {
                    BucketDescriptor created = BucketDescriptor.create(name, shards, former);
                    Checks.room(directory.living().size());
                    return created;
                }))
                .thenCompose(this::open));
    }

    /** Finishes the drop of an earlier bucket of that name, in case that was cut short. */
    private CompletionStage<Void> sweepFormer(String name) {
        BucketDescriptor former = directory.dropped(name);
        return former == null ? CompletableFuture.completedStage(null) : sweepAll(new RedisBucket(former));
    }

    /**
     * Prepares the arrival of a bucket from elsewhere, and returns its entry. Until {@link #arrived} the entry says
     * that it was dropped: should the move end early, the next bucket of that name sweeps up what came.
     */
    CompletableFuture<BucketDescriptor> expect(BucketDescriptor leaving) {
        return answer(directory
                .refresh()
                .thenCompose(fresh -> sweepFormer(leaving.name()))
                .thenCompose(swept -> change(leaving.name(), former -> {
                    Checks.room(directory.living().size());
                    return leaving.arriving(former).drop();
                })));
    }

    /** Shows a bucket that has arrived. */
    CompletableFuture<BucketInfo> arrived(BucketDescriptor bucket) {
        return answer(change(bucket.name(), expected -> {
                    if (expected == null || !expected.dropped() || expected.incarnation() != bucket.incarnation()) {
                        throw DocumentsException.of(
                                DocumentsException.Code.BUCKET_EXISTS,
                                "Something else has become of bucket '%s' at the new place.".formatted(bucket.name()));
                    }
                    return bucket;
                })
                .thenCompose(entered -> directory.refresh())
                .thenApply(fresh -> bucket.info()));
    }

    @Override
    public CompletableFuture<Void> dropBucket(String name) {
        return answer(change(name, found -> living(name, found).drop())
                .thenCompose(dropped -> sweepAll(new RedisBucket(dropped)))
                .thenCompose(done -> directory.refresh())
                .thenAccept(fresh -> {}));
    }

    private CompletionStage<Void> sweepAll(RedisBucket bucket) {
        int end = bucket.descriptor.nextCollection();
        return ShardGate.close(link, bucket)
                .thenCompose(done -> new Sweep(link.redis(), bucket, collection -> collection < end).run());
    }

    @Override
    public CompletableFuture<BucketInfo> flushBucket(String name) {
        AtomicReference<List<Integer>> former = new AtomicReference<>(List.of());
        return answer(change(name, found -> {
                    BucketDescriptor full = living(name, found);
                    former.set(full.numbers());
                    return full.flushed();
                })
                .thenCompose(changed -> ShardGate.open(link, directory, new RedisBucket(changed))
                        .thenCompose(opened -> openIndexes(changed, Objects.requireNonNull(former.get())))
                        .thenCompose(opened -> sweepCollections(changed))));
    }

    /** Opens the indexes of collections that have new numbers. */
    private CompletionStage<Void> openIndexes(BucketDescriptor changed, List<Integer> former) {
        RedisBucket bucket = new RedisBucket(changed);
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (int number = 0; number < changed.shards(); number++) {
            byte[] indexes = bucket.shard(number).indexes();
            answers.add(link.call(redis -> redis.hkeys(indexes).thenCompose(names -> {
                        Map<byte[], byte[]> fresh = new LinkedHashMap<>();
                        for (byte[] index : names) {
                            int place = former.indexOf(Row.collection(index));
                            if (place >= 0) {
                                fresh.put(
                                        Row.renumbered(index, changed.numbers().get(place)), FIRST);
                            }
                        }
                        return fresh.isEmpty() ? CompletableFuture.completedStage(0L) : redis.hset(indexes, fresh);
                    }))
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    }

    @Override
    public CompletableFuture<BucketInfo> putSettings(String bucket, Map<String, String> settings) {
        return answer(change(bucket, found -> living(bucket, found).withSettings(settings))
                .thenCompose(changed -> directory.refresh().thenApply(fresh -> changed.info())));
    }

    @Override
    public CompletableFuture<BucketInfo> createScope(String bucket, String scope) {
        return answer(
                change(bucket, found -> living(bucket, found).withScope(scope)).thenCompose(this::open));
    }

    @Override
    public CompletableFuture<BucketInfo> createCollection(Keyspace keyspace) {
        return answer(change(
                        keyspace.bucket(),
                        found -> living(keyspace.bucket(), found).withCollection(keyspace))
                .thenCompose(this::open));
    }

    @Override
    public CompletableFuture<BucketInfo> dropScope(String bucket, String scope) {
        return answer(change(bucket, found -> living(bucket, found).withoutScope(scope))
                .thenCompose(this::sweepCollections));
    }

    @Override
    public CompletableFuture<BucketInfo> dropCollection(Keyspace keyspace) {
        return answer(change(
                        keyspace.bucket(),
                        found -> living(keyspace.bucket(), found).withoutCollection(keyspace))
                .thenCompose(this::sweepCollections));
    }

    @Override
    public CompletableFuture<Boolean> createIndex(Keyspace keyspace, String index, String definition) {
        return indexes(
                keyspace,
                found -> !found.indexes(keyspace).containsKey(index),
                found -> found.withIndex(keyspace, index, definition));
    }

    @Override
    public CompletableFuture<Boolean> dropIndex(Keyspace keyspace, String index) {
        return indexes(
                keyspace,
                found -> found.indexes(keyspace).containsKey(index),
                found -> found.withoutIndex(keyspace, index));
    }

    @Override
    public CompletableFuture<Boolean> replaceIndex(Keyspace keyspace, String index, String former, String definition) {
        return indexes(
                keyspace,
                found -> former.equals(found.indexes(keyspace).get(index)),
                found -> found.withIndex(keyspace, index, definition));
    }

    private CompletableFuture<Boolean> indexes(
            Keyspace keyspace, Predicate<BucketDescriptor> wanted, UnaryOperator<BucketDescriptor> step) {
        AtomicBoolean done = new AtomicBoolean();
        return answer(change(keyspace.bucket(), entry -> {
                    BucketDescriptor found = living(keyspace.bucket(), entry);
                    done.set(wanted.test(found));
                    return done.get() ? step.apply(found) : found;
                })
                .thenCompose(changed -> directory.refresh())
                .thenApply(fresh -> done.get()));
    }

    private CompletionStage<BucketInfo> open(BucketDescriptor created) {
        return ShardGate.open(link, directory, new RedisBucket(created))
                .thenCompose(done -> directory.refresh())
                .thenApply(fresh -> created.info());
    }

    private CompletionStage<BucketInfo> sweepCollections(BucketDescriptor changed) {
        RedisBucket bucket = new RedisBucket(changed);
        List<Integer> gone = changed.sweeps();
        if (gone.isEmpty()) {
            return directory.refresh().thenApply(fresh -> changed.info());
        }
        return ShardGate.close(link, bucket, gone)
                .thenCompose(closed -> new Sweep(link.redis(), bucket, gone::contains).run())
                .thenCompose(swept -> change(
                        changed.name(), found -> living(changed.name(), found).swept(gone)))
                .thenCompose(done -> directory.refresh().thenApply(fresh -> done.info()));
    }

    private static BucketDescriptor living(String name, @Nullable BucketDescriptor found) {
        if (found == null || found.dropped()) {
            throw DocumentsException.bucketNotFound(name);
        }
        if (found.newer()) {
            throw DocumentsException.newerFormat(name, found.format(), BucketDescriptor.FORMAT);
        }
        return found;
    }

    /** Reads, decides and compares-and-sets until no concurrent change interferes. */
    private CompletionStage<BucketDescriptor> change(String name, Step step) {
        DocumentsException refusal = directory.refusal(name);
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        return link.ready()
                .thenCompose(redis -> redis.hget(Keys.CATALOG, Bytes.bytes(name)))
                .thenCompose(raw -> {
                    BucketDescriptor changed = step.apply(raw == null ? null : CatalogCache.decode(raw));
                    byte[] expected = raw == null ? NONE : raw;
                    byte[] entry = CatalogCache.encode(changed);
                    return link.call(redis ->
                                    DocumentFunction.SWAP.call(redis, Keys.CATALOG, Bytes.bytes(name), expected, entry))
                            .thenCompose(answer ->
                                    answer[0] == 'O' ? CompletableFuture.completedStage(changed) : change(name, step));
                });
    }

    private static <T> CompletableFuture<T> answer(CompletionStage<T> stage) {
        return stage.<T>handle((value, failure) -> {
                    if (failure != null) {
                        throw DocumentsException.of(failure);
                    }
                    return value;
                })
                .toCompletableFuture();
    }
}
