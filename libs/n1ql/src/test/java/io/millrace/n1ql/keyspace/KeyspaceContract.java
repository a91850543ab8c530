package io.millrace.n1ql.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.Keyspace.Change;
import io.millrace.n1ql.keyspace.Keyspace.KeyRange;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a keyspace does, in every {@link KeyspaceStore}. */
public abstract class KeyspaceContract {

    private KeyspaceStore store;
    private Keyspace keyspace;

    /** Returns a store with an empty keyspace, the default collection of the bucket that {@link #bucket} names. */
    protected abstract KeyspaceStore open();

    protected abstract String bucket();

    @BeforeEach
    void findKeyspace() {
        store = open();
        keyspace = Objects.requireNonNull(store.keyspace(KeyspaceName.of(bucket())));
    }

    protected static <T> T await(CompletableFuture<T> answer) {
        return answer.orTimeout(20, TimeUnit.SECONDS).join();
    }

    private Change.Outcome change(Change.Kind kind, String key, String body, long cas, Long expiration) {
        return await(keyspace.change(
                new Change(kind, key, body == null ? null : body.getBytes(StandardCharsets.UTF_8), cas, expiration)));
    }

    private Change.Outcome upsert(String key, String body) {
        return change(Change.Kind.UPSERT, key, body, 0, 0L);
    }

    private StoredDocument document(String key) {
        return await(keyspace.fetch(List.of(key))).documents().getFirst();
    }

    private static String text(StoredDocument document) {
        return new String(document.body(), StandardCharsets.UTF_8);
    }

    @Test
    void keyspaceThatIsNotThere_isNull() {
        assertThat(store.keyspace(KeyspaceName.of(bucket() + "-not"))).isNull();
        assertThat(store.keyspace(new KeyspaceName(bucket(), "_default", "not")))
                .isNull();
        assertThat(store.names()).contains(KeyspaceName.of(bucket()));
    }

    @Test
    void fetch_keepsTheOrderAndMarksAbsentKeys() {
        upsert("a", "{\"n\":1}");
        upsert("b", "[2]");

        List<StoredDocument> found =
                await(keyspace.fetch(List.of("b", "none", "a", "b"))).documents();

        assertThat(found).hasSize(4);
        assertThat(found.get(1)).isNull();
        assertThat(text(found.get(0))).isEqualTo("[2]");
        assertThat(text(found.get(2))).isEqualTo("{\"n\":1}");
        assertThat(found.get(2).json()).isTrue();
        assertThat(found.get(2).key()).isEqualTo("a");
        assertThat(found.get(3).cas()).isEqualTo(found.get(0).cas());
    }

    @Test
    void insert_ofAnExistingKey_changesNothing() {
        assertThat(change(Change.Kind.INSERT, "k", "1", 0, 0L)).isInstanceOf(Change.Done.class);

        assertThat(change(Change.Kind.INSERT, "k", "2", 0, 0L)).isInstanceOf(Change.Exists.class);

        assertThat(text(document("k"))).isEqualTo("1");
    }

    @Test
    void replaceAndDelete_ofNothing_areNotFound() {
        assertThat(change(Change.Kind.REPLACE, "k", "1", 0, 0L)).isInstanceOf(Change.NotFound.class);
        assertThat(change(Change.Kind.DELETE, "k", null, 0, null)).isInstanceOf(Change.NotFound.class);
    }

    @Test
    void change_withAnotherCas_changesNothing() {
        Change.Done first = (Change.Done) upsert("k", "1");
        Change.Done second = (Change.Done) change(Change.Kind.REPLACE, "k", "2", first.cas(), 0L);

        assertThat(change(Change.Kind.REPLACE, "k", "3", first.cas(), 0L)).isInstanceOf(Change.CasMismatch.class);
        assertThat(change(Change.Kind.DELETE, "k", null, first.cas(), null)).isInstanceOf(Change.CasMismatch.class);
        assertThat(document("k").cas()).isEqualTo(second.cas());
        assertThat(change(Change.Kind.DELETE, "k", null, second.cas(), null)).isInstanceOf(Change.Done.class);
        assertThat(document("k")).isNull();
    }

    @Test
    void expiration_isKeptUnlessTheChangeSetsIt() {
        long later = 4_000_000_000L;
        change(Change.Kind.UPSERT, "k", "1", 0, later);
        assertThat(document("k").expiration()).isEqualTo(later);

        change(Change.Kind.UPSERT, "k", "2", 0, null);
        assertThat(document("k").expiration()).isEqualTo(later);

        change(Change.Kind.REPLACE, "k", "3", 0, 0L);
        assertThat(document("k").expiration()).isZero();
    }

    @Test
    void keys_comeInTheOrderOfTheirBytesPageByPage() {
        for (String key : List.of("b", "a", "\uD83D\uDE00", "\uFFFD", "c", "aa")) {
            upsert(key, "{}");
        }
        List<String> all = new ArrayList<>();
        KeyRange range = KeyRange.ALL;
        List<String> page = await(keyspace.keys(range, 4));
        while (!page.isEmpty()) {
            all.addAll(page);
            range = range.after(page.getLast(), false);
            page = await(keyspace.keys(range, 4));
        }

        assertThat(all).containsExactly("a", "aa", "b", "c", "\uFFFD", "\uD83D\uDE00");
        assertThat(await(keyspace.keys(new KeyRange("aa", false, "c", true), 10)))
                .containsExactly("b", "c");
        assertThat(await(keyspace.keys(new KeyRange("aa", true, "c", false), 1)))
                .containsExactly("aa");
    }

    @Test
    void count_isThatOfLivingDocuments() {
        upsert("a", "1");
        upsert("b", "2");
        change(Change.Kind.DELETE, "a", null, 0, null);

        assertThat(await(keyspace.count())).isOne();
    }

    @Test
    void index_isKnownByItsNameUntilItIsDropped() {
        IndexDefinition primary = IndexDefinition.primary("#primary");
        assertThat(keyspace.indexes()).isEmpty();

        assertThat(await(keyspace.createIndex(primary))).isTrue();
        assertThat(await(fresh().createIndex(primary))).isFalse();
        assertThat(fresh().indexes()).containsExactly(primary);

        assertThat(await(fresh().dropIndex("#primary"))).isTrue();
        assertThat(await(fresh().dropIndex("#primary"))).isFalse();
        assertThat(fresh().indexes()).isEmpty();
    }

    /** Asks the store again, as each statement does. */
    private Keyspace fresh() {
        return Objects.requireNonNull(store.keyspace(KeyspaceName.of(bucket())));
    }

    @Test
    void indexes_areListedFromTheOldest() {
        List<String> names = List.of("z", "b", "y", "a", "x", "c");
        for (String name : names) {
            List<IndexDefinition.Key> keys = List.of(new IndexDefinition.Key("`n`", false, false));
            IndexDefinition index = new IndexDefinition(name, false, keys, null, IndexDefinition.State.DEFERRED);
            assertThat(await(fresh().createIndex(index))).isTrue();
        }

        assertThat(fresh().indexes()).extracting(IndexDefinition::name).containsExactlyElementsOf(names);
    }
}
