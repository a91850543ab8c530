package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.Document.State;
import io.millrace.documents.DocumentsException.Code;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What following the changes of a shard gives, in every {@link DocumentStore}. */
public abstract class ChangeFeedContract {

    private static final IntPredicate EVEN = vbucket -> vbucket % 2 == 0;

    private final StoreKit.Clock clock = new StoreKit.Clock();
    private DocumentStore store;
    private String bucket;
    private Keyspace keyspace;

    /** Returns a store that reads this clock; called once per test. */
    protected abstract DocumentStore open(InstantSource clock);

    @BeforeEach
    void createBucket() {
        store = open(clock);
        bucket = StoreKit.uniqueBucket();
        keyspace = Keyspace.of(bucket);
        await(store.catalog().createBucket(bucket, 1));
    }

    @Test
    void feed_fromBeginning_givesEachDocumentOnceAtItsLatestChange() {
        put("a", "1");
        put("b", "1");
        put("c", "1");
        long last = put("a", "2");

        List<Mutation> mutations = read(0, 3);

        assertThat(mutations).extracting(m -> m.document().key().id()).containsExactly("b", "c", "a");
        assertThat(mutations).extracting(Mutation::seqno).isSorted();
        assertThat(mutations).allSatisfy(m -> assertThat(m.document().seqno()).isEqualTo(m.seqno()));
        Mutation newest = mutations.getLast();
        assertThat(newest.seqno()).isEqualTo(last);
        assertThat(text(newest.document().body())).isEqualTo("2");
        assertThat(await(store.highSeqno(bucket, 0))).isEqualTo(last);
    }

    @Test
    void feed_afterSeqno_goesOnBehindIt() {
        put("a", "1");
        long second = put("b", "1");
        put("c", "1");

        assertThat(read(second, 1)).extracting(m -> m.document().key().id()).containsExactly("c");
        assertThat(await(store.backlog(bucket, 0, 0))).isEqualTo(3);
        assertThat(await(store.backlog(bucket, 0, second))).isOne();
    }

    @Test
    void page_inEitherDirection_givesWhatThereIs() {
        long first = put("a", "1");
        put("b", "1");
        long last = put("c", "1");

        ChangePage page = await(store.page(bucket, 0, new ChangePage.Request(first, false, 1, true)));
        assertThat(page.mutations()).extracting(m -> m.document().key().id()).containsExactly("b");
        assertThat(page.more()).isTrue();
        assertThat(text(page.mutations().getFirst().document().body())).isEqualTo("1");
        ChangePage rest = await(store.page(bucket, 0, new ChangePage.Request(page.position(), false, 10, false)));
        assertThat(rest.mutations()).extracting(Mutation::seqno).containsExactly(last);
        assertThat(rest.mutations().getFirst().document().revision()).isOne();
        assertThat(rest.more()).isFalse();
        ChangePage end = await(store.page(bucket, 0, new ChangePage.Request(last, false, 10, true)));
        assertThat(end).isEqualTo(new ChangePage(List.of(), last, false));

        ChangePage back = await(store.page(bucket, 0, new ChangePage.Request(ChangePage.Request.END, true, 10, true)));
        assertThat(back.mutations()).extracting(m -> m.document().key().id()).containsExactly("c", "b", "a");
        assertThat(back.position()).isEqualTo(first);
    }

    @Test
    void next_withLimit_givesPages() {
        for (int i = 0; i < 25; i++) {
            put("d" + i, "{}");
        }
        try (ChangeFeed feed = store.changes(bucket, 0, 0)) {
            List<String> ids = new ArrayList<>();
            List<Integer> pages = new ArrayList<>();
            while (ids.size() < 25) {
                List<Mutation> page = await(feed.next(10));
                pages.add(page.size());
                page.forEach(m -> ids.add(m.document().key().id()));
                assertThat(feed.position()).isEqualTo(page.getLast().seqno());
            }

            assertThat(pages).containsExactly(10, 10, 5);
            assertThat(ids).doesNotHaveDuplicates().startsWith("d0").endsWith("d24");
        }
    }

    @Test
    void next_atTheEnd_waitsForTheNextChange() {
        put("a", "1");
        try (ChangeFeed feed = store.changes(bucket, 0, 0)) {
            await(feed.next(10));
            CompletableFuture<List<Mutation>> waiting = feed.next(10);
            assertThat(waiting).isNotDone();

            long seqno = put("b", "1");

            assertThat(await(waiting)).singleElement().satisfies(m -> {
                assertThat(m.seqno()).isEqualTo(seqno);
                assertThat(m.document().key().id()).isEqualTo("b");
            });
            assertThat(feed.position()).isEqualTo(seqno);
        }
    }

    @Test
    void next_ofSeveralReaders_wakesAll() {
        try (ChangeFeed one = store.changes(bucket, 0, 0);
                ChangeFeed two = store.changes(bucket, 0, 0)) {
            CompletableFuture<List<Mutation>> first = one.next(10);
            CompletableFuture<List<Mutation>> second = two.next(10);

            put("a", "1");

            assertThat(await(first)).hasSize(1);
            assertThat(await(second)).hasSize(1);
        }
    }

    @Test
    void feed_ofSomeVbuckets_givesTheirsAndGoesPastTheOthers() {
        Set<String> missing = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            put("d" + i, "1");
            if (EVEN.test(key("d" + i).vbucket())) {
                missing.add("d" + i);
            }
        }
        long end = await(store.highSeqno(bucket, 0));

        try (ChangeFeed feed = store.changes(bucket, 0, 0, EVEN)) {
            while (feed.position() < end) {
                long before = feed.position();
                List<Mutation> page = await(feed.next(7));
                assertThat(page).hasSizeLessThanOrEqualTo(7);
                assertThat(page).allSatisfy(m -> assertThat(m.seqno()).isBetween(before + 1, feed.position()));
                page.forEach(
                        m -> assertThat(missing.remove(m.document().key().id())).isTrue());
            }
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void next_afterAChangeOfOthers_isEmptyAndTellsHowFarTheFeedIs() {
        String own = id(EVEN);
        String other = id(EVEN.negate());
        put(own, "1");
        try (ChangeFeed feed = store.changes(bucket, 0, 0, EVEN)) {
            await(feed.next(10));
            CompletableFuture<List<Mutation>> waiting = feed.next(10);
            assertThat(waiting).isNotDone();

            long seqno = put(other, "1");

            assertThat(await(waiting)).isEmpty();
            assertThat(feed.position()).isEqualTo(seqno);
            CompletableFuture<List<Mutation>> next = feed.next(10);
            assertThat(next).isNotDone();
            long last = put(own, "2");
            assertThat(await(next)).extracting(Mutation::seqno).containsExactly(last);
            assertThat(await(store.backlog(bucket, 0, feed.position()))).isZero();
        }
    }

    private String id(IntPredicate vbuckets) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "d" + i)
                .filter(id -> vbuckets.test(VBuckets.of(id)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void close_endsWaiting() {
        ChangeFeed feed = store.changes(bucket, 0, 0);
        CompletableFuture<List<Mutation>> waiting = feed.next(10);

        feed.close();

        assertThat(await(waiting)).isEmpty();
        assertThat(await(feed.next(10))).isEmpty();
    }

    @Test
    void removal_isATombstoneInTheFeed() {
        put("a", "1");
        await(store.write(Write.remove(key("a")).withOrigin(new Origin("f", 2))));

        Document document = read(0, 1).getFirst().document();

        assertThat(document.state()).isEqualTo(State.DELETED);
        assertThat(document.body()).isEmpty();
        assertThat(document.origin()).isEqualTo(new Origin("f", 2));
    }

    @Test
    void expiry_isSeenAsExpired() {
        await(store.write(Write.upsert(key("a"), bytes("1"))
                .withExpiry(Expiry.at(clock.instant().plusSeconds(10)))
                .withXattrs(bytes("{\"u\":1}"), bytes("{\"_s\":1}"))));
        try (ChangeFeed feed = store.changes(bucket, 0, 0)) {
            await(feed.next(10));
            CompletableFuture<List<Mutation>> waiting = feed.next(10);
            clock.advance(Duration.ofSeconds(11));

            await(store.expireDue(bucket, 10));

            Document document = await(waiting).getFirst().document();
            assertThat(document.key()).isEqualTo(key("a"));
            assertThat(document.state()).isEqualTo(State.EXPIRED);
            assertThat(document.userXattrs()).isNull();
            assertThat(document.systemXattrs()).isEqualTo(bytes("{\"_s\":1}"));
        }
    }

    @Test
    void refusedAndRepeatedWrites_areNotInTheFeed() {
        Write insert = Write.insert(key("a"), bytes("1"));
        await(store.write(insert));
        long end = await(store.highSeqno(bucket, 0));

        await(store.write(insert));
        await(store.write(Write.insert(key("a"), bytes("2"))));
        await(store.write(Write.replace(key("b"), bytes("2"))));
        await(store.write(Write.remove(key("a")).withCas(99)));

        assertThat(await(store.highSeqno(bucket, 0))).isEqualTo(end);
        assertThat(await(store.backlog(bucket, 0, 0))).isOne();
    }

    @Test
    void feed_ofAllCollections_namesTheKeyspace() {
        Keyspace other = new Keyspace(bucket, "s", "c");
        await(store.catalog().createScope(bucket, "s"));
        await(store.catalog().createCollection(other));
        put("a", "1");
        await(store.write(Write.upsert(new DocumentKey(other, "a"), bytes("2"))));

        assertThat(read(0, 2)).extracting(m -> m.document().key().keyspace()).containsExactly(keyspace, other);
    }

    @Test
    void feed_pastDroppedCollection_goesOn() {
        Keyspace other = new Keyspace(bucket, "s", "c");
        await(store.catalog().createScope(bucket, "s"));
        await(store.catalog().createCollection(other));
        try (ChangeFeed feed = store.changes(bucket, 0, 0)) {
            await(store.write(Write.upsert(new DocumentKey(other, "a"), bytes("2"))));
            await(store.catalog().dropCollection(other));
            CompletableFuture<List<Mutation>> waiting = feed.next(10);

            put("b", "1");

            assertThat(await(waiting)).extracting(m -> m.document().key()).containsExactly(key("b"));
        }
    }

    @Test
    void feed_ofBucketCreatedAgain_goesOn() {
        long before = put("a", "1");
        await(store.catalog().dropBucket(bucket));
        assertThatThrownBy(() -> await(store.changes(bucket, 0, before).next(1)))
                .isInstanceOfSatisfying(
                        DocumentsException.class, e -> assertThat(e.code()).isEqualTo(Code.BUCKET_NOT_FOUND));
        await(store.catalog().createBucket(bucket, 1));

        put("b", "1");

        assertThat(read(before, 1)).extracting(m -> m.document().key().id()).containsExactly("b");
    }

    @Test
    void shards_divideTheBucketByVbucket() {
        String sharded = StoreKit.uniqueBucket();
        await(store.catalog().createBucket(sharded, 4));
        Set<String> missing = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            missing.add("s" + i);
            await(store.write(Write.upsert(new DocumentKey(Keyspace.of(sharded), "s" + i), bytes("{}"))));
        }

        for (int shard = 0; shard < 4; shard++) {
            long end = await(store.highSeqno(sharded, shard));
            try (ChangeFeed feed = store.changes(sharded, shard, 0)) {
                while (feed.position() < end) {
                    for (Mutation mutation : await(feed.next(7))) {
                        DocumentKey key = mutation.document().key();
                        assertThat(VBuckets.shardOf(key.vbucket(), 4)).isEqualTo(shard);
                        assertThat(missing.remove(key.id())).isTrue();
                    }
                }
            }
        }

        assertThat(missing).isEmpty();
        assertThat(await(store.count(Keyspace.of(sharded)))).isEqualTo(40);
    }

    @Test
    void shard_outOfRange_isRefused() {
        assertThatThrownBy(() -> await(store.changes(bucket, 1, 0).next(1)))
                .isInstanceOfSatisfying(
                        DocumentsException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_SHARDS));
        assertThatThrownBy(() -> await(store.highSeqno(bucket, -1))).isInstanceOf(DocumentsException.class);
    }

    private List<Mutation> read(long since, int count) {
        List<Mutation> mutations = new ArrayList<>();
        try (ChangeFeed feed = store.changes(bucket, 0, since)) {
            while (mutations.size() < count) {
                mutations.addAll(await(feed.next(100)));
            }
        }
        assertThat(mutations).hasSize(count);
        return mutations;
    }

    private DocumentKey key(String id) {
        return new DocumentKey(keyspace, id);
    }

    private long put(String id, String body) {
        WriteResult result = await(store.write(Write.upsert(key(id), bytes(body))));
        return ((WriteResult.Written) result).seqno();
    }
}
