package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.DocumentStore.AtomicResult;
import io.millrace.documents.WriteResult.AlreadyExists;
import io.millrace.documents.WriteResult.CasMismatch;
import io.millrace.documents.WriteResult.NotFound;
import io.millrace.documents.WriteResult.Written;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes of several documents, all or none, in every {@link DocumentStore}. */
public abstract class AtomicWritesContract {

    private static final byte[] OLD = bytes("1");
    private static final byte[] NEW = bytes("2");

    private final StoreKit.Clock clock = new StoreKit.Clock();
    private DocumentStore store;
    private Keyspace keyspace;

    /** Returns a store that reads this clock; called once per test. */
    protected abstract DocumentStore open(InstantSource clock);

    @BeforeEach
    void createBucket() {
        store = open(clock);
        keyspace = Keyspace.of(StoreKit.uniqueBucket());
        await(store.catalog().createBucket(keyspace.bucket(), 1));
    }

    private DocumentKey key(String id) {
        return new DocumentKey(keyspace, id);
    }

    private long written(Write write) {
        return ((Written) await(store.write(write))).cas();
    }

    private AtomicResult atomically(Write... writes) {
        return await(store.writeAtomically(List.of(writes)));
    }

    private String body(String id) {
        return await(store.get(key(id))).map(found -> text(found.body())).orElse("none");
    }

    @Test
    void allAllowed_areDone() {
        long kept = written(Write.insert(key("kept"), OLD));
        written(Write.insert(key("gone"), OLD)
                .withExpiry(Expiry.at(clock.instant().plus(Duration.ofHours(1)))));
        long before = await(store.highSeqno(keyspace.bucket(), 0));

        AtomicResult result = atomically(
                Write.insert(key("new"), NEW),
                Write.replace(key("kept"), NEW).withCas(kept),
                Write.remove(key("gone")),
                Write.upsert(key("other"), NEW));

        assertThat(result).isEqualTo(new AtomicResult.Written());
        assertThat(List.of(body("new"), body("kept"), body("gone"), body("other")))
                .containsExactly("2", "2", "none", "2");
        assertThat(await(store.highSeqno(keyspace.bucket(), 0))).isEqualTo(before + 4);
        assertThat(await(store.count(keyspace))).isEqualTo(3);
        assertThat(await(store.ids(keyspace, IdRange.ALL, 9))).containsExactly("kept", "new", "other");
    }

    @Test
    void oneRefused_noneIsDone() {
        long kept = written(Write.insert(key("kept"), OLD));
        long before = await(store.highSeqno(keyspace.bucket(), 0));
        Write insert = Write.insert(key("new"), NEW);
        Write other = Write.upsert(key("other"), NEW);

        assertThat(atomically(insert, Write.replace(key("kept"), NEW).withCas(kept + 1), other))
                .isEqualTo(new AtomicResult.Refused(key("kept"), new CasMismatch(kept)));
        assertThat(atomically(insert, Write.insert(key("kept"), NEW), other))
                .isEqualTo(new AtomicResult.Refused(key("kept"), new AlreadyExists(kept)));
        assertThat(atomically(insert, other, Write.remove(key("nothing"))))
                .isEqualTo(new AtomicResult.Refused(key("nothing"), new NotFound()));

        assertThat(List.of(body("new"), body("kept"), body("other"))).containsExactly("none", "1", "none");
        assertThat(await(store.highSeqno(keyspace.bucket(), 0))).isEqualTo(before);
        assertThat(await(store.count(keyspace))).isEqualTo(1);
        assertThat(atomically(insert, other)).isEqualTo(new AtomicResult.Written());
    }

    /** After a lost connection the client sends the call again, and other writers may have been there in between. */
    @Test
    void sameCallAgain_isDoneOnce() {
        Write[] writes = {Write.insert(key("a"), NEW), Write.upsert(key("b"), NEW)};
        atomically(writes);
        for (int i = 0; i < Limits.REMEMBERED_TRANSACTIONS; i++) {
            written(Write.upsert(key("b"), bytes("1" + i)));
        }
        String newest = body("b");

        assertThat(atomically(writes)).isEqualTo(new AtomicResult.Written());
        assertThat(body("b")).isEqualTo(newest);
    }

    @Test
    void collectionsOfOneBucket_areWrittenTogether() {
        Keyspace carts = new Keyspace(keyspace.bucket(), Keyspace.DEFAULT, "carts");
        await(store.catalog().createCollection(carts));

        assertThat(atomically(Write.insert(key("a"), NEW), Write.insert(new DocumentKey(carts, "a"), NEW)))
                .isEqualTo(new AtomicResult.Written());

        assertThat(await(store.count(keyspace)) + await(store.count(carts))).isEqualTo(2);
    }

    @Test
    void differentBucketsAndShards_areRefused() {
        Keyspace sharded = Keyspace.of(StoreKit.uniqueBucket());
        await(store.catalog().createBucket(sharded.bucket(), 8));
        List<Write> many = IntStream.range(0, 50)
                .mapToObj(i -> Write.insert(new DocumentKey(sharded, "k" + i), NEW))
                .toList();

        assertThat(atomically(Write.insert(key("a"), NEW), many.getFirst()))
                .isEqualTo(new AtomicResult.Apart(many.getFirst().key()));
        assertThat(await(store.writeAtomically(many))).isInstanceOf(AtomicResult.Apart.class);

        assertThat(body("a")).isEqualTo("none");
        assertThat(await(store.count(sharded))).isZero();
    }

    @Test
    void asManyAsThereMayBe_goTogether_andNoMore() {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < Limits.MAX_ATOMIC_WRITES; i++) {
            writes.add(Write.insert(key("k" + i), NEW)
                    .withExpiry(Expiry.at(clock.instant().plus(Duration.ofHours(1)))));
        }
        assertThat(await(store.writeAtomically(writes))).isEqualTo(new AtomicResult.Written());
        assertThat(await(store.count(keyspace))).isEqualTo(Limits.MAX_ATOMIC_WRITES);

        writes.add(Write.insert(key("more"), NEW));
        for (List<Write> wrong : List.of(
                writes,
                List.<Write>of(),
                List.of(Write.insert(key("a"), NEW), Write.remove(key("a"))),
                List.of(Write.insert(key("a"), new byte[Limits.MAX_ATOMIC_BYTES + 1])))) {
            assertThatThrownBy(() -> store.writeAtomically(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
