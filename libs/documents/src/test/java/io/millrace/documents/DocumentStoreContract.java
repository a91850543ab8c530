package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.Document.State;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.WriteResult.AlreadyExists;
import io.millrace.documents.WriteResult.CasMismatch;
import io.millrace.documents.WriteResult.NotFound;
import io.millrace.documents.WriteResult.Written;
import io.millrace.traces.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What reading and writing single documents does, in every {@link DocumentStore}. */
public abstract class DocumentStoreContract {

    private static final byte[] BODY = bytes("{\"a\":1}");
    private static final byte[] OTHER = bytes("{\"a\":2}");
    private static final byte[] USER = bytes("{\"color\":\"red\"}");
    private static final byte[] SYSTEM = bytes("{\"_sync\":{\"n\":1.10}}");

    protected final StoreKit.Clock clock = new StoreKit.Clock();
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
        await(store.catalog().createBucket(keyspace.bucket(), 2));
    }

    @Test
    void get_ofAbsent_isEmpty() {
        assertThat(await(store.get(key))).isEmpty();
        assertThat(await(store.getWithTombstone(key))).isEmpty();
    }

    @Test
    void insert_ofNew_storesEverythingGiven() {
        Origin origin = new Origin("f-1", 3, TraceContext.random());
        Instant expiry = clock.instant().plus(Duration.ofDays(1));

        long cas = written(Write.insert(key, BODY)
                .withFlags(0xfedcba98)
                .withExpiry(Expiry.at(expiry))
                .withXattrs(USER, SYSTEM)
                .withOrigin(origin));

        Document document = get();
        assertThat(document.key()).isEqualTo(key);
        assertThat(document.cas()).isEqualTo(cas).isPositive();
        assertThat(document.state()).isEqualTo(State.LIVE);
        assertThat(document.body()).isEqualTo(BODY);
        assertThat(document.datatype()).isEqualTo(Datatype.JSON);
        assertThat(document.flags()).isEqualTo(0xfedcba98);
        assertThat(document.expiry()).isEqualTo(Instant.ofEpochSecond(expiry.getEpochSecond()));
        assertThat(document.userXattrs()).isEqualTo(USER);
        assertThat(document.systemXattrs()).isEqualTo(SYSTEM);
        assertThat(document.origin()).isEqualTo(origin);
        assertThat(await(store.getWithTombstone(key)).orElseThrow().body()).isEqualTo(BODY);
    }

    @Test
    void insert_overLiving_changesNothing() {
        long cas = written(Write.insert(key, BODY));

        assertThat(write(Write.insert(key, OTHER))).isEqualTo(new AlreadyExists(cas));

        assertThat(get().body()).isEqualTo(BODY);
        assertThat(get().cas()).isEqualTo(cas);
    }

    @Test
    void upsert_overLiving_replacesBodyAndClearsExpiryButKeepsXattrs() {
        long first = written(Write.upsert(key, BODY).withExpiry(inOneHour()).withXattrs(USER, SYSTEM));

        long second = written(Write.upsert(key, OTHER).withDatatype(Datatype.BINARY));

        assertThat(second).isGreaterThan(first);
        Document document = get();
        assertThat(document.body()).isEqualTo(OTHER);
        assertThat(document.datatype()).isEqualTo(Datatype.BINARY);
        assertThat(document.expiry()).isNull();
        assertThat(document.userXattrs()).isEqualTo(USER);
        assertThat(document.systemXattrs()).isEqualTo(SYSTEM);
        assertThat(document.origin()).isNull();
    }

    @Test
    void replace_ofAbsent_isNotFound() {
        assertThat(write(Write.replace(key, BODY))).isEqualTo(new NotFound());
        assertThat(write(Write.replace(key, BODY).withCas(7))).isEqualTo(new NotFound());
        assertThat(await(store.getWithTombstone(key))).isEmpty();
    }

    @Test
    void replace_withCas_needsThatVersion() {
        long first = written(Write.insert(key, BODY));
        long second = written(Write.replace(key, OTHER).withCas(first));

        assertThat(write(Write.replace(key, BODY).withCas(first))).isEqualTo(new CasMismatch(second));
        assertThat(write(Write.upsert(key, BODY).withCas(first))).isEqualTo(new CasMismatch(second));
        assertThat(write(Write.remove(key).withCas(first))).isEqualTo(new CasMismatch(second));

        assertThat(get().body()).isEqualTo(OTHER);
        assertThat(get().cas()).isEqualTo(second);
    }

    @Test
    void upsert_withCasOfAnAbsentDocument_isMismatch() {
        assertThat(write(Write.upsert(key, BODY).withCas(7))).isEqualTo(new CasMismatch(0));
        assertThat(write(Write.insert(key, BODY).withCas(7))).isEqualTo(new CasMismatch(0));
    }

    @Test
    void remove_ofLiving_leavesTombstoneWithSystemXattrs() {
        written(Write.insert(key, BODY).withFlags(5).withExpiry(inOneHour()).withXattrs(USER, SYSTEM));

        long cas = written(Write.remove(key).withOrigin(new Origin("f", 1)));

        assertThat(await(store.get(key))).isEmpty();
        Document tombstone = await(store.getWithTombstone(key)).orElseThrow();
        assertThat(tombstone.state()).isEqualTo(State.DELETED);
        assertThat(tombstone.live()).isFalse();
        assertThat(tombstone.cas()).isEqualTo(cas);
        assertThat(tombstone.body()).isEmpty();
        assertThat(tombstone.flags()).isZero();
        assertThat(tombstone.expiry()).isNull();
        assertThat(tombstone.userXattrs()).isNull();
        assertThat(tombstone.systemXattrs()).isEqualTo(SYSTEM);
        assertThat(tombstone.origin()).isEqualTo(new Origin("f", 1));
    }

    @Test
    void remove_ofAbsentOrRemoved_isNotFound() {
        assertThat(write(Write.remove(key))).isEqualTo(new NotFound());
        written(Write.insert(key, BODY));
        written(Write.remove(key));

        assertThat(write(Write.remove(key))).isEqualTo(new NotFound());
        assertThat(write(Write.replace(key, BODY))).isEqualTo(new NotFound());
        assertThat(write(Write.touch(key, inOneHour()))).isEqualTo(new NotFound());
    }

    @Test
    void insert_overTombstone_replacesBodyAndXattrs() {
        written(Write.insert(key, BODY).withXattrs(USER, SYSTEM));
        long removed = written(Write.remove(key));

        long inserted = written(Write.insert(key, OTHER));

        assertThat(inserted).isGreaterThan(removed);
        assertThat(get().body()).isEqualTo(OTHER);
        assertThat(get().userXattrs()).isNull();
        assertThat(get().systemXattrs()).isEqualTo(SYSTEM);
    }

    @Test
    void upsert_withCasOfTombstone_isWritten() {
        long first = written(Write.insert(key, BODY));
        long removed = written(Write.remove(key));

        assertThat(write(Write.upsert(key, OTHER).withCas(first))).isEqualTo(new CasMismatch(removed));
        written(Write.upsert(key, OTHER).withCas(removed));

        assertThat(get().body()).isEqualTo(OTHER);
    }

    @Test
    void touch_ofLiving_changesExpiryAlone() {
        long cas = written(Write.insert(key, BODY)
                .withDatatype(Datatype.BINARY)
                .withFlags(9)
                .withXattrs(USER, SYSTEM));

        long touched = written(Write.touch(key, inOneHour()));

        assertThat(touched).isGreaterThan(cas);
        Document document = get();
        assertThat(document.expiry()).isEqualTo("2026-01-02T04:04:05Z");
        assertThat(document.body()).isEqualTo(BODY);
        assertThat(document.datatype()).isEqualTo(Datatype.BINARY);
        assertThat(document.flags()).isEqualTo(9);
        assertThat(document.userXattrs()).isEqualTo(USER);
        assertThat(document.systemXattrs()).isEqualTo(SYSTEM);

        written(Write.touch(key, Expiry.NEVER));
        assertThat(get().expiry()).isNull();
    }

    @Test
    void xattrs_givenEmpty_areDropped() {
        written(Write.insert(key, BODY).withXattrs(USER, SYSTEM));

        written(Write.replace(key, OTHER).withXattrs(new byte[0], new byte[0]));

        assertThat(get().userXattrs()).isNull();
        assertThat(get().systemXattrs()).isNull();
    }

    @Test
    void xattrs_givenWithRemove_stayOnTombstone() {
        written(Write.insert(key, BODY));

        written(Write.remove(key).withXattrs(USER, SYSTEM));

        Document tombstone = await(store.getWithTombstone(key)).orElseThrow();
        assertThat(tombstone.userXattrs()).isEqualTo(USER);
        assertThat(tombstone.systemXattrs()).isEqualTo(SYSTEM);
    }

    @Test
    void write_repeated_happensOnce() {
        Write write = Write.upsert(key, BODY);
        long cas = written(write);
        long later = written(Write.upsert(key, OTHER));

        assertThat(write(write)).isEqualTo(new Written(cas, newest(), true, true));

        assertThat(get().body()).isEqualTo(OTHER);
        assertThat(get().cas()).isEqualTo(later);
    }

    @Test
    void insertAndRemove_repeated_areAnsweredAsTheFirstTime() {
        Write insert = Write.insert(key, BODY);
        Write remove = Write.remove(key);
        long inserted = written(insert);
        long removed = written(remove);

        assertThat(write(remove)).isEqualTo(new Written(removed, newest(), false, true));
        assertThat(write(insert)).isEqualTo(new Written(inserted, newest(), true, true));
        assertThat(await(store.get(key))).isEmpty();
    }

    @Test
    void write_repeatedAfterManyOthers_isForgotten() {
        Write write = Write.upsert(key, BODY);
        long cas = written(write);
        for (int i = 1; i < Limits.REMEMBERED_TRANSACTIONS; i++) {
            written(Write.upsert(key, OTHER));
        }
        assertThat(write(write)).isEqualTo(new Written(cas, newest(), true, true));

        written(Write.upsert(key, OTHER));

        assertThat(written(write)).isGreaterThan(cas);
        assertThat(get().body()).isEqualTo(BODY);
    }

    @Test
    void write_refusedAndRepeated_isTriedAgain() {
        Write insert = Write.insert(key, OTHER);
        written(Write.insert(key, BODY));
        assertThat(write(insert)).isInstanceOf(AlreadyExists.class);
        written(Write.remove(key));

        written(insert);

        assertThat(get().body()).isEqualTo(OTHER);
    }

    @Test
    void transactions_ofOneDocument_meanNothingToAnother() {
        TransactionId id = TransactionId.random();

        written(Write.upsert(key, BODY).withTransaction(id));
        written(Write.upsert(other("o"), OTHER).withTransaction(id));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " { \"n\" : 1.10 , \"e\":1e3, \"b\":12345678901234567890123, \"z\":-0.0, \"n\":2 }\r\n\t",
                "[]",
                "{}",
                "\"\"",
                "0.1234567890123456789",
                "{\"\\u0041\":\"\\/\"}"
            })
    void body_ofJson_keepsItsBytes(String json) {
        written(Write.upsert(key, bytes(json)));

        assertThat(text(get().body())).isEqualTo(json);
    }

    @Test
    void body_ofAnyBytes_comesBack() {
        Random random = new Random(20260102);
        for (int length : new int[] {0, 1, 63, 64, 65, 4095, 4096, 4097, 1 << 20}) {
            byte[] body = new byte[length];
            random.nextBytes(body);

            written(Write.upsert(key, body).withDatatype(Datatype.BINARY).withXattrs(null, body.clone()));

            assertThat(get().body()).isEqualTo(body);
        }
    }

    @Test
    void body_pastLimit_isRefused() {
        byte[] largest = new byte[Limits.MAX_DOCUMENT_BYTES];
        written(Write.upsert(key, largest));
        assertThat(get().body()).hasSize(largest.length);

        assertFails(Code.DOCUMENT_TOO_LARGE, () -> write(Write.upsert(key, new byte[largest.length + 1])));
        byte[] user = new byte[Limits.MAX_USER_XATTR_BYTES + 1];
        byte[] system = new byte[Limits.MAX_SYSTEM_XATTR_BYTES + 1];
        assertFails(Code.XATTRS_TOO_LARGE, () -> write(Write.upsert(key, BODY).withXattrs(user, null)));
        assertFails(Code.XATTRS_TOO_LARGE, () -> write(Write.upsert(key, BODY).withXattrs(null, system)));
    }

    @ParameterizedTest
    @ValueSource(strings = {":", "a:b", "{x}", "%s/../?", " ", "\r\n", "\u0001", "ä€😀", "1L0:x"})
    void id_ofAnyCharacters_isItsOwn(String id) {
        written(Write.insert(other(id), bytes(id)));

        assertThat(await(store.get(other(id))).orElseThrow().key().id()).isEqualTo(id);
        assertThat(text(await(store.get(other(id))).orElseThrow().body())).isEqualTo(id);
        assertThat(await(store.get(key))).isEmpty();
    }

    @Test
    void id_outsideTheRules_isRefused() {
        written(Write.insert(other("x".repeat(250)), BODY));
        for (String id : List.of("", "x".repeat(251), "ä".repeat(126), "a\0b", "\ud800", "x\udc00", "\ud800x")) {
            assertFails(Code.INVALID_ID, () -> await(store.get(other(id))));
            assertFails(Code.INVALID_ID, () -> write(Write.upsert(other(id), BODY)));
        }
    }

    @Test
    void callsOfOneThread_areDoneInOrder() {
        List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            answers.add(store.write(Write.upsert(key, bytes("" + i))));
        }
        CompletableFuture<Optional<Document>> between = store.get(key);
        answers.add(store.write(Write.upsert(key, bytes("last"))));

        List<Long> versions =
                answers.stream().map(answer -> ((Written) await(answer)).cas()).toList();
        assertThat(versions).isSorted().doesNotHaveDuplicates();
        assertThat(text(await(between).orElseThrow().body())).isEqualTo("499");
        assertThat(text(get().body())).isEqualTo("last");
    }

    /** Writes that are sent together travel in one call: each of them compares all the same. */
    @Test
    void writesWithTheSameCas_sentTogether_haveOneWinnerForEachDocument() {
        List<DocumentKey> keys = List.of(key, other("b"), other("c"));
        List<Long> versions =
                keys.stream().map(one -> written(Write.insert(one, BODY))).toList();
        var answers = keys.stream()
                .map(one -> new ArrayList<CompletableFuture<WriteResult>>())
                .toList();

        for (int i = 0; i < 60; i++) {
            for (int k = 0; k < keys.size(); k++) {
                Write write = Write.upsert(keys.get(k), bytes("" + i)).withCas(versions.get(k));
                answers.get(k).add(store.write(write));
            }
        }

        for (int k = 0; k < keys.size(); k++) {
            List<WriteResult> results =
                    answers.get(k).stream().map(StoreKit::await).toList();
            Written winner = (Written) results.getFirst();
            assertThat(results.subList(1, results.size())).containsOnly(new CasMismatch(winner.cas()));
            assertThat(text(await(store.get(keys.get(k))).orElseThrow().body())).isEqualTo("0");
        }
    }

    @Test
    void concurrentInserts_ofOneDocument_haveOneWinner() {
        List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                answers.add(CompletableFuture.supplyAsync(() -> write(Write.insert(key, BODY)), threads));
            }
        }

        assertThat(answers.stream().map(StoreKit::await).filter(Written.class::isInstance))
                .hasSize(1);
    }

    @Test
    void count_followsInsertsAndRemovals() {
        for (int i = 0; i < 20; i++) {
            written(Write.upsert(other("c" + i), BODY));
            written(Write.upsert(other("c" + i), OTHER));
        }
        for (int i = 0; i < 5; i++) {
            written(Write.remove(other("c" + i)));
        }
        written(Write.insert(other("c0"), BODY));

        assertThat(await(store.count(keyspace))).isEqualTo(16);
    }

    private WriteResult write(Write write) {
        return await(store.write(write));
    }

    private long newest() {
        return await(store.getWithTombstone(key)).orElseThrow().seqno();
    }

    private long written(Write write) {
        WriteResult result = write(write);
        assertThat(result).isInstanceOf(Written.class);
        Written written = (Written) result;
        assertThat(written.repeated()).isFalse();
        return written.cas();
    }

    private Document get() {
        return await(store.get(key)).orElseThrow();
    }

    private DocumentKey other(String id) {
        return new DocumentKey(keyspace, id);
    }

    private Expiry inOneHour() {
        return Expiry.at(clock.instant().plus(Duration.ofHours(1)));
    }

    private static void assertFails(Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        DocumentsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
