package io.millrace.documents.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Limits;
import io.millrace.documents.store.BucketDescriptor;
import io.millrace.redis.Bytes;
import io.millrace.redis.Portions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Moves one bucket to another Redis while it is in use. {@link #run} does the whole move. To move several buckets, prepare
 * each of them, and then finish one after another. The RATIONALE explains why readers never go back.
 *
 * <p>When two moves of one bucket run at the same time, the later one wins and the earlier one fails; a move whose process
 * was suspended and then replaced fails, too. Not thread-safe, except for {@link #stop} and the counts.
 */
public final class BucketMove {

    /**
     * The result of a move.
     *
     * @param bucket the bucket in the new Redis
     * @param rows how many documents and tombstones were copied; one that changed during the copy counts again
     * @param fenced for how long writes were refused before the bucket was open in the new Redis
     */
    public record Result(BucketInfo bucket, long rows, Duration fenced) {}

    private static final int PAGE_ROWS = 200;
    private static final int PAGE_KEYS = 1_000;

    /** What is in memory at a time, unless a single document (up to 20 MiB) or key, as a set of timers, is larger. */
    static final long PORTION_BYTES = 16L << 20;

    /** When fewer rows than this are left, writes are refused and the rest is copied. */
    private static final int FEW_ROWS = 1_000;

    private static final int MAX_OPEN_PASSES = 10;

    /** The keys of a shard that the document store owns. All other keys with its hash tag belong to others and are copied as well. */
    private static final Set<String> OWN_KEYS = Set.of("q", "m", "x", "i", "n");

    private static final List<String> OWN_PREFIXES = List.of("d:", "e:", "n:", "o:");

    private static final byte[] NOTHING = {};

    private final RedisDocumentStore from;
    private final RedisDocumentStore to;
    private final String bucket;
    private final byte[] token = Bytes.bytes(UUID.randomUUID().toString());
    private final Duration patience;
    private final Map<Integer, Long> copied = new HashMap<>();
    private @Nullable RedisBucket source;
    private @Nullable BucketDescriptor arriving;
    private volatile long rows;
    private volatile long total;
    private volatile boolean stopped;
    private volatile boolean refusing;

    /** Prepares a move between two stores, which must be on different servers. Does nothing yet. */
    public BucketMove(RedisDocumentStore from, RedisDocumentStore to, String bucket) {
        this(from, to, bucket, BucketFence.PATIENCE);
    }

    /** @param patience for how long a move that has failed tries to let writers in again */
    BucketMove(RedisDocumentStore from, RedisDocumentStore to, String bucket, Duration patience) {
        this.from = from;
        this.to = to;
        this.bucket = bucket;
        this.patience = patience;
    }

    /**
     * Moves the bucket and returns when it is open in the new Redis; blocks. Documents keep their CAS and their seqno, and
     * new changes get greater seqnos than all earlier ones: a reader continues in the new Redis at the position that it had
     * in the old one. The bucket can still be read in the old Redis; writes there fail with {@code STALE_INCARNATION}
     * until the callers use the new one. Drop the bucket in the old Redis when nothing reads it any longer.
     *
     * <p>Do not create or drop collections or indexes during the move. Indexes are rebuilt when they are used.
     *
     * @throws DocumentsException {@code BUCKET_EXISTS} if the new Redis has a bucket of that name, and every failure of
     *     either Redis; the bucket can then be written in the old Redis as before. If that did not respond for ten minutes
     *     after the failure ({@link #refusesWriters}), or after a crash during the move, run it again, or {@link #abandon} it
     * @throws CancellationException if it was stopped
     */
    public Result run() {
        prepare();
        return finish();
    }

    /** Copies while the bucket is in use, until little is left. Fails as {@link #run} does, without an effect on the bucket. */
    public void prepare() {
        of(ShardGate.open(
                from.link(), from.directory(), of(from.directory().refresh()).require(bucket)));
        RedisBucket found = of(from.directory().refresh()).require(bucket);
        BucketDescriptor expected = of(to.moves().expect(found.descriptor));
        source = found;
        arriving = expected;
        long all = 0;
        for (int shard = 0; shard < expected.shards(); shard++) {
            byte[] meta = found.shard(shard).meta();
            done(DocumentFunction.EXPECT.call(redis(to), meta, token), Code.BUCKET_EXISTS, "is open at the new place");
            of(redis(from).hset(meta, Bytes.bytes("leaving"), token));
            all += of(redis(from).zcard(found.shard(shard).order()));
        }
        total = all;
        removeWhatOthersKept(found);
        if (expected.shards() > 1) {
            of(redis(to).del(Keys.log(bucket), Keys.cursors(bucket)));
            of(redis(to).hset(Keys.cursors(bucket), Bytes.bytes("arriving"), token));
        }
        for (int pass = 0; pass < MAX_OPEN_PASSES && catchUp() > FEW_ROWS; pass++) {
            // what changed during this pass is left for the next one
        }
    }

    /** Copies the rows that have changed since the last pass, and returns how many there were. */
    public long catchUp() {
        return copy(prepared(), new RedisBucket(expected()));
    }

    /** Refuses writes in the old Redis, copies the rest and opens the bucket in the new one, as {@link #run} describes. */
    public Result finish() {
        BucketFence fence = new BucketFence(from, prepared(), token, patience);
        long began = System.nanoTime();
        try {
            fence.refuse();
            RedisBucket last = of(from.directory().refresh()).require(bucket);
            BucketDescriptor moved = expected().like(last.descriptor);
            RedisBucket target = new RedisBucket(moved);
            copy(last, target);
            copyWhatOthersKeep(last);
            for (int shard = 0; shard < moved.shards(); shard++) {
                open(last.shard(shard), target);
            }
            if (moved.shards() > 1) {
                openLog(last, target);
            }
            fence.keep();
            BucketInfo info = of(to.moves().arrived(moved));
            return new Result(info, rows, Duration.ofNanos(System.nanoTime() - began));
        } catch (RuntimeException e) {
            RuntimeException failure = fence.openAfter(e);
            refusing = failure != e;
            throw failure;
        }
    }

    /** Makes this move end with a {@link CancellationException}, unless it is in its last steps. */
    public void stop() {
        stopped = true;
    }

    /** Returns whether this move has failed without letting writers in again; the message of the failure says so. */
    public boolean refusesWriters() {
        return refusing;
    }

    /** Returns the bucket's name. */
    public String bucket() {
        return bucket;
    }

    /** Returns how many rows have been copied; one that changed during the copy counts again. */
    public long rows() {
        return rows;
    }

    /** Returns how many rows the bucket had when the move began. */
    public long total() {
        return total;
    }

    /**
     * Permits writes again after a crash has ended a move; does nothing if writes are not refused. The copies stay in the
     * new Redis, where they are invisible, until a bucket of that name is created or moved there.
     *
     * @throws DocumentsException {@code BUCKET_NOT_FOUND}
     */
    public static void abandon(RedisDocumentStore store, String bucket) {
        of(ShardGate.open(
                store.link(), store.directory(), of(store.directory().refresh()).require(bucket)));
        RedisBucket found = of(store.directory().refresh()).require(bucket);
        BucketFence.open(store, found);
    }

    /** Returns whether a bucket of this store has moved to another Redis, so that it is only read here. */
    public static boolean hasMoved(RedisDocumentStore store, String bucket) {
        RedisBucket found = of(store.directory().refresh()).require(bucket);
        byte[] gate = of(redis(store).hget(found.shard(0).meta(), Bytes.bytes("gate")));
        return gate != null && gate[0] == '~' && gate[gate.length - 1] == '!';
    }

    private RedisBucket prepared() {
        if (source == null) {
            throw new IllegalStateException("The move has not been prepared");
        }
        return source;
    }

    private BucketDescriptor expected() {
        if (arriving == null) {
            throw new IllegalStateException("The move has not been prepared");
        }
        return arriving;
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
                    copyRows(source, page, target.shard(shard));
                    position = (long) page.getLast().getScore();
                    rows = rows + page.size();
                }
                if (stopped) {
                    throw new CancellationException("The move of bucket '%s' was stopped.".formatted(bucket));
                }
            } while (page.size() == PAGE_ROWS);
            copied.put(shard, position);
        }
        return rows - before;
    }

    /**
     * What goes to the new Redis as one piece: a document with all that belongs to it, or a key of another module.
     *
     * @param keys their names, which are the same in both Redis servers
     * @param values what {@code DUMP} gave for each of them, empty for none
     * @param row the member of by_seq, its seqno and the expiry; empty texts for a key of another module
     */
    private record Arriving(byte[][] keys, List<byte[]> values, List<byte[]> row) {

        static final List<byte[]> NO_ROW = List.of(NOTHING, NOTHING, NOTHING);

        int bytes() {
            return values.stream().mapToInt(value -> value.length).sum();
        }
    }

    private void copyRows(RedisBucket source, List<ScoredValue<byte[]>> page, Keys.Shard shard) {
        List<ScoredValue<byte[]>> present = page.stream()
                .filter(scored ->
                        source.collection(Row.decode(scored).collection()) != null) // or dropped, not yet deleted
                .toList();
        for (List<ScoredValue<byte[]>> portion : portions(from, present, row -> keys(shard, row))) {
            arriveTogether(shard, portion.stream().map(row -> read(shard, row)).toList());
        }
    }

    private static byte[][] keys(Keys.Shard shard, ScoredValue<byte[]> row) {
        byte[] ref = Row.decode(row).ref();
        return new byte[][] {shard.document(ref), shard.list(ref)};
    }

    private CompletionStage<Arriving> read(Keys.Shard shard, ScoredValue<byte[]> row) {
        byte[][] keys = keys(shard, row);
        CompletionStage<@Nullable Double> expiry =
                redis(from).zscore(shard.expiries(), Row.decode(row).ref());
        return dumps(keys)
                .thenCombine(
                        expiry,
                        (values, second) -> new Arriving(
                                keys,
                                values,
                                List.of(
                                        row.getValue(),
                                        Bytes.bytes((long) row.getScore()),
                                        second == null ? NOTHING : Bytes.bytes(second.longValue()))));
    }

    /** Brings documents with as few calls as there may be, each of which has the limits of writes that go together. */
    private void arriveTogether(Keys.Shard shard, List<CompletionStage<Arriving>> read) {
        List<CompletionStage<byte[]>> done = new ArrayList<>();
        List<Arriving> together = new ArrayList<>();
        int bytes = 0;
        for (CompletionStage<Arriving> reading : read) {
            Arriving next = of(reading);
            bytes += next.bytes();
            if (together.size() == Limits.MAX_WRITES_TOGETHER
                    || !together.isEmpty() && bytes > Limits.MAX_BYTES_TOGETHER) {
                done.add(arrive(shard, together));
                together.clear();
                bytes = next.bytes();
            }
            together.add(next);
        }
        if (!together.isEmpty()) {
            done.add(arrive(shard, together));
        }
        done.forEach(this::arrived);
    }

    private CompletionStage<byte[]> arrive(Keys.Shard shard, List<Arriving> together) {
        return arrive(List.of(shard.meta(), shard.order(), shard.expiries(), shard.ids()), together);
    }

    /** Brings what has the same number of keys with one call. */
    private CompletionStage<byte[]> arrive(List<byte[]> place, List<Arriving> together) {
        List<byte[]> keys = new ArrayList<>(place);
        List<byte[]> args = new ArrayList<>(List.of(token, Bytes.bytes(together.getFirst().keys.length)));
        for (Arriving each : together) {
            keys.addAll(Arrays.asList(each.keys));
            args.addAll(each.row);
            args.addAll(each.values);
        }
        return DocumentFunction.ARRIVE.call(redis(to), keys.toArray(byte[][]::new), args.toArray(byte[][]::new));
    }

    private CompletionStage<List<byte[]>> dumps(byte[][] keys) {
        CompletionStage<List<byte[]>> all = CompletableFuture.completedStage(new ArrayList<>());
        for (byte[] key : keys) {
            CompletionStage<byte @Nullable []> value = redis(from).dump(key);
            all = all.thenCombine(value, (list, dump) -> {
                list.add(dump == null ? NOTHING : dump);
                return list;
            });
        }
        return all;
    }

    private void arrived(CompletionStage<byte[]> answer) {
        done(answer, Code.STALE_INCARNATION, "is being moved by another process now");
    }

    private void done(CompletionStage<byte[]> answer, Code code, String otherwise) {
        if (of(answer)[0] != 'O') {
            throw DocumentsException.of(code, "Bucket '%s' %s.".formatted(bucket, otherwise));
        }
    }

    /** Copies timers, checkpoints and all other keys with the hash tag of a shard. */
    private void copyWhatOthersKeep(RedisBucket source) {
        bringWhatOthersKeep(source, from, this::dumps);
    }

    /** An attempt that failed has left copies of such keys, and some of them may be gone in the old Redis since. */
    private void removeWhatOthersKept(RedisBucket source) {
        bringWhatOthersKeep(source, to, keys -> CompletableFuture.completedStage(List.of(NOTHING)));
    }

    /**
     * Brings keys of others to the new Redis.
     *
     * @param where where such keys are looked for
     * @param value returns what is brought for a key
     */
    private void bringWhatOthersKeep(
            RedisBucket source, RedisDocumentStore where, Function<byte[][], CompletionStage<List<byte[]>>> value) {
        Map<String, Keys.Shard> shards = new HashMap<>();
        for (int shard = 0; shard < source.descriptor.shards(); shard++) {
            shards.put(source.shard(shard).topic(), source.shard(shard));
        }
        ScanArgs wanted = ScanArgs.Builder.limit(PAGE_KEYS).match("mr:{" + bucket + ".*}:*");
        ScanCursor cursor = ScanCursor.INITIAL;
        do {
            KeyScanCursor<byte[]> page = of(redis(where).scan(cursor, wanted));
            List<Foreign> found = page.getKeys().stream()
                    .map(key -> Foreign.of(key, shards))
                    .filter(Objects::nonNull)
                    .toList();
            for (List<Foreign> portion : portions(where, found, Foreign::keys)) {
                List<CompletableFuture<byte[]>> done = new ArrayList<>();
                for (Foreign each : portion) {
                    done.add(value.apply(each.keys)
                            .thenCompose(values ->
                                    arrive(each.shard, List.of(new Arriving(each.keys, values, Arriving.NO_ROW))))
                            .toCompletableFuture());
                }
                done.forEach(this::arrived);
            }
            cursor = page;
        } while (!cursor.isFinished());
    }

    /** A key of another module. */
    private record Foreign(Keys.Shard shard, byte[][] keys) {

        static @Nullable Foreign of(byte[] key, Map<String, Keys.Shard> shards) {
            String name = new String(key, StandardCharsets.ISO_8859_1);
            int end = name.indexOf("}:");
            Keys.Shard shard = shards.get(name.substring("mr:{".length(), end));
            String rest = name.substring(end + 2);
            boolean own = OWN_KEYS.contains(rest) || OWN_PREFIXES.stream().anyMatch(rest::startsWith);
            return shard == null || own ? null : new Foreign(shard, new byte[][] {key});
        }
    }

    /** Opens a shard in the new Redis, with the counters of the old one. */
    private void open(Keys.Shard shard, RedisBucket target) {
        for (byte[] index : of(redis(from).hkeys(shard.indexes()))) {
            of(redis(to).hset(shard.indexes(), index, Bytes.bytes(0)));
        }
        Map<byte[], byte[]> counters = new HashMap<>();
        of(redis(from).hgetall(shard.meta())).forEach((field, value) -> {
            if (field.length > 1 && field[0] == 'c' && field[1] == ':' || Arrays.equals(field, Keys.TIME)) {
                counters.put(field, value);
            }
        });
        settle(shard.meta(), target, counters);
    }

    private void settle(byte[] meta, RedisBucket target, Map<byte[], byte[]> fields) {
        byte[] first = Bytes.bytes(BucketInfo.firstSeqno(target.descriptor.incarnation()));
        List<byte[]> args = new ArrayList<>(List.of(token, target.gate, first));
        fields.forEach((field, value) -> args.addAll(List.of(field, value)));
        arrived(DocumentFunction.SETTLE.call(redis(to), meta, args.toArray(byte[][]::new)));
    }

    /** Copies the order into which readers have merged the shards; the new Redis continues it from the new incarnation. */
    private void openLog(RedisBucket source, RedisBucket target) {
        of(from.inOrder(source.info).high()); // merges the rest
        byte[] cursors = Keys.cursors(bucket);
        byte[][] log = {Keys.log(bucket)};
        List<byte[]> place = List.of(cursors, cursors, cursors, cursors);
        arrived(dumps(log).thenCompose(values -> arrive(place, List.of(new Arriving(log, values, Arriving.NO_ROW)))));
        Map<byte[], byte[]> merged = new HashMap<>();
        of(redis(from).hgetall(cursors)).forEach((field, value) -> {
            if (Character.isDigit(field[0])) {
                merged.put(field, value);
            }
        });
        merged.put(Bytes.bytes("inc"), Bytes.bytes(target.descriptor.incarnation()));
        settle(cursors, target, merged);
    }

    private static RedisClusterAsyncCommands<byte[], byte[]> redis(RedisDocumentStore store) {
        return store.link().redis();
    }

    private static <T> List<List<T>> portions(RedisDocumentStore where, List<T> all, Function<T, byte[][]> keys) {
        try {
            return Portions.of(redis(where), all, keys, PORTION_BYTES);
        } catch (CompletionException e) {
            throw DocumentsException.of(e);
        }
    }

    private static <T extends @Nullable Object> T of(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw DocumentsException.of(e);
        }
    }
}
