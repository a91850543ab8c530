package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The changes of a whole bucket in one order, with one shard and with several, in every {@link DocumentStore}. */
public abstract class MergedChangesContract {

    private static final int DOCUMENTS = 40;

    private final StoreKit.Clock clock = new StoreKit.Clock();
    private DocumentStore store;
    private String bucket;
    private BucketChanges changes;

    /** Returns a store that reads this clock; called once per test. */
    protected abstract DocumentStore open(InstantSource clock);

    @BeforeEach
    void openStore() {
        store = open(clock);
        bucket = StoreKit.uniqueBucket();
    }

    private void create(int shards) {
        changes = store.inOrder(await(store.catalog().createBucket(bucket, shards)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void page_givesEachDocumentOnceAndTheSameOrderEachTime(int shards) {
        create(shards);
        for (int i = 0; i < DOCUMENTS; i++) {
            put("d" + i);
        }

        List<String> first = all(0);

        assertThat(first).hasSize(DOCUMENTS).doesNotHaveDuplicates();
        assertThat(all(0)).isEqualTo(first);
        assertThat(ids(page(new ChangePage.Request(ChangePage.Request.END, true, 100, true))))
                .isEqualTo(first.reversed());
        assertThat(await(changes.backlog(0))).isEqualTo(DOCUMENTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void change_movesItsDocumentToTheEnd(int shards) {
        create(shards);
        put("a");
        put("b");
        put("c");
        long before = await(changes.high());

        put("a");
        await(store.write(Write.remove(key("b"))));

        ChangePage after = page(new ChangePage.Request(before, false, 100, true));
        assertThat(ids(after)).containsExactlyInAnyOrder("a", "b");
        assertThat(after.mutations()).extracting(Mutation::seqno).isSorted().allMatch(place -> place > before);
        assertThat(await(changes.high())).isEqualTo(after.position());
        assertThat(await(changes.backlog(0))).isEqualTo(3);
        assertThat(all(0)).hasSize(3).startsWith("c");
        for (Mutation mutation : after.mutations()) {
            assertThat(await(changes.place(mutation.document()))).isEqualTo(OptionalLong.of(mutation.seqno()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void page_goesOnWhereTheLastOneEnded(int shards) {
        create(shards);
        for (int i = 0; i < DOCUMENTS; i++) {
            put("d" + i);
        }
        List<String> paged = new ArrayList<>();
        ChangePage page;
        long position = 0;
        do {
            page = page(new ChangePage.Request(position, false, 7, false));
            paged.addAll(ids(page));
            position = page.position();
        } while (page.more());

        assertThat(paged).isEqualTo(all(0));
    }

    @Test
    void readersAtTheSameTime_giveEachChangeOnePlace() {
        create(8);
        for (int i = 0; i < DOCUMENTS; i++) {
            put("d" + i);
        }

        List<CompletableFuture<Long>> readers = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            readers.add(changes.high());
        }

        assertThat(readers).allSatisfy(high -> assertThat(await(high)).isEqualTo(DOCUMENTS));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void feed_wakesUpForAChangeOfAnyShard(int shards) throws Exception {
        create(shards);
        put("first");
        try (ChangeFeed feed = changes.feed(await(changes.high()))) {
            for (int i = 0; i < 10; i++) {
                CompletableFuture<List<Mutation>> next = feed.next(10);

                put("d" + i);

                assertThat(next.get(60, TimeUnit.SECONDS))
                        .extracting(mutation -> mutation.document().key().id())
                        .containsExactly("d" + i);
            }
            CompletableFuture<List<Mutation>> last = feed.next(10);
            feed.close();
            assertThat(last.get(60, TimeUnit.SECONDS)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void placesOfANewBucketOfTheSameName_areGreater(int shards) {
        create(shards);
        put("a");
        long before = await(changes.high());
        await(store.catalog().dropBucket(bucket));

        create(shards);
        put("b");

        assertThat(all(before)).containsExactly("b");
        assertThat(all(0)).containsExactly("b");
    }

    private DocumentKey key(String id) {
        return new DocumentKey(Keyspace.of(bucket), id);
    }

    private void put(String id) {
        await(store.write(Write.upsert(key(id), bytes("{}"))));
    }

    private List<String> all(long since) {
        return ids(page(new ChangePage.Request(since, false, 100, true)));
    }

    private ChangePage page(ChangePage.Request request) {
        return await(changes.page(request));
    }

    private static List<String> ids(ChangePage page) {
        return page.mutations().stream()
                .map(mutation -> mutation.document().key().id())
                .toList();
    }
}
