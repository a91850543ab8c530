package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.ChangeFeed;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.StoreKit;
import io.millrace.documents.VBuckets;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.testkit.OwnRedis;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A reader that follows writers ends in their final state, and no document goes backward on the way. */
class FollowerIT {

    private static final int SHARDS = 2;
    private static final int WRITERS = 3;
    private static final int DOCUMENTS = 40;

    private final String bucket = StoreKit.uniqueBucket();

    /** What the writers know to be written: each document has one writer, who counts up. */
    private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();

    @Test
    void follower_ofConcurrentWriters_endsInTheirFinalState() throws Exception {
        DocumentStore store = RedisKit.shared().store(InstantSource.system());
        await(store.catalog().createBucket(bucket, SHARDS));
        AtomicInteger writes = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Map<String, String>>> followers = List.of(follow(threads, store), follow(threads, store));

            write(threads, store, writes, 2000);

            for (Future<Map<String, String>> follower : followers) {
                assertThat(follower.get()).isEqualTo(state(store));
            }
        }
        assertAcknowledgedAreThere(store);
    }

    @Test
    void redis_killedUnderWriters_losesNoAcknowledgedWrite() throws Exception {
        try (OwnRedis redis = OwnRedis.startDurable(Map.of("appendfsync", "always"));
                RedisKit kit = new RedisKit(redis.url())) {
            DocumentStore store = kit.store(InstantSource.system());
            await(store.catalog().createBucket(bucket, SHARDS));
            AtomicInteger writes = new AtomicInteger();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<Map<String, String>> follower = follow(threads, store);
                Future<?> killer = threads.submit(() -> {
                    for (int kill = 1; kill <= 3; kill++) {
                        int until = kill * 1500;
                        Awaitility.await().until(() -> writes.get() > until);
                        redis.kill9();
                        redis.restart();
                    }
                });

                write(threads, store, writes, 2000);

                killer.get();
                assertThat(follower.get()).isEqualTo(state(store));
            }
            assertAcknowledgedAreThere(store);
        }
    }

    /** Writes from several threads, then marks the end in each shard. */
    private void write(ExecutorService threads, DocumentStore store, AtomicInteger writes, int each) throws Exception {
        List<Callable<Void>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            int own = writer;
            writers.add(() -> {
                Random random = new Random(own);
                for (int i = 1; i <= each; i++) {
                    String id = own + "-" + random.nextInt(DOCUMENTS);
                    put(store, id, i, random.nextInt(10) == 0);
                    writes.incrementAndGet();
                }
                return null;
            });
        }
        for (Future<Void> done : threads.invokeAll(writers)) {
            done.get();
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            put(store, lastOf(shard), 0, false);
        }
    }

    /** Writes, and when it is unknown whether it happened, writes the same again. */
    private void put(DocumentStore store, String id, int value, boolean remove) {
        DocumentKey key = new DocumentKey(Keyspace.of(bucket), id);
        Write write = remove ? Write.remove(key) : Write.upsert(key, bytes("" + value));
        while (true) {
            try {
                if (await(store.write(write)) instanceof WriteResult.Written) {
                    acknowledged.put(id, remove ? -value : value);
                }
                return;
            } catch (DocumentsException e) {
                assertThat(e.unavailable()).as(e.toString()).isTrue();
            }
        }
    }

    /** Follows all shards to their ends and returns the bodies that it ended with, "" for tombstones. */
    private Future<Map<String, String>> follow(ExecutorService threads, DocumentStore store) {
        return threads.submit(() -> {
            Map<String, String> bodies = new HashMap<>();
            for (int shard = 0; shard < SHARDS; shard++) {
                follow(store, shard, bodies);
            }
            return bodies;
        });
    }

    private void follow(DocumentStore store, int shard, Map<String, String> bodies) {
        Map<String, Long> newest = new HashMap<>();
        while (!bodies.containsKey(lastOf(shard))) {
            try (ChangeFeed feed = store.changes(bucket, shard, 0)) {
                follow(feed, lastOf(shard), newest, bodies);
            } catch (DocumentsException e) { // a Redis that was killed cannot say that it lost nothing
                assertThat(e.code()).isEqualTo(DocumentsException.Code.HISTORY_LOST);
            }
        }
    }

    private static void follow(ChangeFeed feed, String last, Map<String, Long> newest, Map<String, String> bodies) {
        Map<String, Long> handedOut = new HashMap<>();
        while (!bodies.containsKey(last)) {
            for (Mutation mutation : nextOf(feed)) {
                Document document = mutation.document();
                String id = document.key().id();
                Long before = handedOut.put(id, document.seqno());
                assertThat(before == null || before < document.seqno())
                        .as("document %s handed out at %s, then at %s", id, before, document.seqno())
                        .isTrue();
                Long ever = newest.merge(id, document.seqno(), Math::max);
                assertThat(ever).as("document %s in an earlier feed", id).isEqualTo(document.seqno());
                bodies.put(id, text(document.body()));
            }
        }
    }

    private static List<Mutation> nextOf(ChangeFeed feed) {
        while (true) {
            try {
                return await(feed.next(50));
            } catch (DocumentsException e) {
                if (!e.unavailable()) {
                    throw e;
                }
            }
        }
    }

    private Map<String, String> state(DocumentStore store) {
        Map<String, String> bodies = new HashMap<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            for (int i = 0; i < DOCUMENTS; i++) {
                add(store, writer + "-" + i, bodies);
            }
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            add(store, lastOf(shard), bodies);
        }
        return bodies;
    }

    private void add(DocumentStore store, String id, Map<String, String> bodies) {
        await(store.getWithTombstone(new DocumentKey(Keyspace.of(bucket), id)))
                .ifPresent(document -> bodies.put(id, text(document.body())));
    }

    private void assertAcknowledgedAreThere(DocumentStore store) {
        Map<String, String> expected = new HashMap<>();
        acknowledged.forEach((id, value) -> expected.put(id, value < 0 ? "" : "" + value));
        assertThat(state(store)).isEqualTo(expected);
    }

    /** An id that belongs to a shard and comes last. */
    private static String lastOf(int shard) {
        int i = 0;
        while (VBuckets.shardOf(VBuckets.of("end" + i), SHARDS) != shard) {
            i++;
        }
        return "end" + i;
    }
}
