package io.millrace.subdocservice.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.couchbase.client.core.error.BucketExistsException;
import com.couchbase.client.core.error.BucketNotFlushableException;
import com.couchbase.client.core.error.BucketNotFoundException;
import com.couchbase.client.core.error.CollectionExistsException;
import com.couchbase.client.core.error.CollectionNotFoundException;
import com.couchbase.client.core.error.ScopeExistsException;
import com.couchbase.client.core.error.ScopeNotFoundException;
import com.couchbase.client.java.Bucket;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.manager.bucket.BucketManager;
import com.couchbase.client.java.manager.bucket.BucketSettings;
import com.couchbase.client.java.manager.bucket.EvictionPolicyType;
import com.couchbase.client.java.manager.collection.CollectionManager;
import com.couchbase.client.java.manager.collection.CreateCollectionSettings;
import com.couchbase.client.java.manager.collection.ScopeSpec;
import io.millrace.documents.StoreKit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The published SDK sets up and removes what it works with. */
class SdkManagementIT {

    private final SdkKit kit = SdkKit.shared();
    private final BucketManager buckets = kit.cluster.buckets();

    @Test
    void bucket_isCreatedChangedAndDropped() {
        String name = StoreKit.uniqueBucket();

        buckets.createBucket(BucketSettings.create(name)
                .ramQuotaMB(256)
                .evictionPolicy(EvictionPolicyType.VALUE_ONLY)
                .numReplicas(1));

        BucketSettings created = buckets.getBucket(name);
        assertThat(created.ramQuotaMB()).isEqualTo(256);
        assertThat(created.evictionPolicy()).isEqualTo(EvictionPolicyType.VALUE_ONLY);
        assertThat(created.numReplicas()).isOne();
        assertThat(created.flushEnabled()).isFalse();
        assertThat(buckets.getAllBuckets()).containsKeys(name, kit.bucket.name());
        assertThatThrownBy(() -> buckets.createBucket(BucketSettings.create(name)))
                .isInstanceOf(BucketExistsException.class);
        buckets.updateBucket(created.flushEnabled(true).ramQuotaMB(300));
        assertThat(buckets.getBucket(name).flushEnabled()).isTrue();
        assertThat(buckets.getBucket(name).ramQuotaMB()).isEqualTo(300);
        buckets.dropBucket(name);
        assertThatThrownBy(() -> buckets.getBucket(name)).isInstanceOf(BucketNotFoundException.class);
        assertThatThrownBy(() -> buckets.dropBucket(name)).isInstanceOf(BucketNotFoundException.class);
        assertThatThrownBy(() -> buckets.flushBucket(name)).isInstanceOf(BucketNotFoundException.class);
        assertThatThrownBy(() -> buckets.updateBucket(BucketSettings.create(name)))
                .isInstanceOf(BucketNotFoundException.class);
    }

    @Test
    void bucket_isFlushedIfThatIsEnabled() {
        String name = StoreKit.uniqueBucket();
        buckets.createBucket(BucketSettings.create(name));
        Bucket bucket = kit.cluster.bucket(name);
        bucket.waitUntilReady(Duration.ofSeconds(60));
        bucket.defaultCollection().upsert("k", JsonObject.create());

        assertThatThrownBy(() -> buckets.flushBucket(name)).isInstanceOf(BucketNotFlushableException.class);
        assertThat(bucket.defaultCollection().exists("k").exists()).isTrue();
        buckets.updateBucket(buckets.getBucket(name).flushEnabled(true));
        buckets.flushBucket(name);

        assertThat(bucket.defaultCollection().exists("k").exists()).isFalse();
        buckets.dropBucket(name);
    }

    @Test
    void whatMillraceDoesNotHave_isRefusedInWords() {
        String name = StoreKit.uniqueBucket();

        assertThatThrownBy(
                        () -> buckets.createBucket(BucketSettings.create(name).maxExpiry(Duration.ofHours(1))))
                .hasMessageContaining("maxTTL is not supported");
        assertThatThrownBy(() -> buckets.getBucket(name)).isInstanceOf(BucketNotFoundException.class);
        assertThatThrownBy(() -> kit.cluster.users().getAllGroups())
                .hasMessageContaining("Millrace does not serve GET /settings/rbac/groups");
    }

    @Test
    void collections_areCreatedUsedAndDropped() {
        CollectionManager collections = kit.bucket.collections();

        collections.createScope("made");
        collections.createCollection("made", "here");

        assertThat(collections.getAllScopes())
                .filteredOn(scope -> scope.name().equals("made"))
                .flatExtracting(ScopeSpec::collections)
                .extracting(spec -> spec.name())
                .containsExactly("here");
        Collection made = kit.bucket.scope("made").collection("here");
        made.upsert("k", JsonObject.create().put("n", 1));
        assertThat(made.get("k").contentAsObject().getInt("n")).isEqualTo(1);
        assertThatThrownBy(() -> collections.createScope("made")).isInstanceOf(ScopeExistsException.class);
        assertThatThrownBy(() -> collections.createCollection("made", "here"))
                .isInstanceOf(CollectionExistsException.class);
        assertThatThrownBy(() -> collections.createCollection("absent", "here"))
                .isInstanceOf(ScopeNotFoundException.class);
        assertThatThrownBy(() -> collections.createCollection(
                        "made",
                        "short",
                        CreateCollectionSettings.createCollectionSettings().maxExpiry(Duration.ofHours(1))))
                .hasMessageContaining("maxTTL is not supported");
        collections.dropCollection("made", "here");
        assertThatThrownBy(() -> collections.dropCollection("made", "here"))
                .isInstanceOf(CollectionNotFoundException.class);
        collections.dropScope("made");
        assertThatThrownBy(() -> collections.dropScope("made")).isInstanceOf(ScopeNotFoundException.class);
        await().untilAsserted(() -> assertThat(collections.getAllScopes())
                .extracting(ScopeSpec::name)
                .doesNotContain("made"));
    }
}
