package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Document.State;
import io.millrace.documents.WriteResult.NotFound;
import io.millrace.documents.WriteResult.Written;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of documents that expire, in every {@link DocumentStore}. */
public abstract class ExpiryContract {

    private static final byte[] BODY = bytes("{\"a\":1}");
    private static final byte[] OTHER = bytes("{\"a\":2}");
    private static final byte[] USER = bytes("{\"color\":\"red\"}");
    private static final byte[] SYSTEM = bytes("{\"_sync\":{\"n\":1.10}}");

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
        await(store.catalog().createBucket(keyspace.bucket(), 2));
    }

    @Test
    void expiry_whenDue_hidesDocument() {
        long cas = written(Write.insert(key, BODY).withExpiry(inOneHour()).withXattrs(USER, SYSTEM));
        clock.advance(Duration.ofMinutes(59));
        assertThat(get().body()).isEqualTo(BODY);

        clock.advance(Duration.ofMinutes(1));

        assertThat(await(store.get(key))).isEmpty();
        Document tombstone = await(store.getWithTombstone(key)).orElseThrow();
        assertThat(tombstone.state()).isEqualTo(State.EXPIRED);
        assertThat(tombstone.cas()).isEqualTo(cas);
        assertThat(tombstone.body()).isEmpty();
        assertThat(tombstone.userXattrs()).isNull();
        assertThat(tombstone.systemXattrs()).isEqualTo(SYSTEM);
        assertThat(write(Write.replace(key, OTHER))).isEqualTo(new NotFound());
        assertThat(write(Write.remove(key))).isEqualTo(new NotFound());
        assertThat(write(Write.touch(key, Expiry.NEVER))).isEqualTo(new NotFound());
    }

    @Test
    void preserveOr_keepsExpiryOfLivingAndGivesOneToNew() {
        Expiry otherwise = Expiry.preserveOr(clock.instant().plus(Duration.ofHours(2)));
        written(Write.insert(key, BODY).withExpiry(inOneHour()));
        written(Write.upsert(key, OTHER).withExpiry(otherwise));
        assertThat(get().expiry()).isEqualTo("2026-01-02T04:04:05Z");

        written(Write.upsert(key, OTHER));
        written(Write.upsert(key, OTHER).withExpiry(otherwise));
        assertThat(get().expiry()).isNull();

        written(Write.remove(key));
        written(Write.upsert(key, BODY).withExpiry(otherwise));
        assertThat(get().expiry()).isEqualTo("2026-01-02T05:04:05Z");
    }

    @Test
    void insert_overDue_createsANewDocument() {
        written(Write.insert(key, BODY).withExpiry(inOneHour()).withXattrs(USER, SYSTEM));
        clock.advance(Duration.ofHours(1));

        written(Write.insert(key, OTHER).withExpiry(Expiry.PRESERVE));

        assertThat(get().body()).isEqualTo(OTHER);
        assertThat(get().expiry()).isNull();
        assertThat(get().userXattrs()).isNull();
        assertThat(get().systemXattrs()).isEqualTo(SYSTEM);
        assertThat(await(store.expireDue(keyspace.bucket(), 10))).isZero();
        assertThat(await(store.count(keyspace))).isOne();
    }

    @Test
    void expiry_preserved_stays() {
        written(Write.insert(key, BODY).withExpiry(inOneHour()));

        written(Write.upsert(key, OTHER).withExpiry(Expiry.PRESERVE));

        assertThat(get().expiry()).isEqualTo("2026-01-02T04:04:05Z");
        clock.advance(Duration.ofHours(2));
        assertThat(await(store.get(key))).isEmpty();
    }

    @Test
    void expiry_inThePast_expiresAtOnce() {
        written(Write.insert(key, BODY).withExpiry(Expiry.at(clock.instant().minusSeconds(1))));

        assertThat(await(store.get(key))).isEmpty();
        assertThat(await(store.expireDue(keyspace.bucket(), 10))).isOne();
    }

    @Test
    void expireDue_turnsDueDocumentsIntoTombstones() {
        long cas = written(Write.insert(key, BODY).withExpiry(inOneHour()).withXattrs(USER, SYSTEM));
        written(Write.insert(other("later"), BODY)
                .withExpiry(Expiry.at(clock.instant().plusSeconds(3601))));
        written(Write.insert(other("never"), BODY));
        clock.advance(Duration.ofHours(1));
        assertThat(await(store.count(keyspace))).isEqualTo(3);

        assertThat(await(store.expireDue(keyspace.bucket(), 10))).isOne();

        assertThat(await(store.expireDue(keyspace.bucket(), 10))).isZero();
        assertThat(await(store.count(keyspace))).isEqualTo(2);
        Document tombstone = await(store.getWithTombstone(key)).orElseThrow();
        assertThat(tombstone.state()).isEqualTo(State.EXPIRED);
        assertThat(tombstone.cas()).isGreaterThan(cas);
        assertThat(tombstone.userXattrs()).isNull();
        assertThat(tombstone.systemXattrs()).isEqualTo(SYSTEM);
        assertThat(tombstone.origin()).isNull();
    }

    @Test
    void expireDue_ofMany_isDoneInPages() {
        for (int i = 0; i < 25; i++) {
            written(Write.insert(other("e" + i), BODY).withExpiry(inOneHour()));
        }
        clock.advance(Duration.ofHours(1));

        List<Integer> pages = new ArrayList<>();
        do {
            pages.add(await(store.expireDue(keyspace.bucket(), 10)));
        } while (pages.getLast() > 0);

        assertThat(pages).allMatch(page -> page <= 10);
        assertThat(pages.stream().mapToInt(Integer::intValue).sum()).isEqualTo(25);
        assertThat(await(store.count(keyspace))).isZero();
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

    private DocumentKey other(String id) {
        return new DocumentKey(keyspace, id);
    }

    private Expiry inOneHour() {
        return Expiry.at(clock.instant().plus(Duration.ofHours(1)));
    }
}
