package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.DocumentIndexes.ByteRange;
import io.millrace.documents.DocumentIndexes.Index;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Indexes in every {@link DocumentStore}: here the entries of a document are its body's words, each with its id. */
public abstract class IndexContract {

    private static final ByteRange ALL = new ByteRange(new byte[0], null);

    private final StoreKit.Clock clock = new StoreKit.Clock();
    private DocumentStore store;
    private Keyspace keyspace;
    private Index index;

    /** Returns a store that reads this clock, over the same documents each time. */
    protected abstract DocumentStore open(InstantSource clock);

    @BeforeEach
    void createBucket() {
        store = open(clock);
        keyspace = Keyspace.of(StoreKit.uniqueBucket());
        await(store.catalog().createBucket(keyspace.bucket(), 2));
        index = index("words");
    }

    private Index index(String id) {
        return new Index(keyspace, id, IndexContract::words);
    }

    private static List<byte[]> words(Document document) {
        return Stream.of(text(document.body()).split(" "))
                .filter(word -> !word.isEmpty())
                .distinct()
                .map(word -> bytes(word + "/" + document.key().id()))
                .toList();
    }

    private void put(String id, String words) {
        await(store.write(Write.upsert(key(id), bytes(words))));
    }

    private DocumentKey key(String id) {
        return new DocumentKey(keyspace, id);
    }

    private List<String> scan(ByteRange range, boolean descending, int max) {
        return await(store.indexes().scan(index, range, descending, max)).stream()
                .map(StoreKit::text)
                .toList();
    }

    private List<String> all() {
        return scan(ALL, false, 10_000);
    }

    @Test
    void index_ofAFlushedBucket_isEmptyAndGoesOn() {
        put("1", "b a");
        await(store.indexes().open(keyspace, index.id()));
        assertThat(all()).containsExactly("a/1", "b/1");

        await(store.catalog().flushBucket(keyspace.bucket()));

        assertThat(all()).isEmpty();
        put("2", "c");
        assertThat(all()).containsExactly("c/2");
    }

    @Test
    void scan_hasWhatWasWrittenBeforeAndAfterTheIndexWasMade() {
        put("1", "b a");
        put("2", "c");
        await(store.indexes().open(keyspace, index.id()));
        put("3", "b");
        put("4", "");

        assertThat(all()).containsExactly("a/1", "b/1", "b/3", "c/2");
    }

    @Test
    void scan_followsChangesAndDeletions() {
        await(store.indexes().open(keyspace, index.id()));
        put("1", "a b");
        put("2", "a");
        assertThat(all()).hasSize(3);

        put("1", "b z");
        await(store.write(Write.remove(key("2"))));

        assertThat(all()).containsExactly("b/1", "z/1");
    }

    @Test
    void scan_ofARange_givesPagesFromBothEnds() {
        await(store.indexes().open(keyspace, index.id()));
        put("1", "a b c");
        put("2", "b c d");
        ByteRange range = new ByteRange(bytes("b"), bytes("d"));

        assertThat(scan(range, false, 3)).containsExactly("b/1", "b/2", "c/1");
        assertThat(scan(range, true, 3)).containsExactly("c/2", "c/1", "b/2");
        assertThat(scan(new ByteRange(bytes("b/1\0"), bytes("d")), false, 9)).containsExactly("b/2", "c/1", "c/2");
    }

    @Test
    void count_isThatOfTheScan() {
        await(store.indexes().open(keyspace, index.id()));
        put("1", "a b c");
        put("2", "b c d");
        List<ByteRange> ranges = List.of(
                new ByteRange(bytes("a"), bytes("b")),
                new ByteRange(bytes("c"), null),
                new ByteRange(bytes("x"), null));

        assertThat(await(store.indexes().count(index, ranges, true))).isEqualTo(4);
        put("3", "a");
        assertThat(await(store.indexes().count(index, ranges, true))).isEqualTo(5);
        assertThat(await(store.indexes().count(index, List.of(), true))).isZero();
    }

    @Test
    void scan_leavesOutWhatIsDue() {
        await(store.indexes().open(keyspace, index.id()));
        put("1", "a");
        await(store.write(Write.upsert(key("2"), bytes("b"))
                .withExpiry(Expiry.at(clock.instant().plusSeconds(60)))));
        assertThat(all()).containsExactly("a/1", "b/2");

        clock.advance(Duration.ofMinutes(2));

        assertThat(all()).containsExactly("a/1");
    }

    @Test
    void documents_ofAnotherCollection_areNotIncluded() {
        Keyspace other = new Keyspace(keyspace.bucket(), Keyspace.DEFAULT, "other");
        await(store.catalog().createCollection(other));
        await(store.indexes().open(keyspace, index.id()));

        await(store.write(Write.upsert(new DocumentKey(other, "1"), bytes("a"))));

        assertThat(all()).isEmpty();
    }

    @Test
    void droppedIndex_isGoneAndBeginsEmptyAgain() {
        await(store.indexes().open(keyspace, index.id()));
        put("1", "a");
        assertThat(all()).containsExactly("a/1");

        await(store.indexes().drop(keyspace, index.id()));

        assertThatThrownBy(this::all)
                .isInstanceOfSatisfying(
                        DocumentsException.class,
                        e -> assertThat(e.code()).isEqualTo(DocumentsException.Code.INDEX_NOT_FOUND));
        await(store.indexes().open(keyspace, index.id()));
        assertThat(all()).containsExactly("a/1");
    }

    @Test
    void progress_isOneAfterAnUpdate() {
        await(store.indexes().open(keyspace, index.id()));
        assertThat(await(store.indexes().progress(keyspace, index.id()))).isBetween(0.0, 1.0);
        put("1", "a");
        put("2", "a");
        put("3", "a");
        assertThat(await(store.indexes().progress(keyspace, index.id()))).isLessThan(1);

        await(store.indexes().update(index));

        assertThat(await(store.indexes().progress(keyspace, index.id()))).isEqualTo(1);
    }

    @Test
    void scans_amongWrites_seeEachWriteThatWasAnswered() {
        await(store.indexes().open(keyspace, index.id()));
        DocumentStore other = open(clock);
        Random random = new Random(7);
        Map<String, String> written = new HashMap<>();
        for (int round = 0; round < 30; round++) {
            List<CompletableFuture<?>> writes = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String id = "d" + random.nextInt(120);
                String words = random.nextInt(4) == 0 ? "" : "w" + random.nextInt(20) + " v" + random.nextInt(20);
                written.put(id, words);
                writes.add(store.write(Write.upsert(key(id), bytes(words))));
            }
            // others bring the index up to date at the same time
            CompletableFuture<?> meanwhile = other.indexes().update(index);
            CompletableFuture<?> again = store.indexes().update(index);
            writes.forEach(StoreKit::await);

            assertThat(all()).as("round %d", round).containsExactlyElementsOf(expected(written));
            await(meanwhile);
            await(again);
        }
    }

    private static List<String> expected(Map<String, String> written) {
        return written.entrySet().stream()
                .flatMap(entry -> Stream.of(entry.getValue().split(" "))
                        .filter(word -> !word.isEmpty())
                        .map(word -> word + "/" + entry.getKey()))
                .sorted()
                .toList();
    }

    @Test
    void droppedBucket_dropsItsIndexes() {
        await(store.indexes().open(keyspace, index.id()));
        put("1", "a");
        assertThat(all()).containsExactly("a/1");

        await(store.catalog().dropBucket(keyspace.bucket()));
        await(store.catalog().createBucket(keyspace.bucket(), 2));
        await(store.indexes().open(keyspace, index.id()));
        put("2", "b");

        assertThat(all()).containsExactly("b/2");
    }
}
