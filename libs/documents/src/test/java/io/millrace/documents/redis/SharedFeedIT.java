package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.Mutation;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Feeds of one store that take pages from each other. */
class SharedFeedIT {

    private final RedisKit kit = RedisKit.shared();
    private final String bucket = StoreKit.uniqueBucket();
    private final RedisDocumentStore writer = kit.store(InstantSource.system());
    private final RedisDocumentStore reader = kit.store(InstantSource.system());
    private final List<ChangeFeed> feeds = new ArrayList<>();

    @BeforeEach
    void createBucket() {
        await(writer.catalog().createBucket(bucket, 1));
    }

    @AfterEach
    void close() {
        feeds.forEach(ChangeFeed::close);
        writer.close();
        reader.close();
    }

    private ChangeFeed open(long since) {
        ChangeFeed feed = reader.changes(bucket, 0, since);
        feeds.add(feed);
        return feed;
    }

    /** The feeds differ in their vbuckets, in the size of their pages and in how long they stay behind. */
    @Test
    void feeds_besideEachOther_seeEachDocumentInOrderAndItsLastState() throws InterruptedException {
        int documents = 60;
        Map<String, Long> newest = new HashMap<>();
        List<Follower> followers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            followers.add(new Follower(i));
        }
        Random random = new Random(7);
        for (int round = 0; round < 40; round++) {
            List<CompletableFuture<WriteResult>> writes = new ArrayList<>();
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                ids.add("d" + random.nextInt(documents));
                writes.add(writer.write(Write.upsert(key(ids.getLast()), bytes("{}"))));
            }
            for (int i = 0; i < ids.size(); i++) {
                newest.merge(ids.get(i), ((WriteResult.Written) await(writes.get(i))).seqno(), Math::max);
            }
        }
        put("end", "{}");

        for (Follower follower : followers) {
            follower.thread.join();
            assertThat(follower.stepsBack).isEmpty();
            assertThat(follower.seen).isEqualTo(follower.share(newest));
        }
    }

    /** Reads until it sees the last document. */
    private final class Follower {

        private final int number;
        private final ChangeFeed feed;
        private final Thread thread;
        private final Map<String, Long> seen = new HashMap<>();
        private final List<String> stepsBack = new ArrayList<>();

        Follower(int number) {
            this.number = number;
            this.feed = reader.changes(bucket, 0, 0, this::isMine);
            feeds.add(feed);
            this.thread = Thread.ofVirtual().start(this::run);
        }

        private boolean isMine(int vbucket) {
            return number < 4
                    || vbucket % 4 == number % 4
                    || vbucket == key("end").vbucket();
        }

        private Map<String, Long> share(Map<String, Long> all) {
            Map<String, Long> own = new HashMap<>(all);
            own.keySet().removeIf(id -> !isMine(key(id).vbucket()));
            return own;
        }

        private void run() {
            Random random = new Random(number);
            while (true) {
                for (Mutation mutation : await(feed.next(1 + random.nextInt(100)))) {
                    String id = mutation.document().key().id();
                    if (id.equals("end")) {
                        return;
                    }
                    Long before = seen.put(id, mutation.document().seqno());
                    if (before != null && before >= mutation.document().seqno()) {
                        stepsBack.add(id + " at " + before);
                    }
                }
                for (int i = random.nextInt(1 + number * 1000); i > 0; i--) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void feedThatStays_holdsNoMoreThanTheLimit_andReadsTheRestByItself() {
        String body = "\"" + "x".repeat(1 << 20) + "\"";
        int documents = Limits.SHARED_FEED_BYTES / (1 << 20) + 10;
        ChangeFeed leader = open(0);
        ChangeFeed slow = open(0);
        CompletableFuture<List<Mutation>> first = leader.next(1);
        CompletableFuture<List<Mutation>> same = slow.next(1);
        for (int i = 0; i < documents; i++) {
            put("d" + i, body);
        }
        assertThat(await(first)).hasSize(1);
        assertThat(await(same)).isEqualTo(await(first));

        long most = 0;
        for (int read = 0;
                read < documents - 1;
                most = Math.max(most, reader.feeds().bytes())) {
            read += await(leader.next(4)).size();
        }
        assertThat(most).isBetween(Limits.SHARED_FEED_BYTES * 3L / 4, (long) Limits.SHARED_FEED_BYTES);
        assertThat(readOn(slow, documents - 1)).hasSize(documents - 1);

        feeds.forEach(ChangeFeed::close);
        assertThat(reader.feeds().bytes()).isZero();
    }

    private static Set<String> readOn(ChangeFeed feed, int count) {
        Set<String> ids = new HashSet<>();
        while (ids.size() < count) {
            await(feed.next(3))
                    .forEach(mutation -> ids.add(mutation.document().key().id()));
        }
        return ids;
    }

    @Test
    void pages_thatNoFeedNeedsAnyMore_areNotKept() {
        IntStream.range(0, 50).forEach(i -> put("d" + i, "{}"));
        ChangeFeed one = open(0);
        ChangeFeed two = open(0);
        CompletableFuture<List<Mutation>> first = one.next(50);
        CompletableFuture<List<Mutation>> second = two.next(50);

        assertThat(await(first)).hasSize(50);
        assertThat(await(second)).hasSize(50);
        assertThat(reader.feeds().bytes()).isZero();
    }

    /** A feed that stays keeps pages of the former bucket from its beginning on. */
    @Test
    void feed_ofABucketThatWasCreatedAgain_getsNothingOfTheFormerOne() {
        IntStream.range(0, 20).forEach(i -> put("former" + i, "{}"));
        ChangeFeed stays = open(0);
        await(stays.next(5));
        await(open(0).next(20));
        assertThat(reader.feeds().bytes()).isPositive();
        await(writer.catalog().dropBucket(bucket));
        await(writer.catalog().createBucket(bucket, 1));
        put("new", "{}");
        await(reader.catalog().find(bucket));

        assertThat(await(open(0).next(100)))
                .extracting(mutation -> mutation.document().key().id())
                .containsExactly("new");
    }

    private DocumentKey key(String id) {
        return new DocumentKey(Keyspace.of(bucket), id);
    }

    private void put(String id, String body) {
        await(writer.write(Write.upsert(key(id), bytes(body))));
    }
}
