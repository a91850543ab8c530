package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.VBuckets;
import io.millrace.documents.Write;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.client.MemcachedClient.Answer;
import io.millrace.subdocservice.cluster.CollectionsManifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Any document of a bucket. */
abstract class RandomKeyContract extends CommandsContract {

    private static final Call RANDOM = Call.of(Opcode.GET_RANDOM_KEY);

    private void put(String id) throws IOException {
        expect(
                Status.SUCCESS,
                client.call(setCall("{\"id\":\"" + id + "\"}", 7, 0)
                        .withKey(bytes(id))
                        .withVbucket(VBuckets.of(id))));
    }

    @Test
    void emptyBucket_hasNone() throws IOException {
        expect(Status.KEY_ENOENT, client.call(RANDOM));
    }

    @Test
    void everyDocument_comesInTime() throws IOException {
        Set<String> ids = new TreeSet<>(Set.of("a", "b", "c"));
        for (String id : ids) {
            put(id);
        }

        Set<String> found = new TreeSet<>();
        for (int i = 0; i < 200 && !found.equals(ids); i++) {
            Answer answer = expect(Status.SUCCESS, client.call(RANDOM));
            String id = new String(answer.key(), StandardCharsets.UTF_8);
            assertThat(answer.text()).isEqualTo("{\"id\":\"" + id + "\"}");
            assertThat(answer.extras()).containsExactly(0, 0, 0, 7);
            assertThat(answer.cas()).isEqualTo(document(id).cas());
            found.add(id);
        }

        assertThat(found).isEqualTo(ids);
    }

    @Test
    void documentBeforeManyRemovedOnes_isFound() throws IOException {
        put("kept");
        for (int i = 0; i < 100; i++) {
            String id = "removed" + i;
            put(id);
            expect(Status.SUCCESS, client.call(Call.of(Opcode.DELETE, id).withVbucket(VBuckets.of(id))));
        }

        for (int i = 0; i < 20; i++) {
            assertThat(expect(Status.SUCCESS, client.call(RANDOM)).key()).isEqualTo(bytes("kept"));
        }
    }

    @Test
    void collection_hasItsOwnDocumentsAlone() throws IOException {
        put("default");
        Keyspace keyspace = new Keyspace(bucket, "_default", "other");
        StoreKit.await(store.catalog().createCollection(keyspace));
        var info = StoreKit.await(store.catalog().find(bucket)).orElseThrow();
        int collection = CollectionsManifest.id(info, keyspace).orElseThrow();
        Call random = RANDOM.withExtras(Call.numbers(collection));

        try (MemcachedClient other = kit.open(bucket, Feature.COLLECTIONS)) {
            expect(Status.KEY_ENOENT, other.call(random));
            StoreKit.await(store.write(Write.upsert(new DocumentKey(keyspace, "own"), bytes("{}"))));

            Answer answer = expect(Status.SUCCESS, other.call(random));
            assertThat(answer.key()).endsWith(bytes("own")).hasSizeGreaterThan(3);
            expect(Status.UNKNOWN_COLLECTION, other.call(RANDOM.withExtras(Call.numbers(0xfff))));
        }
    }
}
