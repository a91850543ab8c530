package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What lists of ids contain, in every {@link DocumentStore}. */
public abstract class IdsContract {

    private static final byte[] BODY = bytes("{\"a\":1}");
    private static final byte[] OTHER = bytes("{\"a\":2}");

    private final StoreKit.Clock clock = new StoreKit.Clock();
    private DocumentStore store;
    private Keyspace keyspace;
    private DocumentKey key;

    /** Returns a store that reads this clock; called once per test. */
    protected abstract DocumentStore open(InstantSource clock);

    @BeforeEach
    void createBucket() {
        store = open(clock);
        keyspace = Keyspace.of(StoreKit.uniqueBucket());
        key = new DocumentKey(keyspace, "k");
        await(store.catalog().createBucket(keyspace.bucket(), 4));
    }

    @Test
    void ids_areInTheOrderOfTheirBytes() {
        for (String id : List.of("b", "a", "\uD83D\uDE00", "\uFFFD", "aa", "z")) {
            await(store.write(Write.upsert(new DocumentKey(keyspace, id), BODY)));
        }

        assertThat(await(store.ids(keyspace, IdRange.ALL, 100)))
                .containsExactly("a", "aa", "b", "z", "\uFFFD", "\uD83D\uDE00");
    }

    @Test
    void ids_ofARange_stopAtItsEndsAndAtTheLimit() {
        for (String id : List.of("a", "b", "c", "d", "e")) {
            await(store.write(Write.upsert(new DocumentKey(keyspace, id), BODY)));
        }

        assertThat(await(store.ids(keyspace, new IdRange("b", true, "d", false), 100)))
                .containsExactly("b", "c");
        assertThat(await(store.ids(keyspace, new IdRange("b", false, "d", true), 100)))
                .containsExactly("c", "d");
        assertThat(await(store.ids(keyspace, IdRange.ALL.after("b"), 2))).containsExactly("c", "d");
    }

    @Test
    void ids_descend_fromTheEndOfTheRange() {
        for (String id : List.of("a", "b", "c", "\uFFFD", "\uD83D\uDE00")) {
            await(store.write(Write.upsert(new DocumentKey(keyspace, id), BODY)));
        }

        assertThat(await(store.idsDescending(keyspace, IdRange.ALL, 3))).containsExactly("\uD83D\uDE00", "\uFFFD", "c");
        assertThat(await(store.idsDescending(keyspace, IdRange.ALL.before("c"), 10)))
                .containsExactly("b", "a");
        assertThat(await(store.idsDescending(keyspace, new IdRange("a", false, "b", true), 10)))
                .containsExactly("b");
    }

    @Test
    void ids_ofARange_areCounted() {
        for (String id : List.of("a", "b", "c", "d", "e")) {
            await(store.write(Write.upsert(new DocumentKey(keyspace, id), BODY)));
        }

        assertThat(await(store.countIds(keyspace, IdRange.ALL))).isEqualTo(5);
        assertThat(await(store.countIds(keyspace, new IdRange("b", true, "d", false))))
                .isEqualTo(2);
        assertThat(await(store.countIds(keyspace, IdRange.ALL.before("a")))).isZero();
    }

    @Test
    void ids_ofRemovedDocuments_areNotListed() {
        await(store.write(Write.upsert(key, BODY)));
        await(store.write(Write.upsert(key, OTHER)));
        assertThat(await(store.ids(keyspace, IdRange.ALL, 10))).containsExactly("k");

        await(store.write(Write.remove(key)));
        assertThat(await(store.ids(keyspace, IdRange.ALL, 10))).isEmpty();

        await(store.write(
                Write.upsert(key, BODY).withExpiry(Expiry.at(clock.instant().plusSeconds(10)))));
        clock.advance(Duration.ofSeconds(11));
        await(store.expireDue(keyspace.bucket(), 10));
        assertThat(await(store.ids(keyspace, IdRange.ALL, 10))).isEmpty();
    }

    @Test
    void ids_ofOneCollection_areNotThoseOfAnother() {
        Keyspace other = new Keyspace(keyspace.bucket(), Keyspace.DEFAULT, "other");
        await(store.catalog().createCollection(other));
        await(store.write(Write.upsert(key, BODY)));
        await(store.write(Write.upsert(new DocumentKey(other, "o"), BODY)));

        assertThat(await(store.ids(keyspace, IdRange.ALL, 10))).containsExactly("k");
        assertThat(await(store.ids(other, IdRange.ALL, 10))).containsExactly("o");
    }
}
