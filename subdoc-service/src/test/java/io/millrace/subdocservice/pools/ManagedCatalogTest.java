package io.millrace.subdocservice.pools;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Role;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.metakv.MetakvClient;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What statements get to know of the service. */
class ManagedCatalogTest {

    private final MemoryDocumentStore store = new MemoryDocumentStore(Clock.systemUTC());

    @Test
    void users_haveTheirRolesAndNoKeys() {
        try (UserDirectory users = new UserDirectory(MetakvClient.inMemory(), Clock.systemUTC())) {
            users.change("ann", before -> new User("ann", "Ann Lee", Role.parseAll("data_reader[t]"), Map.of()))
                    .block();

            assertThat(new ManagedCatalog(users, new BucketManagement(store)).users())
                    .containsExactly(new StatementRights.User(
                            "local",
                            "ann",
                            "Ann Lee",
                            List.of(new StatementRights.Role(
                                    "data_reader",
                                    Map.of("bucket_name", "t", "scope_name", "*", "collection_name", "*")))));
        }
    }

    @Test
    void bucket_hasItsSettingsAndCountAndNothingOfTheCluster() {
        StoreKit.await(store.catalog().createBucket("t", 1));
        StoreKit.await(store.catalog().putSettings("t", Map.of(BucketForm.QUOTA, "200")));
        StoreKit.await(store.write(Write.upsert(new DocumentKey(Keyspace.of("t"), "a"), StoreKit.bytes("1"))));
        BucketManagement buckets = new BucketManagement(store);

        JsonNode json =
                JsonMapper.shared().readTree(buckets.settings("t").join().orElseThrow());

        assertThat(json.get("name").asString()).isEqualTo("t");
        assertThat(json.at("/quota/ram").asLong()).isEqualTo(200L << 20);
        assertThat(json.at("/basicStats/itemCount").asLong()).isEqualTo(1);
        assertThat(json.get("numVBuckets").asInt()).isEqualTo(1024);
        assertThat(json.has("nodes") || json.has("nodesExt") || json.has("vBucketServerMap"))
                .isFalse();
        assertThat(buckets.settings("absent").join()).isEmpty();
    }
}
