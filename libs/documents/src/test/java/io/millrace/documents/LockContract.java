package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore.LockResult;
import io.millrace.documents.DocumentStore.UnlockResult;
import io.millrace.documents.WriteResult.AlreadyExists;
import io.millrace.documents.WriteResult.CasMismatch;
import io.millrace.documents.WriteResult.Written;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What locking a document does, in every {@link DocumentStore}. */
public abstract class LockContract {

    private static final byte[] BODY = bytes("{\"a\":1}");
    private static final byte[] OTHER = bytes("{\"a\":2}");

    protected final StoreKit.Clock clock = new StoreKit.Clock();
    private DocumentStore store;
    private DocumentKey key;
    private long cas;

    /** Returns a store that reads this clock; called once per test. */
    protected abstract DocumentStore open(InstantSource clock);

    @BeforeEach
    void writeDocument() {
        store = open(clock);
        key = new DocumentKey(Keyspace.of(StoreKit.uniqueBucket()), "k");
        await(store.catalog().createBucket(key.keyspace().bucket(), 1));
        cas = written(Write.insert(key, BODY)
                .withFlags(7)
                .withXattrs(bytes("{\"u\":1}"), null)
                .withOrigin(new Origin("f,1", 2)));
    }

    @Test
    void lock_ofLiving_keepsEverythingAndAddsCas() {
        Document before = get();

        LockResult.Granted granted = lock(10);

        assertThat(granted.cas()).isGreaterThan(1L << 53);
        assertThat(granted.document().body()).isEqualTo(BODY);
        assertThat(granted.document().lock()).isEqualTo(new Document.Lock(granted.cas(), in(10)));
        Document after = get();
        assertThat(after).usingRecursiveComparison().ignoringFields("lock").isEqualTo(before);
        assertThat(after.lock()).isEqualTo(granted.document().lock());
        assertThat(after.locked(clock.instant())).isTrue();
        assertThat(after.locked(in(10))).isFalse();
        assertThat(await(store.highSeqno(key.keyspace().bucket(), 0))).isEqualTo(before.seqno());
    }

    @Test
    void locked_withoutItsCas_isNotChanged() {
        lock(10);

        for (Write write : List.of(
                Write.upsert(key, OTHER),
                Write.replace(key, OTHER),
                Write.remove(key),
                Write.touch(key, Expiry.at(in(100))),
                Write.replace(key, OTHER).withCas(cas),
                Write.upsert(key, OTHER).withCas(cas + 1))) {
            assertThat(write(write)).isEqualTo(new WriteResult.Locked(cas));
        }
        assertThat(write(Write.insert(key, OTHER))).isEqualTo(new AlreadyExists(cas));
        assertThat(get().body()).isEqualTo(BODY);
        assertThat(get().expiry()).isNull();
    }

    @Test
    void write_withCasOfLock_isDoneAndEndsIt() {
        LockResult.Granted granted = lock(10);

        long next = written(Write.replace(key, OTHER).withCas(granted.cas()));

        assertThat(get().body()).isEqualTo(OTHER);
        assertThat(get().cas()).isEqualTo(next).isGreaterThan(cas).isLessThan(granted.cas());
        assertThat(get().lock()).isNull();
        assertThat(write(Write.replace(key, BODY).withCas(granted.cas()))).isEqualTo(new CasMismatch(next));
        written(Write.upsert(key, BODY));
    }

    @Test
    void remove_withCasOfLock_isDone() {
        written(Write.remove(key).withCas(lock(10).cas()));

        assertThat(await(store.get(key))).isEmpty();
        written(Write.insert(key, OTHER));
    }

    @Test
    void lock_ofLocked_isTaken() {
        lock(10);

        assertThat(await(store.lock(key, in(10)))).isEqualTo(new LockResult.Taken());
    }

    @Test
    void lock_atItsEnd_isFree() {
        lock(10);
        clock.advance(Duration.ofSeconds(10).minusMillis(1));
        assertThat(write(Write.upsert(key, OTHER))).isInstanceOf(WriteResult.Locked.class);
        assertThat(await(store.lock(key, in(10)))).isEqualTo(new LockResult.Taken());

        clock.advance(Duration.ofMillis(1));

        assertThat(get().locked(clock.instant())).isFalse();
        lock(10);
        clock.advance(Duration.ofSeconds(10));
        written(Write.upsert(key, OTHER));
    }

    @Test
    void lock_thatHasEnded_leavesBothVersionsGood() {
        long first = lock(10).cas();
        clock.advance(Duration.ofSeconds(11));
        written(Write.replace(key, OTHER).withCas(first));

        long second = lock(10).cas();
        clock.advance(Duration.ofSeconds(11));
        assertThat(write(Write.replace(key, BODY).withCas(first))).isInstanceOf(CasMismatch.class);
        assertThat(second).isNotEqualTo(first);
        written(Write.replace(key, BODY).withCas(get().cas()));
    }

    @Test
    void unlock_withItsCas_frees() {
        long lock = lock(10).cas();
        assertThat(await(store.unlock(key, lock + 1))).isEqualTo(UnlockResult.TAKEN);
        assertThat(await(store.unlock(key, cas))).isEqualTo(UnlockResult.TAKEN);

        assertThat(await(store.unlock(key, lock))).isEqualTo(UnlockResult.UNLOCKED);

        assertThat(get().lock()).isNull();
        assertThat(get().cas()).isEqualTo(cas);
        assertThat(await(store.unlock(key, lock))).isEqualTo(UnlockResult.NOT_LOCKED);
        written(Write.replace(key, OTHER).withCas(cas));
    }

    @Test
    void unlock_afterTheEnd_isNotLocked() {
        long lock = lock(10).cas();
        clock.advance(Duration.ofSeconds(10));

        assertThat(await(store.unlock(key, lock))).isEqualTo(UnlockResult.NOT_LOCKED);
    }

    @Test
    void lock_ofAbsentDeletedOrDue_isNotFound() {
        DocumentKey absent = new DocumentKey(key.keyspace(), "absent");
        assertThat(await(store.lock(absent, in(10)))).isEqualTo(new LockResult.NotFound());
        assertThat(await(store.unlock(absent, 1))).isEqualTo(UnlockResult.NOT_FOUND);

        written(Write.touch(key, Expiry.at(in(5))));
        long lock = lock(10).cas();
        clock.advance(Duration.ofSeconds(6));
        assertThat(await(store.lock(key, in(10)))).isEqualTo(new LockResult.NotFound());
        assertThat(await(store.unlock(key, lock))).isEqualTo(UnlockResult.NOT_FOUND);
        assertThat(await(store.expireDue(key.keyspace().bucket(), 10))).isOne();
        assertThat(await(store.getWithTombstone(key)).orElseThrow().lock()).isNull();

        written(Write.insert(key, OTHER));
        written(Write.remove(key));
        assertThat(await(store.lock(key, in(10)))).isEqualTo(new LockResult.NotFound());
    }

    @Test
    void upsert_overLockedThatIsDue_isDone() {
        written(Write.touch(key, Expiry.at(in(5))));
        lock(10);
        clock.advance(Duration.ofSeconds(6));

        written(Write.upsert(key, OTHER));
    }

    @Test
    void concurrentLocks_haveOneHolder() {
        List<CompletableFuture<LockResult>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                answers.add(CompletableFuture.supplyAsync(() -> await(store.lock(key, in(10))), threads));
            }
        }

        assertThat(answers.stream().map(StoreKit::await).filter(LockResult.Granted.class::isInstance))
                .hasSize(1);
    }

    private LockResult.Granted lock(int seconds) {
        LockResult result = await(store.lock(key, in(seconds)));
        assertThat(result).isInstanceOf(LockResult.Granted.class);
        return (LockResult.Granted) result;
    }

    private Instant in(int seconds) {
        return Instant.ofEpochMilli(clock.instant().plusSeconds(seconds).toEpochMilli());
    }

    private WriteResult write(Write write) {
        return await(store.write(write));
    }

    private long written(Write write) {
        WriteResult result = write(write);
        assertThat(result).isInstanceOf(Written.class);
        return ((Written) result).cas();
    }

    private Document get() {
        return await(store.get(key)).orElseThrow();
    }
}
