package io.millrace.documents;

import io.lettuce.core.RestoreArgs;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.Document.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Moves a bucket to another Redis while it is in use. See {@link #run}; the RATIONALE tells why nothing rewinds.
 */
public final class BucketMove {

    /**
     * How a move went.
     *
     * @param bucket as it is now at its new place
     * @param rows how many documents and tombstones were copied; one that changed meanwhile counts again
     * @param fenced for how long writers were refused before the new place was open
     */
    public record Result(BucketInfo bucket, long rows, Duration fenced) {}

    private static final int PAGE_ROWS = 200;

    /** With fewer rows left the last of them are copied behind the fence. */
    private static final int FEW_ROWS = 1_000;

    private static final int MAX_OPEN_PASSES = 10;

    private final RedisDocumentStore from;
    private final RedisDocumentStore to;
    private final Map<Integer, Long> copied = new HashMap<>();
    private long rows;

    /** Prepares a move between two stores, which must be on different servers. */
    public BucketMove(RedisDocumentStore from, RedisDocumentStore to) {
        this.from = from;
        this.to = to;
    }

    /**
     * Moves the bucket and returns when it is open at its new place; blocks. Documents keep their CAS and their place in
     * the feed, and new changes get greater numbers than all before: a reader goes on at the new place after the position
     * that it had at the old one. At the old place the bucket can still be read; writes there fail with
     * {@code STALE_INCARNATION} until the callers use the new place. Drop it there when nobody reads it any more.
     *
     * <p>Collections and indexes must not be created or dropped meanwhile. Indexes are built anew when they are used.
     *
     * @throws DocumentsException {@code BUCKET_EXISTS} when the new place has a bucket of that name, and whatever either
     *     Redis fails with; the bucket can then be written at its old place as before. After a crash in the middle, run it
     *     again
     */
    public Result run(String bucket) {
        RedisBucket source = of(from.directory().refresh()).require(bucket);
        BucketDescriptor arriving = of(to.moves().expect(source.descriptor));
        copyWhileOpen(source, new RedisBucket(arriving));
        long began = System.nanoTime();
        try {
            fence(source, "~" + source.descriptor.incarnation());
            RedisBucket last = of(from.directory().refresh()).require(bucket);
            BucketDescriptor moved = arriving.like(last.descriptor);
            RedisBucket target = new RedisBucket(moved);
            copy(last, target);
            for (int shard = 0; shard < moved.shards(); shard++) {
                open(last.shard(shard), target, target.shard(shard));
            }
            if (moved.shards() > 1) {
                copyLog(last, target);
            }
            BucketInfo info = of(to.moves().arrived(moved));
            return new Result(info, rows, Duration.ofNanos(System.nanoTime() - began));
        } catch (RuntimeException e) {
            fence(source, Long.toString(source.descriptor.incarnation()));
            throw e;
        }
    }

    private void copyWhileOpen(RedisBucket source, RedisBucket target) {
        for (int pass = 0; pass < MAX_OPEN_PASSES && copy(source, target) > FEW_ROWS; pass++) {
            // what changed during this pass is left for the next one
        }
    }

    /** A gate that is no incarnation refuses writers; the same number keeps it from being opened as another one. */
    private void fence(RedisBucket bucket, String gate) {
        for (int shard = 0; shard < bucket.descriptor.shards(); shard++) {
            of(redis(from).hset(bucket.shard(shard).meta(), Keys.bytes("gate"), Keys.bytes(gate)));
        }
    }

    /** Copies the rows after those that have been copied, and returns how many there were. */
    private long copy(RedisBucket source, RedisBucket target) {
        long before = rows;
        for (int shard = 0; shard < source.descriptor.shards(); shard++) {
            long position = copied.getOrDefault(shard, 0L);
            List<ScoredValue<byte[]>> page;
            do {
                page = of(redis(from)
                        .zrangebyscoreWithScores(source.shard(shard).order(), "(" + position, "+inf", 0, PAGE_ROWS));
                if (!page.isEmpty()) {
                    copyRows(source, page, source.shard(shard), target.shard(shard));
                    position = (long) page.getLast().getScore();
                    rows += page.size();
                }
            } while (page.size() == PAGE_ROWS);
            copied.put(shard, position);
        }
        return rows - before;
    }

    private void copyRows(RedisBucket source, List<ScoredValue<byte[]>> page, Keys.Shard shard, Keys.Shard target) {
        List<CompletableFuture<?>> done = new ArrayList<>();
        for (ScoredValue<byte[]> scored : page) {
            Row row = Row.decode(scored);
            if (source.collection(row.collection()) == null) {
                continue; // dropped, and not swept up yet
            }
            done.add(copyKey(shard.document(row.ref()), target.document(row.ref())));
            done.add(copyKey(shard.list(row.ref()), target.list(row.ref())));
            done.add(redis(from)
                    .zscore(shard.expiries(), row.ref())
                    .thenCompose(second -> second == null
                            ? redis(to).zrem(target.expiries(), row.ref())
                            : redis(to).zadd(target.expiries(), second, row.ref()))
                    .toCompletableFuture());
            done.add((row.state() == State.LIVE
                            ? redis(to).zadd(target.ids(), 0, row.ref())
                            : redis(to).zrem(target.ids(), row.ref()))
                    .toCompletableFuture());
            done.add(redis(to)
                    .zrem(target.order(), otherStates(scored.getValue()))
                    .thenCompose(gone -> redis(to).zadd(target.order(), scored.getScore(), scored.getValue()))
                    .toCompletableFuture());
        }
        of(CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)));
    }

    /** The rows that the document has had in other states. */
    private static byte[][] otherStates(byte[] member) {
        List<byte[]> others = new ArrayList<>();
        for (char state : new char[] {'L', 'D', 'E'}) {
            if (member[1] != state) {
                byte[] other = Arrays.copyOf(member, member.length);
                other[1] = (byte) state;
                others.add(other);
            }
        }
        return others.toArray(byte[][]::new);
    }

    private CompletableFuture<?> copyKey(byte[] key, byte[] target) {
        return redis(from).dump(key).thenCompose(value -> copied(value, target)).toCompletableFuture();
    }

    private CompletionStage<?> copied(byte @Nullable [] value, byte[] target) {
        return value == null
                ? redis(to).del(target)
                : redis(to).restore(target, value, RestoreArgs.Builder.ttl(0).replace());
    }

    /** Opens a shard at the new place, with the counters of the old one. */
    private void open(Keys.Shard shard, RedisBucket target, Keys.Shard place) {
        Map<byte[], byte[]> fields = new HashMap<>();
        of(redis(from).hgetall(shard.meta())).forEach((field, value) -> {
            if (field.length > 1 && field[0] == 'c' && field[1] == ':') {
                fields.put(field, value);
            }
        });
        fields.put(Keys.bytes("gate"), target.incarnation);
        fields.put(Keys.NEWEST_SEQNO, Keys.bytes(Seqno.first(target.descriptor.incarnation())));
        of(redis(to).hset(place.meta(), fields));
        for (byte[] index : of(redis(from).hkeys(shard.indexes()))) {
            of(redis(to).hset(place.indexes(), index, Keys.bytes(0)));
        }
    }

    /** The order that readers have merged goes along; at the new place it counts on from the new incarnation. */
    private void copyLog(RedisBucket source, RedisBucket target) {
        of(from.inOrder(source.info).high()); // merges the rest
        String name = source.descriptor.name();
        of(copyKey(Keys.log(name), Keys.log(name)));
        of(copyKey(Keys.cursors(name), Keys.cursors(name)));
        Map<byte[], byte[]> fields = new HashMap<>();
        fields.put(Keys.bytes("inc"), target.incarnation);
        fields.put(Keys.NEWEST_SEQNO, Keys.bytes(Seqno.first(target.descriptor.incarnation())));
        of(redis(to).hset(Keys.cursors(name), fields));
    }

    private static RedisClusterAsyncCommands<byte[], byte[]> redis(RedisDocumentStore store) {
        return store.link().redis();
    }

    private static <T> T of(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw RedisErrors.translate(e);
        }
    }
}
