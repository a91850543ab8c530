package io.millrace.documents;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.millrace.documents.DocumentsException.Code;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What buckets, scopes and collections do, in every {@link DocumentStore}. */
public abstract class CatalogContract {

    private static final byte[] BODY = bytes("{}");

    private DocumentStore store;
    private Catalog catalog;
    private String bucket;

    /** Returns a store that reads this clock; called once per test. */
    protected abstract DocumentStore open(InstantSource clock);

    @BeforeEach
    void openStore() {
        store = open(new StoreKit.Clock());
        catalog = store.catalog();
        bucket = StoreKit.uniqueBucket();
    }

    @Test
    void createBucket_ofNew_hasDefaultCollection() {
        BucketInfo info = await(catalog.createBucket(bucket, 4));

        assertThat(info.name()).isEqualTo(bucket);
        assertThat(info.shards()).isEqualTo(4);
        assertThat(info.has(Keyspace.of(bucket))).isTrue();
        assertThat(await(catalog.find(bucket))).contains(info);
        assertThat(await(catalog.list())).contains(info);
    }

    @Test
    void createBucket_ofExisting_isRefused() {
        await(catalog.createBucket(bucket, 1));

        assertFails(Code.BUCKET_EXISTS, () -> await(catalog.createBucket(bucket, 2)));

        assertThat(await(catalog.find(bucket)).orElseThrow().shards()).isOne();
    }

    @Test
    void createBucket_withBadNameOrShards_isRefused() {
        for (String name : List.of("", "a b", "ä", "a{b}", "x".repeat(101), "a:b")) {
            assertFails(Code.INVALID_NAME, () -> await(catalog.createBucket(name, 1)));
        }
        for (int shards : new int[] {0, -1, 3, 2048}) {
            assertFails(Code.INVALID_SHARDS, () -> await(catalog.createBucket(bucket, shards)));
        }
        assertThat(await(catalog.find(bucket))).isEmpty();
    }

    @Test
    void absentBucket_isNamedByEveryCall() {
        Keyspace keyspace = Keyspace.of(bucket);
        DocumentKey key = new DocumentKey(keyspace, "k");

        assertThat(await(catalog.find(bucket))).isEmpty();
        assertFails(Code.BUCKET_NOT_FOUND, () -> await(store.get(key)));
        assertFails(Code.BUCKET_NOT_FOUND, () -> await(store.getWithTombstone(key)));
        assertFails(Code.BUCKET_NOT_FOUND, () -> await(store.write(Write.upsert(key, BODY))));
        assertFails(Code.BUCKET_NOT_FOUND, () -> await(store.count(keyspace)));
        assertFails(Code.BUCKET_NOT_FOUND, () -> await(store.highSeqno(bucket, 0)));
        assertFails(Code.BUCKET_NOT_FOUND, () -> await(store.backlog(bucket, 0, 0)));
        assertFails(Code.BUCKET_NOT_FOUND, () -> await(store.expireDue(bucket, 1)));
        assertFails(
                Code.BUCKET_NOT_FOUND, () -> await(store.changes(bucket, 0, 0).next(1)));
        assertFails(Code.BUCKET_NOT_FOUND, () -> await(catalog.dropBucket(bucket)));
        assertFails(Code.BUCKET_NOT_FOUND, () -> await(catalog.createScope(bucket, "s")));
    }

    @Test
    void absentScopeOrCollection_isNamedByEveryCall() {
        await(catalog.createBucket(bucket, 1));
        DocumentKey noScope = new DocumentKey(new Keyspace(bucket, "s", "c"), "k");
        assertFails(Code.SCOPE_NOT_FOUND, () -> await(store.get(noScope)));
        assertFails(Code.SCOPE_NOT_FOUND, () -> await(catalog.createCollection(noScope.keyspace())));
        assertFails(Code.SCOPE_NOT_FOUND, () -> await(catalog.dropCollection(noScope.keyspace())));
        assertFails(Code.SCOPE_NOT_FOUND, () -> await(catalog.dropScope(bucket, "s")));

        await(catalog.createScope(bucket, "s"));

        assertFails(Code.COLLECTION_NOT_FOUND, () -> await(store.get(noScope)));
        assertFails(Code.COLLECTION_NOT_FOUND, () -> await(store.write(Write.upsert(noScope, BODY))));
        assertFails(Code.COLLECTION_NOT_FOUND, () -> await(store.count(noScope.keyspace())));
        assertFails(Code.COLLECTION_NOT_FOUND, () -> await(catalog.dropCollection(noScope.keyspace())));
    }

    @Test
    void scopesAndCollections_areListedInOrderOfCreation() {
        await(catalog.createBucket(bucket, 1));
        await(catalog.createScope(bucket, "z"));
        await(catalog.createScope(bucket, "a"));
        await(catalog.createCollection(new Keyspace(bucket, "z", "two")));

        BucketInfo info = await(catalog.createCollection(new Keyspace(bucket, "z", "one")));

        assertThat(info.scopes().keySet()).containsExactly("_default", "z", "a");
        assertThat(info.scopes().get("z")).containsExactly("two", "one");
        assertThat(await(catalog.find(bucket))).contains(info);
        assertFails(Code.SCOPE_EXISTS, () -> await(catalog.createScope(bucket, "z")));
        assertFails(Code.COLLECTION_EXISTS, () -> await(catalog.createCollection(new Keyspace(bucket, "z", "one"))));
    }

    @Test
    void defaultScopeAndCollection_stay() {
        await(catalog.createBucket(bucket, 1));

        assertFails(Code.INVALID_NAME, () -> await(catalog.dropScope(bucket, "_default")));
        assertFails(Code.INVALID_NAME, () -> await(catalog.dropCollection(Keyspace.of(bucket))));
        for (String name : List.of("", "_x", "%x", "a b", "x".repeat(252))) {
            assertFails(Code.INVALID_NAME, () -> await(catalog.createScope(bucket, name)));
            assertFails(
                    Code.INVALID_NAME, () -> await(catalog.createCollection(new Keyspace(bucket, "_default", name))));
        }
    }

    @Test
    void collections_areApart() {
        Keyspace other = collection("s", "c");

        put(Keyspace.of(bucket), "k");

        assertThat(await(store.get(new DocumentKey(other, "k")))).isEmpty();
        assertThat(await(store.count(other))).isZero();
        put(other, "k");
        await(store.write(Write.remove(new DocumentKey(Keyspace.of(bucket), "k"))));
        assertThat(await(store.get(new DocumentKey(other, "k")))).isPresent();
        assertThat(await(store.count(other))).isOne();
        assertThat(await(store.count(Keyspace.of(bucket)))).isZero();
    }

    @Test
    void dropCollection_forgetsItsDocumentsAlone() {
        Keyspace gone = collection("s", "gone");
        put(gone, "k");
        put(Keyspace.of(bucket), "k");

        BucketInfo info = await(catalog.dropCollection(gone));

        assertThat(info.has(gone)).isFalse();
        assertFails(Code.COLLECTION_NOT_FOUND, () -> await(store.get(new DocumentKey(gone, "k"))));
        assertThat(await(store.get(new DocumentKey(Keyspace.of(bucket), "k")))).isPresent();
        assertThat(await(store.backlog(bucket, 0, 0))).isOne();
        await(catalog.createCollection(gone));
        assertThat(await(store.get(new DocumentKey(gone, "k")))).isEmpty();
        assertThat(await(store.count(gone))).isZero();
    }

    @Test
    void collectionNumbers_areNeverUsedAgain() {
        Keyspace name = collection("s", "c");
        BucketInfo first = await(catalog.find(bucket)).orElseThrow();
        int number = first.collectionNumber(name).orElseThrow();
        assertThat(first.collection(number)).contains(name);

        BucketInfo without = await(catalog.dropCollection(name));
        BucketInfo second = await(catalog.createCollection(name));

        assertThat(without.collectionNumber(name)).isEmpty();
        assertThat(without.collection(number)).isEmpty();
        assertThat(second.collectionNumber(name).orElseThrow()).isNotEqualTo(number);
        assertThat(new long[] {first.manifest(), without.manifest(), second.manifest()})
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void vbucketUuid_isOfAVbucketAndAnIncarnation() {
        BucketInfo before = await(catalog.createBucket(bucket, 1));
        await(catalog.dropBucket(bucket));
        BucketInfo after = await(catalog.createBucket(bucket, 1));

        assertThat(before.vbucketUuid(7))
                .isEqualTo(before.vbucketUuid(7))
                .isNotEqualTo(before.vbucketUuid(8))
                .isNotEqualTo(after.vbucketUuid(7));
    }

    @Test
    void dropScope_forgetsItsCollections() {
        Keyspace one = collection("s", "one");
        Keyspace two = new Keyspace(bucket, "s", "two");
        await(catalog.createCollection(two));
        put(one, "k");
        put(two, "k");

        await(catalog.dropScope(bucket, "s"));

        assertFails(Code.SCOPE_NOT_FOUND, () -> await(store.get(new DocumentKey(one, "k"))));
        assertThat(await(store.backlog(bucket, 0, 0))).isZero();
    }

    @Test
    void dropBucket_forgetsItsDocuments() {
        await(catalog.createBucket(bucket, 1));
        put(Keyspace.of(bucket), "k");

        await(catalog.dropBucket(bucket));

        assertThat(await(catalog.find(bucket))).isEmpty();
        assertThat(await(catalog.list())).noneMatch(info -> info.name().equals(bucket));
        assertFails(Code.BUCKET_NOT_FOUND, () -> put(Keyspace.of(bucket), "k"));
    }

    @Test
    void bucket_createdAgain_isEmptyAndLaterInOrder() {
        await(catalog.createBucket(bucket, 2));
        long before = put(Keyspace.of(bucket), "k");
        await(catalog.dropBucket(bucket));

        BucketInfo again = await(catalog.createBucket(bucket, 1));

        assertThat(again.incarnation()).isPositive();
        assertThat(await(store.get(new DocumentKey(Keyspace.of(bucket), "k")))).isEmpty();
        assertThat(await(store.count(Keyspace.of(bucket)))).isZero();
        assertThat(await(store.backlog(bucket, 0, 0))).isZero();
        assertThat(put(Keyspace.of(bucket), "k")).isGreaterThan(before);
    }

    private Keyspace collection(String scope, String collection) {
        await(catalog.createBucket(bucket, 1));
        await(catalog.createScope(bucket, scope));
        Keyspace keyspace = new Keyspace(bucket, scope, collection);
        await(catalog.createCollection(keyspace));
        return keyspace;
    }

    private long put(Keyspace keyspace, String id) {
        WriteResult result = await(store.write(Write.upsert(new DocumentKey(keyspace, id), BODY)));
        return ((WriteResult.Written) result).seqno();
    }

    @Test
    void manifest_growsWithEachScope() {
        long before = await(catalog.createBucket(bucket, 1)).manifest();

        long with = await(catalog.createScope(bucket, "s")).manifest();
        long without = await(catalog.dropScope(bucket, "s")).manifest();

        assertThat(new long[] {before, with, without}).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void settings_areForgottenWithTheirBucket() {
        await(catalog.createBucket(bucket, 1));

        await(catalog.putSettings(bucket, Map.of("flushEnabled", "true")));
        await(catalog.createScope(bucket, "s"));

        assertThat(await(catalog.find(bucket)).orElseThrow().settings()).containsExactly(entry("flushEnabled", "true"));
        await(catalog.dropBucket(bucket));
        assertThat(await(catalog.createBucket(bucket, 1)).settings()).isEmpty();
    }

    @Test
    void flushBucket_forgetsDocumentsAlone() {
        await(catalog.createBucket(bucket, 2));
        await(catalog.createScope(bucket, "s"));
        Keyspace other = new Keyspace(bucket, "s", "c");
        await(catalog.createCollection(other));
        await(catalog.putSettings(bucket, Map.of("a", "b")));
        await(catalog.createIndex(other, "i", "{}"));
        DocumentKey first = new DocumentKey(Keyspace.of(bucket), "k");
        DocumentKey second = new DocumentKey(other, "k");
        await(store.write(Write.upsert(first, BODY)));
        long before = cas(await(store.write(Write.upsert(second, BODY))));

        Map<Keyspace, Integer> numbers =
                await(catalog.find(bucket)).orElseThrow().collectionNumbers();
        BucketInfo flushed = await(catalog.flushBucket(bucket));

        assertThat(flushed.collectionNumbers()).hasSameSizeAs(numbers);
        assertThat(flushed.collectionNumbers().values()).doesNotContainAnyElementsOf(numbers.values());
        assertThat(flushed.scopes()).isEqualTo(Map.of("_default", List.of("_default"), "s", List.of("c")));
        assertThat(flushed.settings()).containsExactly(entry("a", "b"));
        assertThat(flushed.indexes().get(other)).containsExactly(entry("i", "{}"));
        assertThat(await(store.getWithTombstone(first))).isEmpty();
        assertThat(await(store.getWithTombstone(second))).isEmpty();
        assertThat(await(store.count(other))).isZero();
        assertThat(await(store.ids(other, IdRange.ALL, 10))).isEmpty();
        assertThat(cas(await(store.write(Write.upsert(second, BODY))))).isGreaterThan(before);
        assertThat(await(store.count(other))).isOne();
    }

    private static long cas(WriteResult result) {
        return ((WriteResult.Written) result).cas();
    }

    private static void assertFails(Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        DocumentsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void index_isKnownUntilItIsDropped() {
        Keyspace keyspace = Keyspace.of(bucket);
        await(catalog.createBucket(bucket, 1));

        assertThat(await(catalog.createIndex(keyspace, "i", "{}"))).isTrue();
        assertThat(await(catalog.createIndex(keyspace, "i", "{\"other\":1}"))).isFalse();
        assertThat(await(catalog.find(bucket)).orElseThrow().indexes())
                .containsOnly(entry(keyspace, Map.of("i", "{}")));

        assertThat(await(catalog.dropIndex(keyspace, "i"))).isTrue();
        assertThat(await(catalog.dropIndex(keyspace, "i"))).isFalse();
        assertThat(await(catalog.find(bucket)).orElseThrow().indexes()).isEmpty();
    }

    @Test
    void index_isForgottenWithItsCollection() {
        Keyspace keyspace = new Keyspace(bucket, Keyspace.DEFAULT, "c");
        await(catalog.createBucket(bucket, 1));
        await(catalog.createCollection(keyspace));
        await(catalog.createIndex(keyspace, "i", "{}"));

        await(catalog.dropCollection(keyspace));
        await(catalog.createCollection(keyspace));

        assertThat(await(catalog.find(bucket)).orElseThrow().indexes()).isEmpty();
    }
}
