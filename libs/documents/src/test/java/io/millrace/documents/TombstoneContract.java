package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static io.millrace.documents.StoreKit.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Document.State;
import io.millrace.documents.VersionStamp.Form;
import io.millrace.documents.VersionStamp.Part;
import io.millrace.documents.WriteResult.AlreadyExists;
import io.millrace.documents.WriteResult.CasMismatch;
import io.millrace.documents.WriteResult.Written;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What writing tombstones does in every {@link DocumentStore}, and what every mutation leaves besides its content. */
public abstract class TombstoneContract {

    private static final byte[] BODY = bytes("{\"a\":1}");
    private static final byte[] USER = bytes("{\"txn\":{\"id\":1}}");
    private static final byte[] SYSTEM = bytes("{\"_sync\":1}");
    private static final byte[] NONE = {};
    private static final String BLANK = "0x0000000000000000";

    protected final StoreKit.Clock clock = new StoreKit.Clock();
    private DocumentStore store;
    private DocumentKey key;

    /** Returns a store that reads this clock; called once per test. */
    protected abstract DocumentStore open(InstantSource clock);

    @BeforeEach
    void createBucket() {
        store = open(clock);
        key = new DocumentKey(Keyspace.of(StoreKit.uniqueBucket()), "k");
        await(store.catalog().createBucket(key.keyspace().bucket(), 1));
    }

    @Test
    void tombstone_whereThereWasNothing_isInTheFeedWithItsAttributes() {
        long cas = written(Write.tombstone(key, USER, SYSTEM).withOrigin(new Origin("f", 1)));

        assertThat(await(store.get(key))).isEmpty();
        Document tombstone = stored();
        assertThat(tombstone.state()).isEqualTo(State.DELETED);
        assertThat(tombstone.cas()).isEqualTo(cas);
        assertThat(tombstone.body()).isEmpty();
        assertThat(tombstone.userXattrs()).isEqualTo(USER);
        assertThat(tombstone.systemXattrs()).isEqualTo(SYSTEM);
        assertThat(tombstone.origin()).isEqualTo(new Origin("f", 1));
        assertThat(await(store.count(key.keyspace()))).isZero();
        assertThat(await(store.highSeqno(key.keyspace().bucket(), 0))).isEqualTo(tombstone.seqno());
    }

    @Test
    void tombstone_overTombstone_keepsAttributesThatAreNotGiven() {
        written(Write.insert(key, BODY).withXattrs(null, SYSTEM));
        long removed = written(Write.remove(key));

        assertThat(write(Write.tombstone(key, USER, null).withCas(removed + 1))).isEqualTo(new CasMismatch(removed));
        written(Write.tombstone(key, USER, null).withCas(removed));
        assertThat(stored().userXattrs()).isEqualTo(USER);
        assertThat(stored().systemXattrs()).isEqualTo(SYSTEM);

        written(Write.tombstone(key, null, NONE));
        assertThat(stored().userXattrs()).isEqualTo(USER);
        assertThat(stored().systemXattrs()).isNull();
    }

    @Test
    void tombstone_overLiving_changesNothing() {
        long cas = written(Write.insert(key, BODY));

        assertThat(write(Write.tombstone(key, USER, null))).isEqualTo(new AlreadyExists(cas));

        assertThat(await(store.get(key)).orElseThrow().userXattrs()).isNull();
    }

    @Test
    void tombstone_overDocumentThatIsDue_takesItsPlace() {
        written(Write.insert(key, BODY)
                .withXattrs(USER, SYSTEM)
                .withExpiry(Expiry.at(clock.instant().plusSeconds(10))));
        clock.advance(Duration.ofSeconds(11));
        long due = stored().cas();

        written(Write.tombstone(key, null, null).withCas(due));

        assertThat(stored().state()).isEqualTo(State.DELETED);
        assertThat(stored().userXattrs()).isNull();
        assertThat(stored().systemXattrs()).isEqualTo(SYSTEM);
        assertThat(await(store.count(key.keyspace()))).isZero();
        assertThat(await(store.expireDue(key.keyspace().bucket(), 10))).isZero();
    }

    @Test
    void upsert_withCasOfTombstone_keepsSystemAttributesAndThoseThatAreGiven() {
        long buried = written(Write.tombstone(key, USER, SYSTEM));

        written(Write.upsert(key, BODY).withCas(buried));

        Document document = await(store.get(key)).orElseThrow();
        assertThat(document.userXattrs()).isNull();
        assertThat(document.systemXattrs()).isEqualTo(SYSTEM);
        assertThat(await(store.count(key.keyspace()))).isEqualTo(1);

        written(Write.remove(key).withXattrs(USER, null));
        written(Write.insert(key, BODY).withXattrs(USER, null));
        assertThat(stored().userXattrs()).isEqualTo(USER);
    }

    @Test
    void neverWritten_meansNoTombstoneEither() {
        long cas = written(Write.tombstone(key, USER, null).withCas(Write.NEVER_WRITTEN));

        assertThat(write(Write.tombstone(key, USER, null).withCas(Write.NEVER_WRITTEN)))
                .isEqualTo(new CasMismatch(cas));
        assertThat(write(Write.insert(key, BODY).withCas(Write.NEVER_WRITTEN))).isEqualTo(new CasMismatch(cas));

        DocumentKey other = new DocumentKey(key.keyspace(), "other");
        written(Write.insert(other, BODY).withCas(Write.NEVER_WRITTEN));
    }

    @Test
    void stamps_becomeTheNewVersionInEachPart() {
        String text = "{\"s\":\"" + BLANK + "\",\"c\":\"" + BLANK + "\"}";
        int seqno = text.indexOf(BLANK);
        int swapped = text.lastIndexOf(BLANK);
        byte[] given = bytes(text);

        long cas = written(Write.insert(key, given)
                .withXattrs(given, given)
                .withStamps(List.of(
                        new VersionStamp(Part.BODY, seqno, Form.SEQNO),
                        new VersionStamp(Part.USER_XATTRS, swapped, Form.CAS_SWAPPED),
                        new VersionStamp(Part.SYSTEM_XATTRS, seqno, Form.SEQNO),
                        new VersionStamp(Part.SYSTEM_XATTRS, swapped, Form.CAS_SWAPPED))));

        String plain = "0x%016x".formatted(stored().seqno());
        String reversed = "0x%016x".formatted(Long.reverseBytes(cas));
        Document document = stored();
        assertThat(text(document.body())).isEqualTo("{\"s\":\"" + plain + "\",\"c\":\"" + BLANK + "\"}");
        assertThat(text(document.userXattrs())).isEqualTo("{\"s\":\"" + BLANK + "\",\"c\":\"" + reversed + "\"}");
        assertThat(text(document.systemXattrs())).isEqualTo("{\"s\":\"" + plain + "\",\"c\":\"" + reversed + "\"}");
        assertThat(text(given)).isEqualTo(text);
    }

    @Test
    void stamps_onATombstone_areWritten() {
        byte[] given = bytes("{\"c\":\"" + BLANK + "\"}");

        long cas = written(Write.tombstone(key, given, null)
                .withStamps(List.of(new VersionStamp(Part.USER_XATTRS, 6, Form.CAS_SWAPPED))));

        assertThat(text(stored().userXattrs())).isEqualTo("{\"c\":\"0x%016x\"}".formatted(Long.reverseBytes(cas)));
    }

    @Test
    void revision_andModified_followEveryMutation() {
        written(Write.insert(key, BODY).withExpiry(Expiry.at(clock.instant().plusSeconds(1000))));
        assertThat(stored().revision()).isEqualTo(1);
        assertThat(stored().modified()).isEqualTo(clock.instant().truncatedTo(ChronoUnit.SECONDS));

        clock.advance(Duration.ofSeconds(100));
        written(Write.touch(key, Expiry.at(clock.instant().plusSeconds(10))));
        assertThat(stored().revision()).isEqualTo(2);
        assertThat(stored().modified()).isEqualTo(clock.instant().truncatedTo(ChronoUnit.SECONDS));

        clock.advance(Duration.ofSeconds(11));
        await(store.expireDue(key.keyspace().bucket(), 10));
        assertThat(stored().revision()).isEqualTo(3);
        assertThat(stored().modified()).isEqualTo(clock.instant().truncatedTo(ChronoUnit.SECONDS));

        written(Write.insert(key, BODY));
        written(Write.remove(key));
        assertThat(stored().revision()).isEqualTo(5);
    }

    @Test
    void write_whereNoDocumentLives_saysThatItCreatedOne() {
        assertThat(created(Write.upsert(key, BODY))).isTrue();
        assertThat(created(Write.upsert(key, NONE))).isFalse();
        assertThat(created(Write.replace(key, BODY))).isFalse();
        assertThat(created(Write.touch(key, Expiry.NEVER))).isFalse();
        assertThat(created(Write.remove(key))).isFalse();
        assertThat(created(Write.tombstone(key, USER, null))).isFalse();
        assertThat(created(Write.insert(key, BODY))).isTrue();
        assertThat(created(Write.remove(key))).isFalse();
        assertThat(created(Write.upsert(key, BODY)
                        .withExpiry(Expiry.at(clock.instant().plusSeconds(3600)))))
                .isTrue();
        clock.advance(Duration.ofHours(2));
        assertThat(created(Write.upsert(key, NONE))).isTrue();
    }

    @Test
    void write_overLivingAndRepeated_createdNothing() {
        written(Write.insert(key, BODY));
        Write write = Write.upsert(key, NONE);
        long cas = written(write);

        assertThat(write(write)).isEqualTo(new Written(cas, stored().seqno(), false, true));
    }

    @Test
    void repeatedWrites_areAnsweredAsTheFirstTime() {
        List<Write> writes = new ArrayList<>();
        List<Written> answers = new ArrayList<>();
        for (int i = 0; i < Limits.REMEMBERED_TRANSACTIONS + 3; i++) {
            Write write = List.of(Write.insert(key, BODY), Write.upsert(key, NONE), Write.remove(key))
                    .get(i % 3);
            writes.add(write);
            answers.add((Written) write(write));
        }

        for (int i = 3; i < writes.size(); i++) {
            Written first = answers.get(i);
            assertThat(first.created()).isEqualTo(i % 3 == 0);
            assertThat(write(writes.get(i)))
                    .isEqualTo(new Written(first.cas(), stored().seqno(), first.created(), true));
        }
    }

    private Document stored() {
        return await(store.getWithTombstone(key)).orElseThrow();
    }

    private WriteResult write(Write write) {
        return await(store.write(write));
    }

    private boolean created(Write write) {
        return write(write) instanceof Written written && written.created();
    }

    private long written(Write write) {
        WriteResult result = write(write);
        assertThat(result).isInstanceOf(Written.class);
        return ((Written) result).cas();
    }
}
