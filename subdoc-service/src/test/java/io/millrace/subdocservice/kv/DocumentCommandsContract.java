package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Datatype;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.StoreKit;
import io.millrace.memcached.Datatypes;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.client.MemcachedClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The commands on whole documents, over every store. */
abstract class DocumentCommandsContract extends CommandsContract {

    @Test
    void get_ofAbsent_isMissed() throws IOException {
        expect(Status.KEY_ENOENT, get());
    }

    @Test
    void set_ofNew_isReadAsItWasWritten() throws IOException {
        Answer set = expect(Status.SUCCESS, set("{\"n\": 1.10}", 0xfedcba98, 0));

        Answer get = expect(Status.SUCCESS, get());
        assertThat(get.text()).isEqualTo("{\"n\": 1.10}");
        assertThat(get.extras()).isEqualTo(Call.numbers(0xfedcba98));
        assertThat(get.datatype()).isEqualTo(Datatypes.JSON);
        assertThat(get.cas()).isEqualTo(set.cas()).isPositive();
        assertThat(get.key()).isEmpty();
        assertThat(document().datatype()).isEqualTo(Datatype.JSON);
        assertThat(document().flags()).isEqualTo(0xfedcba98);
    }

    @Test
    void set_ofAnyBytes_isRaw() throws IOException {
        expect(Status.SUCCESS, set("{\"n\":", 0, 0));

        assertThat(get().datatype()).isEqualTo(Datatypes.RAW);
        assertThat(document().datatype()).isEqualTo(Datatype.BINARY);
        expect(Status.SUCCESS, set("", 0, 0));
        assertThat(expect(Status.SUCCESS, get()).value()).isEmpty();
    }

    @Test
    void mutation_hasATokenWhereThatWasAgreed() throws IOException {
        Answer set = set("1", 0, 0);

        long history = StoreKit.await(store.catalog().find(bucket))
                .orElseThrow()
                .vbucketUuid(document().key().vbucket());
        assertThat(set.extras()).isEqualTo(Call.numbers(history, document().seqno()));
        try (MemcachedClient other = kit.open(bucket)) {
            assertThat(other.call(Call.of(Opcode.DELETE, KEY)).extras()).isEmpty();
        }
    }

    @Test
    void set_withCas_needsThatVersion() throws IOException {
        long cas = set("1", 0, 0).cas();

        expect(Status.KEY_EEXISTS, client.call(setCall("2", 0, 0).withCas(cas + 1)));
        expect(Status.KEY_EEXISTS, client.call(setCall("2", 0, 0).withCas(-1)));
        long next = expect(Status.SUCCESS, client.call(setCall("2", 0, 0).withCas(cas)))
                .cas();

        assertThat(next).isGreaterThan(cas);
        expect(
                Status.KEY_ENOENT,
                client.call(setCall("2", 0, 0).withKey(bytes("absent")).withCas(cas)));
    }

    @Test
    void add_ofAnExistingDocument_fails() throws IOException {
        Call add = storeCall(Opcode.ADD, "1", 0, 0);
        expect(Status.EINVAL, client.call(add.withCas(1)));

        expect(Status.SUCCESS, client.call(add));

        expect(Status.KEY_EEXISTS, client.call(add));
        expect(Status.SUCCESS, client.call(Call.of(Opcode.DELETE, KEY)));
        expect(Status.SUCCESS, client.call(add));
    }

    @Test
    void replace_wantsADocument() throws IOException {
        Call replace = storeCall(Opcode.REPLACE, "2", 0, 0);
        expect(Status.KEY_ENOENT, client.call(replace));
        long cas = set("1", 0, 0).cas();

        expect(Status.KEY_EEXISTS, client.call(replace.withCas(cas + 1)));
        expect(Status.SUCCESS, client.call(replace.withCas(cas)));

        assertThat(get().text()).isEqualTo("2");
    }

    @Test
    void delete_leavesATombstone() throws IOException {
        expect(Status.KEY_ENOENT, client.call(Call.of(Opcode.DELETE, KEY)));
        long cas = set("1", 0, 0).cas();
        expect(Status.KEY_EEXISTS, client.call(Call.of(Opcode.DELETE, KEY).withCas(cas + 1)));

        Answer deleted =
                expect(Status.SUCCESS, client.call(Call.of(Opcode.DELETE, KEY).withCas(cas)));

        assertThat(deleted.cas()).isGreaterThan(cas);
        expect(Status.KEY_ENOENT, get());
        Answer meta =
                expect(Status.SUCCESS, client.call(Call.of(Opcode.GET_META, KEY).withExtras(Call.octets(2))));
        assertThat(meta.extras()).hasSize(21).startsWith(0, 0, 0, 1);
    }

    @Test
    void meta_ofLiving_tellsAllButTheBody() throws IOException {
        expect(Status.KEY_ENOENT, client.call(Call.of(Opcode.GET_META, KEY)));
        set("0", 0, 0);
        long cas = set("1", 0x01020304, 100).cas();

        Answer meta =
                expect(Status.SUCCESS, client.call(Call.of(Opcode.GET_META, KEY).withExtras(Call.octets(2))));

        int expiry = (int) clock.instant().getEpochSecond() + 100;
        String revision = "%016x".formatted(2);
        assertThat(meta.cas()).isEqualTo(cas);
        assertThat(HexFormat.of().formatHex(meta.extras()))
                .isEqualTo("00000000" + "01020304" + "%08x".formatted(expiry) + revision + "01");
        assertThat(client.call(Call.of(Opcode.GET_META, KEY)).extras()).hasSize(20);
    }

    @Test
    void meta_ofATombstoneWithSystemAttributes_saysThatItHasAttributes() throws IOException {
        set("1", 0, 0);
        expect(
                Status.SUCCESS,
                client.call(Call.of(Opcode.SUBDOC_DICT_UPSERT, KEY)
                        .withExtras(new byte[] {0, 2, 4}) // a path of two bytes, among the attributes
                        .withValue("_s1")));
        expect(Status.SUCCESS, client.call(Call.of(Opcode.DELETE, KEY)));

        Answer meta =
                expect(Status.SUCCESS, client.call(Call.of(Opcode.GET_META, KEY).withExtras(Call.octets(2))));

        assertThat(meta.extras()).startsWith(0, 0, 0, 1).endsWith(3, 4);
    }

    @Test
    void getk_givesTheKeyBack() throws IOException {
        set("1", 0, 0);

        assertThat(client.call(Call.of(Opcode.GETK, KEY)).key()).isEqualTo(bytes(KEY));
    }

    @Test
    void appendAndPrepend_extendTheBodyAlone() throws IOException {
        expect(Status.NOT_STORED, client.call(Call.of(Opcode.APPEND, KEY).withValue("x")));
        set("[1", 5, 100);

        long cas = expect(
                        Status.SUCCESS, client.call(Call.of(Opcode.APPEND, KEY).withValue("]")))
                .cas();

        assertThat(get().text()).isEqualTo("[1]");
        assertThat(get().datatype()).isEqualTo(Datatypes.JSON);
        assertThat(get().extras()).isEqualTo(Call.numbers(5));
        assertThat(document().expiry()).isNotNull();
        expect(
                Status.KEY_EEXISTS,
                client.call(Call.of(Opcode.PREPEND, KEY).withValue("[").withCas(cas + 1)));
        expect(
                Status.SUCCESS,
                client.call(Call.of(Opcode.PREPEND, KEY).withValue("[").withCas(cas)));
        assertThat(get().text()).isEqualTo("[[1]");
        assertThat(get().datatype()).isEqualTo(Datatypes.RAW);
    }

    @Test
    void expiry_isRelativeUpToThirtyDays() throws IOException {
        int now = (int) clock.instant().getEpochSecond();
        set("1", 0, 2592000);
        assertThat(expiry(document()).getEpochSecond()).isEqualTo(now + 2592000L);
        set("1", 0, now + 7);
        assertThat(expiry(document()).getEpochSecond()).isEqualTo(now + 7L);
        set("1", 0, 0);
        assertThat(document().expiry()).isNull();

        set("1", 0, 2592001);

        expect(Status.KEY_ENOENT, get());
    }

    @Test
    void preservedExpiry_stays() throws IOException {
        set("1", 0, 100);
        expect(Status.SUCCESS, client.call(setCall("2", 0, 0).withFrameExtras(PRESERVE_TTL)));
        long expiry = expiry(document()).getEpochSecond();
        expect(Status.SUCCESS, client.call(setCall("2", 0, 500).withFrameExtras(PRESERVE_TTL)));
        assertThat(expiry(document()).getEpochSecond()).isEqualTo(expiry);

        expect(
                Status.SUCCESS,
                client.call(setCall("2", 0, 500).withKey(bytes("n")).withFrameExtras(PRESERVE_TTL)));

        assertThat(expiry(document("n")).getEpochSecond()).isEqualTo(expiry + 400);
    }

    @Test
    void touch_changesTheExpiryAlone() throws IOException {
        expect(Status.KEY_ENOENT, client.call(Call.of(Opcode.TOUCH, KEY).withExtras(Call.numbers(10))));
        set("1", 3, 0);

        Answer touched =
                expect(Status.SUCCESS, client.call(Call.of(Opcode.TOUCH, KEY).withExtras(Call.numbers(10))));

        assertThat(touched.cas()).isEqualTo(document().cas());
        Answer both =
                expect(Status.SUCCESS, client.call(Call.of(Opcode.GAT, KEY).withExtras(Call.numbers(20))));
        assertThat(both.text()).isEqualTo("1");
        assertThat(both.extras()).isEqualTo(Call.numbers(3));
        assertThat(both.cas()).isEqualTo(document().cas()).isGreaterThan(touched.cas());
        clock.advance(Duration.ofSeconds(19));
        expect(Status.SUCCESS, get());
        clock.advance(Duration.ofSeconds(1));
        expect(Status.KEY_ENOENT, get());
        expect(Status.KEY_ENOENT, client.call(Call.of(Opcode.GAT, KEY).withExtras(Call.numbers(20))));
    }

    @Test
    void quietCommands_areAnsweredWhenSomethingIsUnexpected() throws IOException {
        client.send(Call.of(Opcode.GETQ, "absent"));
        client.send(setCall("1", 0, 0).withKey(bytes("a")).withExtras(Call.numbers(0, 0)));
        Call quiet = new Call(Opcode.SETQ.code(), new byte[0], Call.numbers(0, 0), bytes("b"), bytes("2"), 0, 0, 0);
        client.send(quiet);
        client.send(new Call(Opcode.ADDQ.code(), new byte[0], Call.numbers(0, 0), bytes("b"), bytes("3"), 0, 0, 0));
        client.send(Call.of(Opcode.GETQ, "b"));
        client.send(Call.of(Opcode.DELETEQ, "b"));
        client.send(Call.of(Opcode.DELETEQ, "b"));
        client.send(Call.of(Opcode.NOOP));
        client.flush();

        expect(Status.SUCCESS, client.receive(), Opcode.SET);
        expect(Status.KEY_EEXISTS, client.receive(), Opcode.ADDQ);
        assertThat(expect(Status.SUCCESS, client.receive(), Opcode.GETQ).text()).isEqualTo("2");
        expect(Status.KEY_ENOENT, client.receive(), Opcode.DELETEQ);
        expect(Status.SUCCESS, client.receive(), Opcode.NOOP);
    }

    @Test
    void oversizedValue_isRejectedAndTheConnectionStays() throws IOException {
        byte[] largest = new byte[Limits.MAX_DOCUMENT_BYTES];
        expect(Status.SUCCESS, client.call(setCall("", 0, 0).withValue(largest)));
        assertThat(expect(Status.SUCCESS, get()).value()).hasSize(largest.length);

        expect(Status.E2BIG, client.call(setCall("", 0, 0).withValue(new byte[largest.length + 1])));
        expect(Status.E2BIG, client.call(setCall("", 0, 0).withValue(new byte[largest.length + (4 << 20)])));

        expect(Status.E2BIG, client.call(Call.of(Opcode.APPEND, KEY).withValue("x")));
        expect(Status.SUCCESS, get());
    }

    @Test
    void keys_areUtf8OfAtMost250Bytes() throws IOException {
        for (String good : new String[] {"ä€😀", " ", "\u0001", "x".repeat(250)}) {
            expect(Status.SUCCESS, client.call(setCall("1", 0, 0).withKey(bytes(good))));
            expect(Status.SUCCESS, client.call(Call.of(Opcode.GET, good)));
        }
        for (byte[] bad : new byte[][] {{}, bytes("x".repeat(251)), {(byte) 0xff}, {'a', 0}}) {
            expect(Status.EINVAL, client.call(setCall("1", 0, 0).withKey(bad)));
            expect(Status.EINVAL, client.call(Call.of(Opcode.GET).withKey(bad)));
        }
    }

    static Stream<Call> malformed() {
        return Stream.of(
                Call.of(Opcode.GET, KEY).withValue("x"),
                Call.of(Opcode.GET, KEY).withExtras(Call.numbers(0)),
                Call.of(Opcode.GET, KEY).withDatatype(Datatypes.JSON),
                Call.of(Opcode.GET, KEY).withFrameExtras(0x11, 1),
                Call.of(Opcode.GET, KEY).withFrameExtras(0x13, 1),
                Call.of(Opcode.SET, KEY).withValue("x"),
                setCall("x", 0, 0).withDatatype(Datatypes.SNAPPY),
                setCall("x", 0, 0).withDatatype(Datatypes.XATTR),
                Call.of(Opcode.INCREMENT, KEY).withExtras(Call.numbers(0L)),
                Call.of(Opcode.TOUCH, KEY),
                Call.of(Opcode.APPEND, KEY),
                Call.of(Opcode.DELETE, KEY).withExtras(Call.numbers(0)),
                Call.of(Opcode.NOOP, KEY),
                Call.of(Opcode.GET_META, KEY).withExtras(Call.octets(1, 1)));
    }

    @Test
    void malformedRequests_areInvalidAndTheConnectionStays() throws IOException {
        for (Call call : malformed().toList()) {
            expect(Status.EINVAL, client.call(call));
        }
        expect(Status.UNKNOWN_FRAME_INFO, client.call(setCall("1", 0, 0).withFrameExtras(0x70)));
        expect(Status.NOT_MY_VBUCKET, client.call(Call.of(Opcode.GET, KEY).withVbucket(1024)));
        expect(Status.DURABILITY_INVALID_LEVEL, client.call(setCall("1", 0, 0).withFrameExtras(0x11, 4)));
        expect(
                Status.UNKNOWN_COMMAND,
                client.call(new Call(0xfd, new byte[0], new byte[0], new byte[0], new byte[0], 0, 0, 0)));
        expect(Status.NOT_SUPPORTED, client.call(Call.of(Opcode.FLUSH)));
        expect(Status.KEY_ENOENT, get());
    }

    @ParameterizedTest
    @EnumSource(names = {"GET", "SET", "SUBDOC_MULTI_LOOKUP"})
    void withoutABucket_commandsFail(Opcode opcode) throws IOException {
        try (MemcachedClient none = kit.connect()) {
            none.hello();
            assertThat(none.call(opcode == Opcode.SET ? setCall("1", 0, 0) : Call.of(opcode, KEY))
                            .status())
                    .isIn(Status.EACCESS, Status.NOT_SUPPORTED);
        }
    }

    @Test
    void keysOfCollections_beginWithTheirIds() throws IOException {
        StoreKit.await(store.catalog().createScope(bucket, "s"));
        Keyspace keyspace = new Keyspace(bucket, "s", "c");
        StoreKit.await(store.catalog().createCollection(keyspace));
        try (MemcachedClient other = kit.open(bucket, Feature.COLLECTIONS)) {
            Answer id = expect(
                    Status.SUCCESS, other.call(Call.of(Opcode.GET_COLLECTION_ID).withValue("s.c")));
            byte cid = id.extras()[11];
            byte[] key = {cid, 'k'};
            expect(Status.SUCCESS, other.call(setCall("1", 0, 0).withKey(key)));
            assertThat(StoreKit.await(store.get(new DocumentKey(keyspace, KEY))))
                    .isPresent();
            expect(Status.KEY_ENOENT, other.call(Call.of(Opcode.GET).withKey(new byte[] {0, 'k'})));

            StoreKit.await(store.catalog().dropCollection(keyspace));
            StoreKit.await(store.catalog().createCollection(keyspace));

            Answer unknown = expect(
                    Status.UNKNOWN_COLLECTION, other.call(Call.of(Opcode.GET).withKey(key)));
            assertThat(unknown.text()).contains("manifest_uid");
            expect(Status.EINVAL, other.call(Call.of(Opcode.GET).withKey(new byte[] {0})));
            expect(Status.EINVAL, other.call(Call.of(Opcode.GET).withKey(new byte[] {(byte) 0x80})));
        }
    }
}
