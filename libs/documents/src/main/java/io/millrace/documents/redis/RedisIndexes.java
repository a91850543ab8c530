package io.millrace.documents.redis;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.DocumentIndexes;
import io.millrace.documents.DocumentIndexes.ByteRange;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.redis.RedisBucket.Collection;
import io.millrace.redis.Bytes;
import io.millrace.redis.RedisLink;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The indexes of a {@link RedisDocumentStore}: in each shard entries of its own, which a scan merges. */
final class RedisIndexes implements DocumentIndexes {

    private static final byte[] NOTHING = {};
    private static final byte[] ZERO = Bytes.bytes("0");
    private static final byte[] NO_END = Bytes.bytes("+");
    private static final byte[] ASCENDING = Bytes.bytes("A");
    private static final byte[] DESCENDING = Bytes.bytes("D");
    private static final int EXPIRED_AT_A_TIME = 1000;
    /** From so many entries on, copying them in a function costs more than checking twice. */
    private static final int LONG_PAGE = 64;

    private final RedisLink link;
    private final CatalogCache directory;
    private final InstantSource clock;
    /** What brings an index of a shard up to date in this process: others wait for it, then look again. */
    private final Map<String, CompletableFuture<Boolean>> updates = new ConcurrentHashMap<>();

    RedisIndexes(RedisLink link, CatalogCache directory, InstantSource clock) {
        this.link = link;
        this.directory = directory;
        this.clock = clock;
    }

    /** An index in one shard. */
    record Part(RedisBucket bucket, Collection collection, int number, Keys.Shard shard, Index index, byte[] name) {

        byte[] entries() {
            return Keys.concat(shard.entries(), name);
        }

        byte[] owners() {
            return Keys.concat(shard.owners(), name);
        }

        String key() {
            return shard.topic() + ' ' + Bytes.text(name);
        }
    }

    private interface Work<T> {
        CompletionStage<T> on(Part part);
    }

    /** Does something with an index in every shard. */
    private <T> CompletableFuture<List<T>> everywhere(Index index, Work<T> work) {
        return RedisDocumentStore.answer(directory
                .bucket(index.keyspace().bucket())
                .thenCompose(bucket -> {
                    Collection collection = bucket.collection(index.keyspace());
                    return collection != null
                            ? parts(bucket, collection, index, work)
                            : directory.refresh().thenCompose(fresh -> {
                                RedisBucket again =
                                        fresh.require(index.keyspace().bucket());
                                return parts(again, again.require(index.keyspace()), index, work);
                            });
                }));
    }

    private static <T> CompletionStage<List<T>> parts(
            RedisBucket bucket, Collection collection, Index index, Work<T> work) {
        byte[] name = Keys.ref(collection.number(), Bytes.bytes(index.id()));
        List<CompletableFuture<T>> answers = new ArrayList<>();
        for (int number = 0; number < bucket.descriptor.shards(); number++) {
            answers.add(work.on(new Part(bucket, collection, number, bucket.shard(number), index, name))
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
    }

    private static Index named(Keyspace keyspace, String id) {
        return new Index(keyspace, id, document -> List.of());
    }

    @Override
    public CompletableFuture<Void> open(Keyspace keyspace, String id) {
        return everywhere(
                        named(keyspace, id),
                        part -> link.call(redis -> redis.hsetnx(part.shard.indexes(), part.name, ZERO)))
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Void> completeIds(Keyspace keyspace) {
        return everywhere(named(keyspace, ""), part -> new IdCompletion(link, directory, part).run())
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Void> drop(Keyspace keyspace, String id) {
        // the name first: no entries are added to an index that is not listed
        return everywhere(
                        named(keyspace, id),
                        part -> link.call(redis -> redis.hdel(part.shard.indexes(), part.name)
                                .thenCompose(done -> redis.unlink(part.entries(), part.owners()))))
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Double> progress(Keyspace keyspace, String id) {
        return everywhere(named(keyspace, id), this::progress)
                .thenApply(parts -> parts.stream()
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElse(1));
    }

    private CompletionStage<Double> progress(Part part) {
        return link.call(redis -> redis.hget(part.shard.indexes(), part.name).thenCompose(come -> {
            if (come == null) {
                return CompletableFuture.failedStage(gone(part));
            }
            CompletionStage<Long> all = redis.zcard(part.shard.order());
            return redis.zcount(part.shard.order(), "(" + Bytes.text(come), "+inf")
                    .thenCombine(all, (left, total) -> total == 0 ? 1 : Math.max(0, 1 - (double) left / total));
        }));
    }

    // ---- reading

    @Override
    public CompletableFuture<List<byte[]>> scan(Index index, ByteRange range, boolean descending, int max) {
        return everywhere(index, part -> page(part, range, descending, max, NOTHING, now()))
                .thenApply(pages -> pages.size() == 1 ? pages.getFirst() : merge(pages, descending, max));
    }

    @Override
    public CompletableFuture<Long> count(Index index, List<ByteRange> ranges, boolean current) {
        CompletableFuture<Void> upToDate = current ? update(index) : CompletableFuture.allOf();
        return upToDate.thenCompose(done -> everywhere(index, part -> count(part, ranges)))
                .thenApply(counts -> counts.stream().mapToLong(Long::longValue).sum());
    }

    private CompletionStage<Long> count(Part part, List<ByteRange> ranges) {
        return link.call(redis -> {
            List<CompletableFuture<Long>> counts = new ArrayList<>();
            for (ByteRange range : ranges) {
                counts.add(redis.zlexcount(part.entries(), entries(range)).toCompletableFuture());
            }
            return CompletableFuture.allOf(counts.toArray(CompletableFuture[]::new))
                    .thenApply(done ->
                            counts.stream().mapToLong(CompletableFuture::join).sum());
        });
    }

    private static Range<byte[]> entries(ByteRange range) {
        byte[] to = range.to();
        return Range.from(Boundary.including(range.from()), to == null ? Boundary.unbounded() : Boundary.excluding(to));
    }

    private static List<byte[]> merge(List<List<byte[]>> pages, boolean descending, int max) {
        List<byte[]> all = new ArrayList<>();
        pages.forEach(all::addAll);
        all.sort(descending ? (left, right) -> Arrays.compareUnsigned(right, left) : Arrays::compareUnsigned);
        return List.copyOf(all.subList(0, Math.min(max, all.size())));
    }

    private byte[] now() {
        return Bytes.bytes(clock.instant().getEpochSecond());
    }

    private CompletionStage<List<byte[]>> page(
            Part part, ByteRange range, boolean descending, int max, byte[] least, byte[] now) {
        boolean apart = max >= LONG_PAGE && !link.cluster();
        CompletionStage<List<byte[]>> read = apart
                ? readBetweenChecks(part, range, descending, max, least, now)
                : scan(part, range, descending, max, least, now);
        return read.thenCompose(answer -> switch (answer.getFirst()[0]) {
            case 'O' -> CompletableFuture.completedStage(answer.subList(1, answer.size()));
            case 'B' ->
                comeTo(part, Bytes.number(answer.get(1), 0), Bytes.number(answer.get(2), 0))
                        .thenCompose(done -> page(part, range, descending, max, answer.get(2), NOTHING));
            case 'D' -> expire(part).thenCompose(done -> page(part, range, descending, max, NOTHING, NOTHING));
            default -> CompletableFuture.failedStage(gone(part));
        });
    }

    /** Reads entries in the step that finds that the index has come far enough. */
    private CompletionStage<List<byte[]>> scan(
            Part part, ByteRange range, boolean descending, int max, byte[] least, byte[] now) {
        byte[] to = range.to();
        byte[] from = Keys.concat(Bytes.bytes("["), range.from());
        byte[] until = to == null ? NO_END : Keys.concat(Bytes.bytes("("), to);
        byte[] order = descending ? DESCENDING : ASCENDING;
        return link.call(redis ->
                scan(redis, part, part.bucket.gate, part.name, least, now, from, until, order, Bytes.bytes(max)));
    }

    /**
     * Reads entries by a command of their own, because a function copies them one by one. The index has come far enough before,
     * and is still there afterwards, in the same run of Redis; an index never goes back within one.
     */
    private CompletionStage<List<byte[]>> readBetweenChecks(
            Part part, ByteRange range, boolean descending, int max, byte[] least, byte[] now) {
        return link.call(redis -> {
                    RedisFuture<List<byte[]>> before = check(redis, part, least, now);
                    RedisFuture<List<byte[]>> entries = descending
                            ? redis.zrevrangebylex(part.entries(), entries(range), Limit.from(max))
                            : redis.zrangebylex(part.entries(), entries(range), Limit.from(max));
                    RedisFuture<List<byte[]>> after = check(redis, part, ZERO, NOTHING);
                    return before.thenCompose(
                            found -> entries.thenCombine(after, (read, still) -> new Checked(found, read, still)));
                })
                .thenCompose(checked -> checked.isCertain()
                        ? CompletableFuture.completedStage(checked.answer())
                        : scan(part, range, descending, max, least, now));
    }

    private record Checked(List<byte[]> before, List<byte[]> entries, List<byte[]> after) {

        boolean isCertain() {
            return before.getFirst()[0] != 'O' || isSame(before, after);
        }

        private static boolean isSame(List<byte[]> before, List<byte[]> after) {
            return after.getFirst()[0] == 'O' && Arrays.equals(before.get(1), after.get(1));
        }

        /** Returns what the function would have returned. */
        List<byte[]> answer() {
            if (before.getFirst()[0] != 'O') {
                return before;
            }
            List<byte[]> answer = new ArrayList<>(entries.size() + 1);
            answer.add(before.getFirst());
            answer.addAll(entries);
            return answer;
        }
    }

    private static RedisFuture<List<byte[]>> check(
            RedisClusterAsyncCommands<byte[], byte[]> redis, Part part, byte[] least, byte[] now) {
        return scan(redis, part, part.bucket.gate, part.name, least, now, NOTHING, NOTHING, ASCENDING, ZERO);
    }

    private static RedisFuture<List<byte[]>> scan(
            RedisClusterAsyncCommands<byte[], byte[]> redis, Part part, byte[]... args) {
        byte[][] keys = {part.shard.meta(), part.shard.indexes(), part.entries(), part.shard.expiries()};
        return DocumentFunction.LIBRARY.list(redis, DocumentFunction.SCAN, keys, args);
    }

    /** A document that is due counts as gone, but its entries stay until it becomes a tombstone. */
    private CompletionStage<Integer> expire(Part part) {
        return new DueDocuments(link, part.bucket, clock.instant().getEpochSecond())
                .expire(EXPIRED_AT_A_TIME)
                .thenCompose(number -> number == 0 ? CompletableFuture.completedStage(0) : expire(part));
    }

    private static DocumentsException gone(Part part) {
        return DocumentsException.indexNotFound(part.collection.keyspace());
    }

    // ---- bringing up to date

    @Override
    public CompletableFuture<Void> update(Index index) {
        return everywhere(index, part -> page(part, new ByteRange(NOTHING, new byte[] {0}), false, 1, NOTHING, now()))
                .thenAccept(done -> {});
    }

    /** Ends when the index has reached a seqno, or when another update has ended: the caller checks again. */
    private CompletionStage<Boolean> comeTo(Part part, long from, long to) {
        CompletableFuture<Boolean> own = new CompletableFuture<>();
        CompletableFuture<Boolean> running = updates.putIfAbsent(part.key(), own);
        if (running != null) {
            return running.handle((done, failure) -> true);
        }
        new IndexUpdate(link, directory, part, to).run(from).whenComplete((done, failure) -> {
            updates.remove(part.key(), own);
            if (failure == null) {
                own.complete(done);
            } else {
                own.completeExceptionally(failure);
            }
        });
        return own;
    }
}
