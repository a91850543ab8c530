package io.millrace.subdocservice.sdk;

import static com.couchbase.client.java.kv.GetOptions.getOptions;
import static com.couchbase.client.java.kv.LookupInOptions.lookupInOptions;
import static com.couchbase.client.java.kv.LookupInSpec.count;
import static com.couchbase.client.java.kv.LookupInSpec.exists;
import static com.couchbase.client.java.kv.LookupInSpec.get;
import static com.couchbase.client.java.kv.MutateInOptions.mutateInOptions;
import static com.couchbase.client.java.kv.MutateInSpec.arrayAddUnique;
import static com.couchbase.client.java.kv.MutateInSpec.arrayAppend;
import static com.couchbase.client.java.kv.MutateInSpec.arrayInsert;
import static com.couchbase.client.java.kv.MutateInSpec.arrayPrepend;
import static com.couchbase.client.java.kv.MutateInSpec.decrement;
import static com.couchbase.client.java.kv.MutateInSpec.increment;
import static com.couchbase.client.java.kv.MutateInSpec.insert;
import static com.couchbase.client.java.kv.MutateInSpec.remove;
import static com.couchbase.client.java.kv.MutateInSpec.replace;
import static com.couchbase.client.java.kv.MutateInSpec.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.couchbase.client.core.error.CasMismatchException;
import com.couchbase.client.core.error.CouchbaseException;
import com.couchbase.client.core.error.DocumentExistsException;
import com.couchbase.client.core.error.DocumentNotFoundException;
import com.couchbase.client.core.error.InvalidArgumentException;
import com.couchbase.client.core.error.subdoc.DeltaInvalidException;
import com.couchbase.client.core.error.subdoc.DocumentNotJsonException;
import com.couchbase.client.core.error.subdoc.DocumentTooDeepException;
import com.couchbase.client.core.error.subdoc.NumberTooBigException;
import com.couchbase.client.core.error.subdoc.PathExistsException;
import com.couchbase.client.core.error.subdoc.PathInvalidException;
import com.couchbase.client.core.error.subdoc.PathMismatchException;
import com.couchbase.client.core.error.subdoc.PathNotFoundException;
import com.couchbase.client.core.error.subdoc.PathTooDeepException;
import com.couchbase.client.core.error.subdoc.ValueInvalidException;
import com.couchbase.client.core.error.subdoc.XattrUnknownVirtualAttributeException;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.codec.RawBinaryTranscoder;
import com.couchbase.client.java.codec.RawJsonTranscoder;
import com.couchbase.client.java.json.JsonArray;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.kv.GetResult;
import com.couchbase.client.java.kv.LookupInMacro;
import com.couchbase.client.java.kv.LookupInResult;
import com.couchbase.client.java.kv.LookupInSpec;
import com.couchbase.client.java.kv.MutateInMacro;
import com.couchbase.client.java.kv.MutateInResult;
import com.couchbase.client.java.kv.MutateInSpec;
import com.couchbase.client.java.kv.StoreSemantics;
import com.couchbase.client.java.kv.UpsertOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;

/** Parts of documents through the SDK. */
class SdkSubDocumentsIT {

    private static final String BEGINNING =
            "{\"o\":{\"a\":1},\"l\":[1,2],\"n\":5,\"s\":\"text\",\"big\":99999999999999999999}";

    private final SdkKit kit = SdkKit.shared();
    private final Collection documents = kit.bucket.defaultCollection();
    private final String id = UUID.randomUUID().toString();

    @BeforeEach
    void store() {
        put(BEGINNING);
    }

    private void put(String json) {
        documents.upsert(
                id,
                json.getBytes(StandardCharsets.UTF_8),
                UpsertOptions.upsertOptions().transcoder(RawJsonTranscoder.INSTANCE));
    }

    private String text() {
        GetResult found = documents.get(id, getOptions().transcoder(RawJsonTranscoder.INSTANCE));
        return new String(found.contentAsBytes(), StandardCharsets.UTF_8);
    }

    private MutateInResult mutate(MutateInSpec... specs) {
        return documents.mutateIn(id, List.of(specs));
    }

    private LookupInResult look(LookupInSpec... specs) {
        return documents.lookupIn(id, List.of(specs));
    }

    @Test
    void lookupIn_hasEverySpec() {
        LookupInResult found =
                look(get("o.a"), exists("l[1]"), count("l"), get(""), exists("nope"), get("l[-1]"), get("nope"));

        assertThat(found.contentAs(0, Integer.class)).isEqualTo(1);
        assertThat(found.exists(1)).isTrue();
        assertThat(found.contentAs(2, Integer.class)).isEqualTo(2);
        assertThat(found.contentAsObject(3).getString("s")).isEqualTo("text");
        assertThat(found.exists(4)).isFalse();
        assertThat(found.contentAs(5, Integer.class)).isEqualTo(2);
        assertThatThrownBy(() -> found.contentAs(6, Integer.class)).isInstanceOf(PathNotFoundException.class);
        assertThat(found.cas()).isEqualTo(documents.get(id).cas());
    }

    @Test
    void mutateIn_hasEverySpec() {
        MutateInResult done = mutate(
                upsert("o.b", "x"),
                insert("new", true),
                replace("s", "other"),
                remove("big"),
                arrayAppend("l", List.of(3, 4)),
                arrayPrepend("l", List.of(0)),
                arrayInsert("l[1]", List.of(9)),
                arrayAddUnique("l", 7),
                increment("n", 3),
                decrement("n", 10),
                upsert("deep.er", 1).createPath());

        assertThat(text())
                .isEqualTo("{\"o\":{\"a\":1,\"b\":\"x\"},\"l\":[0,9,1,2,3,4,7],\"n\":-2,\"s\":\"other\",\"new\":true,"
                        + "\"deep\":{\"er\":1}}");
        assertThat(done.contentAs(8, Long.class)).isEqualTo(8);
        assertThat(done.contentAs(9, Long.class)).isEqualTo(-2);
        assertThat(done.mutationToken()).isPresent();
        assertThat(done.cas()).isEqualTo(documents.get(id).cas());
    }

    static Stream<Arguments> refusals() {
        String deep = "a" + ".a".repeat(31);
        return Stream.of(
                Arguments.of(PathExistsException.class, insert("s", 1)),
                Arguments.of(PathNotFoundException.class, replace("nope", 1)),
                Arguments.of(PathNotFoundException.class, upsert("x.y", 1)),
                Arguments.of(PathMismatchException.class, upsert("s.y", 1)),
                Arguments.of(PathMismatchException.class, increment("s", 1)),
                Arguments.of(PathInvalidException.class, upsert("a..b", 1)),
                Arguments.of(PathTooDeepException.class, upsert(deep, 1).createPath()),
                Arguments.of(PathExistsException.class, arrayAddUnique("l", 2)),
                Arguments.of(NumberTooBigException.class, increment("big", 1)),
                Arguments.of(ValueInvalidException.class, increment("n", Long.MAX_VALUE)),
                Arguments.of(PathNotFoundException.class, arrayInsert("l[7]", List.of(1))));
    }

    @ParameterizedTest
    @MethodSource
    void refusals(Class<? extends Throwable> error, MutateInSpec spec) {
        assertThatThrownBy(() -> mutate(upsert("first", 1), spec)).isInstanceOf(error);
        assertThat(text()).isEqualTo(BEGINNING);
    }

    @Test
    void mutateIn_onADocumentThatIsNotJson_fails() {
        documents.upsert(id, new byte[] {1, 2}, UpsertOptions.upsertOptions().transcoder(RawBinaryTranscoder.INSTANCE));
        assertThatThrownBy(() -> mutate(upsert("a", 1))).isInstanceOf(DocumentNotJsonException.class);
        put("[".repeat(40) + "]".repeat(40));
        LookupInResult found = look(get("[0]"), get("$nope").xattr());
        assertThatThrownBy(() -> found.contentAs(0, Object.class)).isInstanceOf(DocumentTooDeepException.class);
        assertThatThrownBy(() -> found.contentAs(1, Object.class))
                .isInstanceOf(XattrUnknownVirtualAttributeException.class);
    }

    @Test
    void delta_ofZero_isRefused() {
        assertThatThrownBy(() -> mutate(increment("n", 0)))
                .isInstanceOfAny(DeltaInvalidException.class, InvalidArgumentException.class);
    }

    @Test
    void missingDocument_isCreatedOnRequest() {
        String fresh = id + "-fresh";
        assertThatThrownBy(() -> documents.lookupIn(fresh, List.of(get("a"))))
                .isInstanceOf(DocumentNotFoundException.class);
        assertThatThrownBy(() -> documents.mutateIn(fresh, List.of(upsert("a", 1))))
                .isInstanceOf(DocumentNotFoundException.class);

        documents.mutateIn(fresh, List.of(upsert("a.b", 1)), mutateInOptions().storeSemantics(StoreSemantics.UPSERT));

        assertThat(documents.get(fresh).contentAsObject().toString()).isEqualTo("{\"a\":{\"b\":1}}");
        assertThatThrownBy(() -> documents.mutateIn(
                        fresh, List.of(insert("c", 1)), mutateInOptions().storeSemantics(StoreSemantics.INSERT)))
                .isInstanceOf(DocumentExistsException.class);
    }

    @Test
    void cas_rejectsStaleWriters() {
        long cas = documents.get(id).cas();
        documents.mutateIn(id, List.of(upsert("a", 1)), mutateInOptions().cas(cas));
        assertThatThrownBy(() -> documents.mutateIn(
                        id, List.of(upsert("a", 2)), mutateInOptions().cas(cas)))
                .isInstanceOf(CasMismatchException.class);
    }

    @Test
    void expiry_isClearedUnlessPreserved() {
        documents.touch(id, Duration.ofHours(1));
        mutate(upsert("a", 1));
        assertThat(expiry()).isNull();
        documents.mutateIn(id, List.of(upsert("a", 2)), mutateInOptions().expiry(Duration.ofHours(3)));
        Instant set = expiry();
        assertThat(set).isAfter(Instant.now().plusSeconds(2 * 3600));
        documents.mutateIn(id, List.of(upsert("a", 3)), mutateInOptions().preserveExpiry(true));
        assertThat(expiry()).isEqualTo(set);
    }

    private @Nullable Instant expiry() {
        return documents.get(id, getOptions().withExpiry(true)).expiryTime().orElse(null);
    }

    @Test
    void sixteenSpecs_areAccepted_andSeventeenAreNot() {
        List<LookupInSpec> sixteen = Collections.nCopies(16, get("n"));
        assertThat(documents.lookupIn(id, sixteen).contentAs(15, Integer.class)).isEqualTo(5);
        assertThatThrownBy(() -> documents.lookupIn(id, Collections.nCopies(17, get("n"))))
                .isInstanceOf(InvalidArgumentException.class);
        List<MutateInSpec> many = IntStream.range(0, 16)
                .mapToObj(n -> (MutateInSpec) upsert("k" + n, n))
                .toList();
        documents.mutateIn(id, many);
        assertThat(look(get("k15")).contentAs(0, Integer.class)).isEqualTo(15);
        assertThatThrownBy(() -> documents.mutateIn(id, Collections.nCopies(17, upsert("n", 1))))
                .isInstanceOf(InvalidArgumentException.class);
    }

    @Test
    void xattrs_areSeparateFromTheBody() {
        MutateInResult done = mutate(
                upsert("meta.cas", MutateInMacro.CAS).xattr().createPath(),
                upsert("meta.seqno", MutateInMacro.SEQ_NO).xattr(),
                upsert("meta.crc", MutateInMacro.VALUE_CRC_32C).xattr(),
                upsert("meta.plain", JsonArray.from(1, "two")).xattr(),
                upsert("n", 6));

        LookupInResult found = look(
                get("meta.cas").xattr(),
                get("meta.seqno").xattr(),
                get("meta.plain").xattr(),
                get("n"),
                get(LookupInMacro.CAS).xattr(),
                get(LookupInMacro.DOCUMENT).xattr());
        assertThat(Long.reverseBytes(hex(found.contentAs(0, String.class)))).isEqualTo(done.cas());
        assertThat(hex(found.contentAs(1, String.class)))
                .isEqualTo(done.mutationToken().orElseThrow().sequenceNumber());
        assertThat(found.contentAsArray(2)).isEqualTo(JsonArray.from(1, "two"));
        assertThat(found.contentAs(3, Integer.class)).isEqualTo(6);
        assertThat(hex(found.contentAs(4, String.class))).isEqualTo(done.cas());
        JsonObject document = found.contentAsObject(5);
        assertThat(document.getBoolean("deleted")).isFalse();
        assertThat(document.getInt("value_bytes")).isEqualTo(text().length());
        documents.upsert(id, JsonObject.create());
        assertThat(look(exists("meta").xattr()).exists(0)).isTrue();
    }

    private static long hex(String number) {
        return Long.parseUnsignedLong(number.substring("0x".length()), 16);
    }

    @Test
    void tombstones_areReadAndWrittenWithAccessDeleted() {
        mutate(upsert("_sync.a", 1).xattr().createPath(), upsert("user", 1).xattr());
        documents.remove(id);

        assertThatThrownBy(() -> look(get("_sync.a").xattr())).isInstanceOf(DocumentNotFoundException.class);
        LookupInResult found = documents.lookupIn(
                id,
                List.of(
                        get("_sync.a").xattr(),
                        get("user").xattr(),
                        get("$document.deleted").xattr()),
                lookupInOptions().accessDeleted(true));
        assertThat(found.isDeleted()).isTrue();
        assertThat(found.contentAs(0, Integer.class)).isEqualTo(1);
        assertThat(found.exists(1)).isFalse();
        assertThat(found.contentAs(2, Boolean.class)).isTrue();
        documents.mutateIn(
                id, List.of(upsert("_sync.a", 2).xattr()), mutateInOptions().accessDeleted(true));
        documents.mutateIn(
                id,
                List.of(upsert("_sync.b", 3).xattr()),
                mutateInOptions().storeSemantics(StoreSemantics.REVIVE).accessDeleted(true));
        assertThat(documents.exists(id).exists()).isTrue();
        assertThat(look(get("_sync").xattr()).contentAsObject(0).toString()).isEqualTo("{\"a\":2,\"b\":3}");
    }

    @Test
    void document_canBeCreatedAsATombstone() {
        String fresh = id + "-tombstone";
        documents.mutateIn(
                fresh,
                List.of(upsert("_txn.state", "staged").xattr().createPath()),
                mutateInOptions()
                        .storeSemantics(StoreSemantics.INSERT)
                        .accessDeleted(true)
                        .createAsDeleted(true));

        assertThat(documents.exists(fresh).exists()).isFalse();
        LookupInResult found = documents.lookupIn(
                fresh, List.of(get("_txn.state").xattr()), lookupInOptions().accessDeleted(true));
        assertThat(found.contentAs(0, String.class)).isEqualTo("staged");
    }

    @Test
    void wholeBody_isReplacedOrRemovedTogetherWithAttributes() {
        mutate(upsert("meta", 1).xattr(), replace("", JsonObject.create().put("whole", 1)));
        assertThat(text()).isEqualTo("{\"whole\":1}");
        mutate(upsert("meta", 2).xattr(), remove(""));
        assertThat(documents.exists(id).exists()).isFalse();
    }

    @Test
    void attributesAlone_leaveTheBodyAlone() {
        mutate(upsert("meta", 1).xattr());
        assertThat(text()).isEqualTo(BEGINNING);
        assertThatThrownBy(() -> mutate(upsert("$document.CAS", 1).xattr()))
                .isInstanceOf(CouchbaseException.class)
                .hasMessageContaining("SUBDOC_XATTR_CANT_MODIFY_VATTR");
        assertThatThrownBy(() -> mutate(upsert("a-name-that-is-too-long", 1).xattr()))
                .isInstanceOf(CouchbaseException.class);
    }

    @Test
    void concurrentMutations_areAllThere() {
        put("{\"n\":0,\"l\":[]}");

        Flux.range(0, 200)
                .flatMap(
                        n -> documents
                                .reactive()
                                .mutateIn(id, Arrays.asList(increment("n", 1), arrayAppend("l", List.of(n)))),
                        200)
                .blockLast(Duration.ofSeconds(60));

        LookupInResult found = look(get("n"), get("l"));
        assertThat(found.contentAs(0, Integer.class)).isEqualTo(200);
        assertThat(found.contentAsArray(1).toList()).hasSize(200).doesNotHaveDuplicates();
    }
}
