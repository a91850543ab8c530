package io.millrace.documents.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.BucketChanges;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Expiry;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.Mutation;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.testkit.OwnRedis;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bucket moves from one Redis to another. */
class BucketMoveIT {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final String BUCKET = "moving";
    private static final int DOCUMENTS = 42;

    private final OwnRedis oldRedis = OwnRedis.startVolatile();
    private final OwnRedis newRedis = OwnRedis.startVolatile();
    private final RedisKit oldKit = new RedisKit(oldRedis.url());
    private final RedisKit newKit = new RedisKit(newRedis.url());
    private final RedisDocumentStore before = oldKit.store(InstantSource.system());
    private final RedisDocumentStore after = newKit.store(InstantSource.system());

    /** Where callers go: what services are configured with. */
    private final AtomicReference<DocumentStore> current = new AtomicReference<>(before);

    @BeforeEach
    void connect() {
        after.catalog().list().join();
    }

    @AfterEach
    void stop() {
        oldKit.close();
        newKit.close();
        oldRedis.close();
        newRedis.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void follower_missesNothingAndNeverRewinds(int shards) throws Exception {
        before.catalog().createBucket(BUCKET, shards).join();
        AtomicBoolean enough = new AtomicBoolean();
        Map<String, Long> written = new ConcurrentHashMap<>();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int writer = 0; writer < 3; writer++) {
            int number = writer;
            writers.add(CompletableFuture.runAsync(() -> write(number, enough, written)));
        }
        List<Follower> followers = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            followers.add(new Follower(shard));
        }
        await().atMost(LONG).until(() -> written.size() == DOCUMENTS);

        BucketMove.Result moved = new BucketMove(before, after, BUCKET).run();
        List<Long> last = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            last.add(before.highSeqno(BUCKET, shard).join());
        }
        current.set(after);
        Map<String, Long> atTheMove = Map.copyOf(written);
        await().atMost(LONG)
                .until(() -> written.entrySet().stream()
                        .allMatch(entry -> !entry.getValue().equals(atTheMove.get(entry.getKey()))));
        enough.set(true);
        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).join();

        assertThat(moved.bucket().incarnation()).isEqualTo(1);
        assertThat(moved.rows()).isGreaterThanOrEqualTo(DOCUMENTS);
        for (int shard = 0; shard < shards; shard++) {
            Follower follower = followers.get(shard);
            long newest = after.highSeqno(BUCKET, shard).join();
            assertThat(newest).isGreaterThan(last.get(shard));
            await().atMost(LONG).until(() -> follower.position >= newest || follower.failure != null);
            assertThat(follower.failure).isNull();
        }
        Map<String, Long> told = new TreeMap<>();
        followers.forEach(follower -> told.putAll(follower.told));
        assertThat(told).isEqualTo(new TreeMap<>(written));
        followers.forEach(follower -> follower.stopped = true);
    }

    /** Writes and removes documents of its own until it is enough, each until it is done. */
    private void write(int writer, AtomicBoolean enough, Map<String, Long> written) {
        Random random = new Random(writer);
        for (int i = 0; !enough.get(); i++) {
            String id = "d" + (random.nextInt(DOCUMENTS / 3) * 3 + writer);
            DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), id);
            Write write = i % 5 == 4 ? Write.remove(key) : Write.upsert(key, ("{\"i\":" + i + "}").getBytes(UTF_8));
            if (inTheEnd(write) instanceof WriteResult.Written done) {
                written.put(id, done.seqno());
            }
        }
    }

    private WriteResult inTheEnd(Write write) {
        while (true) {
            try {
                return current.get().write(write).join();
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof DocumentsException known && known.unavailable())) {
                    throw e;
                }
            }
        }
    }

    /** Reads on wherever callers go, after the place where it was. */
    private final class Follower {

        final Map<String, Long> told = new ConcurrentHashMap<>();
        final int shard;
        volatile long position;
        volatile boolean stopped;
        volatile AssertionError failure;

        Follower(int shard) {
            this.shard = shard;
            Thread.ofVirtual().start(this::run);
        }

        private void run() {
            while (!stopped && failure == null) {
                DocumentStore store = current.get();
                try (ChangeFeed feed = store.changes(BUCKET, shard, position)) {
                    List<Mutation> page;
                    do {
                        page = feed.next(7)
                                .completeOnTimeout(List.of(), 200, TimeUnit.MILLISECONDS)
                                .join();
                        take(page);
                    } while (!stopped && current.get() == store && !page.isEmpty());
                } catch (RuntimeException e) {
                    failure = new AssertionError(e);
                } catch (AssertionError e) {
                    failure = e;
                }
            }
        }

        private void take(List<Mutation> mutations) {
            for (Mutation mutation : mutations) {
                if (mutation.seqno() <= position) {
                    throw new AssertionError("%d after %d".formatted(mutation.seqno(), position));
                }
                position = mutation.seqno();
                told.put(mutation.document().key().id(), mutation.document().seqno());
            }
        }
    }

    @Test
    void move_copiesAllPartsOfADocument() {
        before.catalog().createBucket(BUCKET, 1).join();
        Keyspace other = new Keyspace(BUCKET, Keyspace.DEFAULT, "other");
        before.catalog().createCollection(other).join();
        Instant due = Instant.now().plusSeconds(3600);
        DocumentKey kept = new DocumentKey(other, "kept");
        DocumentKey gone = new DocumentKey(Keyspace.of(BUCKET), "gone");
        long cas = cas(before.write(Write.upsert(kept, "{}".getBytes(UTF_8)).withExpiry(Expiry.at(due))));
        before.write(Write.upsert(gone, "{}".getBytes(UTF_8))).join();
        before.write(Write.remove(gone)).join();
        Document original = before.get(kept).join().orElseThrow();

        new BucketMove(before, after, BUCKET).run();

        assertThat(after.get(kept).join().orElseThrow())
                .usingRecursiveComparison()
                .isEqualTo(original);
        assertThat(after.getWithTombstone(gone).join().orElseThrow().live()).isFalse();
        assertThat(after.count(other).join()).isEqualTo(1);
        assertThat(after.count(Keyspace.of(BUCKET)).join()).isZero();
        assertThat(after.ids(other, IdRange.ALL, 10).join()).containsExactly("kept");
        assertThat(cas(after.write(Write.replace(kept, "{}".getBytes(UTF_8)).withCas(cas))))
                .isGreaterThan(cas);
        assertThatThrownBy(() ->
                        before.write(Write.upsert(gone, "{}".getBytes(UTF_8))).join())
                .hasCauseInstanceOf(DocumentsException.class)
                .extracting(failure -> ((DocumentsException) failure.getCause()).code())
                .isEqualTo(DocumentsException.Code.STALE_INCARNATION);
        assertThat(before.get(kept).join()).isPresent();
    }

    @Test
    void documents_arriveTogether_withinTheLimits() {
        before.catalog().createBucket(BUCKET, 1).join();
        int small = 20 * Limits.MAX_WRITES_TOGETHER;
        int large = 3;
        List<CompletableFuture<WriteResult>> writes = new ArrayList<>();
        for (int i = 0; i < small + large; i++) {
            byte[] body = new byte[i < small ? 10 : Limits.MAX_BYTES_TOGETHER];
            new Random(i).nextBytes(body); // so that it is not compressed on the way
            DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), "d" + i);
            writes.add(before.write(Write.upsert(key, body).withDatatype(Datatype.BINARY)));
        }
        for (int i = 0; i < small; i += 2) {
            writes.add(before.write(Write.remove(new DocumentKey(Keyspace.of(BUCKET), "d" + i))));
        }
        CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).join();
        newKit.console().configResetstat();

        new BucketMove(before, after, BUCKET).run();

        // pages of 200 rows, the fence and what opens the shard
        assertThat(newKit.calls("fcall")).isBetween(20L + large, 20L + large + 20);
        assertThat(after.count(Keyspace.of(BUCKET)).join()).isEqualTo(small / 2 + large);
        assertThat(after.ids(Keyspace.of(BUCKET), IdRange.ALL, small).join()).hasSize(small / 2 + large);
        assertThat(newKit.console().zrangeWithScores("mr:{moving.0}:q", 0, -1))
                .isEqualTo(oldKit.console().zrangeWithScores("mr:{moving.0}:q", 0, -1));
        for (int i : new int[] {1, small, small + large - 1}) {
            DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), "d" + i);
            assertThat(after.get(key).join().orElseThrow())
                    .usingRecursiveComparison()
                    .isEqualTo(before.get(key).join().orElseThrow());
        }
    }

    @Test
    void largeDocumentsAndKeys_areReadInPortions() {
        before.catalog().createBucket(BUCKET, 1).join();
        int bytes = (int) BucketMove.PORTION_BYTES / 3;
        for (int i = 0; i < 6; i++) {
            byte[] body = new byte[bytes];
            new Random(i).nextBytes(body); // so that it is not compressed on the way
            DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), "d" + i);
            before.write(Write.upsert(key, body).withDatatype(Datatype.BINARY)).join();
            oldKit.connection().sync().set(("mr:{moving.0}:large:" + i).getBytes(UTF_8), body);
        }
        AtomicInteger most = new AtomicInteger();
        RedisClusterAsyncCommands<byte[], byte[]> commands = dumpsAtOnce(most);
        RedisDocumentStore watched = new RedisDocumentStore(
                () -> CompletableFuture.completedStage(commands), oldKit.notifier, InstantSource.system());
        watched.catalog().list().join();

        new BucketMove(watched, after, BUCKET).run();

        assertThat(most.get()).isBetween(2, 2 * 3);
        assertThat(after.count(Keyspace.of(BUCKET)).join()).isEqualTo(6);
        assertThat(newKit.console().strlen("mr:{moving.0}:large:5")).isEqualTo(bytes);
    }

    /** Returns the commands of the old Redis, and counts how many keys are being dumped at the same time. */
    @SuppressWarnings("unchecked")
    private RedisClusterAsyncCommands<byte[], byte[]> dumpsAtOnce(AtomicInteger most) {
        AtomicInteger now = new AtomicInteger();
        Class<?> type = RedisClusterAsyncCommands.class;
        return (RedisClusterAsyncCommands<byte[], byte[]>) Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(oldKit.connection().async(), arguments);
                    if (method.getName().equals("dump")) {
                        most.accumulateAndGet(now.incrementAndGet(), Math::max);
                        ((CompletionStage<?>) answer).whenComplete((value, failure) -> now.decrementAndGet());
                    }
                    return answer;
                });
    }

    @Test
    void move_keepsTheOrderOfSeveralShards() {
        BucketInfo info = before.catalog().createBucket(BUCKET, 8).join();
        for (int i = 0; i < DOCUMENTS; i++) {
            before.write(Write.upsert(new DocumentKey(Keyspace.of(BUCKET), "d" + i), "{}".getBytes(UTF_8)))
                    .join();
        }
        List<Mutation> told = order(before.inOrder(info));

        BucketInfo moved = new BucketMove(before, after, BUCKET).run().bucket();
        after.write(Write.upsert(new DocumentKey(Keyspace.of(BUCKET), "late"), "{}".getBytes(UTF_8)))
                .join();

        List<Mutation> toldThen = order(after.inOrder(moved));
        assertThat(toldThen).hasSize(DOCUMENTS + 1);
        assertThat(toldThen.subList(0, DOCUMENTS))
                .extracting(Mutation::seqno)
                .isEqualTo(told.stream().map(Mutation::seqno).toList());
        assertThat(toldThen.getLast().seqno()).isGreaterThan(told.getLast().seqno());
        assertThat(toldThen.getLast().document().key().id()).isEqualTo("late");
    }

    private static List<Mutation> order(BucketChanges changes) {
        return changes.page(new ChangePage.Request(0, false, 100, false)).join().mutations();
    }

    @Test
    void move_backToTheSource_hasAGreaterIncarnation() {
        before.catalog().createBucket(BUCKET, 1).join();
        DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), "x");
        long first = seqno(before.write(Write.upsert(key, "1".getBytes(UTF_8))));
        new BucketMove(before, after, BUCKET).run();
        long second = seqno(after.write(Write.upsert(key, "2".getBytes(UTF_8))));
        before.catalog().dropBucket(BUCKET).join();

        BucketMove.Result back = new BucketMove(after, before, BUCKET).run();
        long third = seqno(before.write(Write.upsert(key, "3".getBytes(UTF_8))));

        assertThat(back.bucket().incarnation()).isEqualTo(2);
        assertThat(List.of(first, second, third)).isSorted().doesNotHaveDuplicates();
        assertThat(before.backlog(BUCKET, 0, 0).join()).isEqualTo(1);
    }

    @Test
    void move_toAnExistingBucket_changesNothing() {
        before.catalog().createBucket(BUCKET, 1).join();
        after.catalog().createBucket(BUCKET, 1).join();
        DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), "x");

        assertThatThrownBy(() -> new BucketMove(before, after, BUCKET).run())
                .isInstanceOfSatisfying(
                        DocumentsException.class,
                        failure -> assertThat(failure.code()).isEqualTo(DocumentsException.Code.BUCKET_EXISTS));

        assertThat(cas(before.write(Write.upsert(key, "1".getBytes(UTF_8))))).isPositive();
        assertThat(after.get(key).join()).isEmpty();
    }

    @Test
    void move_thatFails_leavesTheSourceOpen() {
        before.catalog().createBucket(BUCKET, 1).join();
        DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), "x");
        before.write(Write.upsert(key, "1".getBytes(UTF_8))).join();
        oldKit.console().hset("mr:{moving.0}:n", "0:index", "0");
        newKit.console().set("mr:{moving.0}:n", "something else, so that the new place cannot be opened");

        assertThatThrownBy(() -> new BucketMove(before, after, BUCKET).run()).isInstanceOf(DocumentsException.class);

        assertThat(cas(before.write(Write.upsert(key, "2".getBytes(UTF_8))))).isPositive();
        assertThat(after.catalog().find(BUCKET).join()).isEmpty();
        newKit.console().del("mr:{moving.0}:n");
        assertThat(new BucketMove(before, after, BUCKET).run().bucket().incarnation())
                .isPositive();
        assertThat(after.get(key).join().orElseThrow().body()).isEqualTo("2".getBytes(UTF_8));
    }

    @Test
    void move_includesTheKeysOfOtherModules() {
        before.catalog().createBucket(BUCKET, 2).join();
        before.catalog().createBucket("moving.1", 1).join();
        oldKit.console().hset("mr:{moving.1}:cp:function", "7", "checkpoint");
        oldKit.console().zadd("mr:{moving.0}:tm:function:due", 5, "timer");
        oldKit.console().set("mr:{moving.1.0}:tm:function:due", "of another bucket");

        new BucketMove(before, after, BUCKET).run();

        assertThat(newKit.console().hget("mr:{moving.1}:cp:function", "7")).isEqualTo("checkpoint");
        assertThat(newKit.console().zscore("mr:{moving.0}:tm:function:due", "timer"))
                .isEqualTo(5);
        assertThat(newKit.console().exists("mr:{moving.1.0}:tm:function:due")).isZero();
    }

    @Test
    void repeatedMove_doesNotBringBackKeysOfOtherModulesThatAreGone() {
        before.catalog().createBucket(BUCKET, 2).join();
        oldKit.console().zadd("mr:{moving.1}:tm:function:due", 5, "canceled later");
        oldKit.console().zadd("mr:{moving.0}:tm:function:due", 5, "timer");
        oldKit.console().hset("mr:{moving.0}:n", "0:index", "0");
        newKit.console().set("mr:{moving.0}:n", "something else, so that the new place cannot be opened");
        newKit.console().set("mr:{moving.1.0}:tm:function:due", "of another bucket");
        assertThatThrownBy(() -> new BucketMove(before, after, BUCKET).run()).isInstanceOf(DocumentsException.class);
        assertThat(newKit.console().exists("mr:{moving.1}:tm:function:due")).isOne();
        newKit.console().del("mr:{moving.0}:n");
        oldKit.console().del("mr:{moving.1}:tm:function:due");

        new BucketMove(before, after, BUCKET).run();

        assertThat(newKit.console().exists("mr:{moving.1}:tm:function:due")).isZero();
        assertThat(newKit.console().zscore("mr:{moving.0}:tm:function:due", "timer"))
                .isEqualTo(5);
        assertThat(newKit.console().exists("mr:{moving.1.0}:tm:function:due")).isOne();
    }

    @Test
    void laterMove_replacesAnUnreachableOne_whichThenChangesNothing() {
        before.catalog().createBucket(BUCKET, 1).join();
        DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), "x");
        before.write(Write.upsert(key, "1".getBytes(UTF_8))).join();
        BucketMove away = new BucketMove(before, after, BUCKET);
        away.prepare();
        new BucketMove(before, after, BUCKET).run();
        long newest = seqno(after.write(Write.upsert(key, "2".getBytes(UTF_8))));

        assertThatThrownBy(away::finish).isInstanceOf(DocumentsException.class);

        assertThat(after.get(key).join().orElseThrow().body()).isEqualTo("2".getBytes(UTF_8));
        assertThat(after.highSeqno(BUCKET, 0).join()).isEqualTo(newest);
        assertThat(seqno(after.write(Write.upsert(key, "3".getBytes(UTF_8))))).isEqualTo(newest + 1);
        assertThatThrownBy(() ->
                        before.write(Write.upsert(key, "4".getBytes(UTF_8))).join())
                .hasMessageContaining("moves to another Redis");
    }

    @Test
    void move_interruptedByACrash_isRepeatedOrAbandoned() {
        before.catalog().createBucket(BUCKET, 1).join();
        DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), "x");
        before.write(Write.upsert(key, "1".getBytes(UTF_8))).join();
        new BucketMove(before, after, BUCKET).prepare();
        oldKit.console().hset("mr:{moving.0}:m", "gate", "~0~of one that is no more");
        assertThatThrownBy(() ->
                        before.write(Write.upsert(key, "2".getBytes(UTF_8))).join())
                .hasMessageContaining("moves to another Redis");

        BucketMove.abandon(before, BUCKET);
        assertThat(cas(before.write(Write.upsert(key, "2".getBytes(UTF_8))))).isPositive();
        oldKit.console().hset("mr:{moving.0}:m", "gate", "~0~of one that is no more");
        new BucketMove(before, after, BUCKET).run();

        assertThat(after.get(key).join().orElseThrow().body()).isEqualTo("2".getBytes(UTF_8));
    }

    @Test
    void stoppedMove_leavesTheSourceOpen() {
        before.catalog().createBucket(BUCKET, 1).join();
        DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), "x");
        BucketMove move = new BucketMove(before, after, BUCKET);
        move.prepare();
        move.stop();

        assertThatThrownBy(move::finish).isInstanceOf(CancellationException.class);

        assertThat(cas(before.write(Write.upsert(key, "1".getBytes(UTF_8))))).isPositive();
    }

    private static long seqno(CompletableFuture<WriteResult> write) {
        return ((WriteResult.Written) write.join()).seqno();
    }

    private static long cas(CompletableFuture<WriteResult> write) {
        return ((WriteResult.Written) write.join()).cas();
    }
}
