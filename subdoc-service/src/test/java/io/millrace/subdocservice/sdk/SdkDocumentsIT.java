package io.millrace.subdocservice.sdk;

import static com.couchbase.client.java.kv.DecrementOptions.decrementOptions;
import static com.couchbase.client.java.kv.GetAndLockOptions.getAndLockOptions;
import static com.couchbase.client.java.kv.GetOptions.getOptions;
import static com.couchbase.client.java.kv.IncrementOptions.incrementOptions;
import static com.couchbase.client.java.kv.InsertOptions.insertOptions;
import static com.couchbase.client.java.kv.RemoveOptions.removeOptions;
import static com.couchbase.client.java.kv.ReplaceOptions.replaceOptions;
import static com.couchbase.client.java.kv.UpsertOptions.upsertOptions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.couchbase.client.core.error.CasMismatchException;
import com.couchbase.client.core.error.DocumentExistsException;
import com.couchbase.client.core.error.DocumentNotFoundException;
import com.couchbase.client.core.error.DocumentNotLockedException;
import com.couchbase.client.core.error.DurabilityImpossibleException;
import com.couchbase.client.core.error.TimeoutException;
import com.couchbase.client.core.error.ValueTooLargeException;
import com.couchbase.client.core.msg.kv.DurabilityLevel;
import com.couchbase.client.core.retry.FailFastRetryStrategy;
import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.codec.RawBinaryTranscoder;
import com.couchbase.client.java.codec.RawJsonTranscoder;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.kv.GetResult;
import com.couchbase.client.java.kv.MutationResult;
import com.couchbase.client.java.kv.UnlockOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Whole documents through the SDK. */
class SdkDocumentsIT {

    private final SdkKit kit = SdkKit.shared();
    private final Collection documents = kit.bucket.defaultCollection();
    private final String id = UUID.randomUUID().toString();

    @Test
    void documents_areWrittenReadAndRemoved() {
        assertThat(documents.exists(id).exists()).isFalse();
        assertThatThrownBy(() -> documents.get(id)).isInstanceOf(DocumentNotFoundException.class);
        assertThatThrownBy(() -> documents.replace(id, 1)).isInstanceOf(DocumentNotFoundException.class);
        assertThatThrownBy(() -> documents.remove(id)).isInstanceOf(DocumentNotFoundException.class);

        MutationResult inserted = documents.insert(id, JsonObject.create().put("n", 1));

        GetResult found = documents.get(id);
        assertThat(found.contentAsObject().getInt("n")).isEqualTo(1);
        assertThat(found.cas()).isEqualTo(inserted.cas());
        assertThat(inserted.mutationToken()).hasValueSatisfying(token -> {
            assertThat(token.bucketName()).isEqualTo(kit.bucket.name());
            assertThat(token.sequenceNumber()).isPositive().isLessThan(1L << 53);
            assertThat(token.partitionUUID()).isNotZero();
        });
        assertThat(documents.exists(id).exists()).isTrue();
        assertThat(documents.exists(id).cas()).isEqualTo(inserted.cas());
        assertThatThrownBy(() -> documents.insert(id, 2)).isInstanceOf(DocumentExistsException.class);
        documents.replace(id, JsonObject.create().put("n", 2));
        documents.remove(id);
        assertThat(documents.exists(id).exists()).isFalse();
        documents.insert(id, "again");
    }

    @Test
    void bytes_areKeptAsTheyAre() {
        byte[] json = "{\"n\": 1.10,\n\"big\":12345678901234567890}".getBytes(StandardCharsets.UTF_8);
        documents.upsert(id, json, upsertOptions().transcoder(RawJsonTranscoder.INSTANCE));
        assertThat(documents
                        .get(id, getOptions().transcoder(RawJsonTranscoder.INSTANCE))
                        .contentAsBytes())
                .isEqualTo(json);
        documents.upsert(id, new byte[] {0, -1, 5}, upsertOptions().transcoder(RawBinaryTranscoder.INSTANCE));
        assertThat(documents
                        .get(id, getOptions().transcoder(RawBinaryTranscoder.INSTANCE))
                        .contentAsBytes())
                .containsExactly(0, -1, 5);
    }

    @Test
    void cas_rejectsStaleWriters() {
        long cas = documents.upsert(id, 1).cas();
        documents.upsert(id, 2);

        assertThatThrownBy(() -> documents.replace(id, 3, replaceOptions().cas(cas)))
                .isInstanceOf(CasMismatchException.class);
        assertThatThrownBy(() -> documents.remove(id, removeOptions().cas(cas)))
                .isInstanceOf(CasMismatchException.class);
        long now = documents.get(id).cas();
        documents.replace(id, 3, replaceOptions().cas(now));
        assertThatThrownBy(() -> documents.replace(id, 4, replaceOptions().cas(now)))
                .isInstanceOf(CasMismatchException.class);
    }

    @Test
    void expiry_isSetReadChangedAndPreserved() {
        documents.insert(id, 1, insertOptions().expiry(Duration.ofHours(1)));
        Instant first = expiry();
        assertThat(first)
                .isBetween(Instant.now().plusSeconds(3500), Instant.now().plusSeconds(3700));

        documents.upsert(id, 2, upsertOptions().preserveExpiry(true));
        assertThat(expiry()).isEqualTo(first);
        documents.touch(id, Duration.ofHours(2));
        assertThat(expiry()).isAfter(first.plusSeconds(3000));
        assertThat(documents.getAndTouch(id, Duration.ofDays(60)).contentAs(Integer.class))
                .isEqualTo(2);
        assertThat(expiry()).isAfter(Instant.now().plus(Duration.ofDays(59)));
        documents.upsert(id, 3);

        assertThat(documents.get(id, getOptions().withExpiry(true)).expiryTime())
                .isEmpty();
    }

    private Instant expiry() {
        return documents.get(id, getOptions().withExpiry(true)).expiryTime().orElseThrow();
    }

    @Test
    void projections_readPartsOfADocument() {
        documents.upsert(
                id,
                JsonObject.create().put("a", JsonObject.create().put("b", 1)).put("c", 2));

        JsonObject part = documents.get(id, getOptions().project("a.b")).contentAsObject();

        assertThat(part.toString()).isEqualTo("{\"a\":{\"b\":1}}");
    }

    @Test
    void counters_stopAtTheirBounds() {
        assertThatThrownBy(() -> documents.binary().increment(id)).isInstanceOf(DocumentNotFoundException.class);
        assertThat(documents
                        .binary()
                        .increment(id, incrementOptions().initial(5))
                        .content())
                .isEqualTo(5);
        assertThat(documents
                        .binary()
                        .increment(id, incrementOptions().delta(37))
                        .content())
                .isEqualTo(42);
        assertThat(documents
                        .binary()
                        .decrement(id, decrementOptions().delta(40))
                        .content())
                .isEqualTo(2);
        assertThat(documents
                        .binary()
                        .decrement(id, decrementOptions().delta(40))
                        .content())
                .isZero();
        documents.upsert(
                id,
                "18446744073709551615".getBytes(StandardCharsets.UTF_8),
                upsertOptions().transcoder(RawJsonTranscoder.INSTANCE));
        assertThat(documents.binary().increment(id).content()).isZero();
    }

    @Test
    void appendAndPrepend_extendBytes() {
        documents.upsert(id, new byte[] {2}, upsertOptions().transcoder(RawBinaryTranscoder.INSTANCE));
        documents.binary().append(id, new byte[] {3});
        documents.binary().prepend(id, new byte[] {1});

        assertThat(documents
                        .get(id, getOptions().transcoder(RawBinaryTranscoder.INSTANCE))
                        .contentAsBytes())
                .containsExactly(1, 2, 3);
        assertThatThrownBy(() -> documents.binary().append("absent" + id, new byte[] {3}))
                .isInstanceOf(DocumentNotFoundException.class);
    }

    @Test
    void locks_rejectOtherWriters() {
        documents.upsert(id, 1);
        long lock = documents.getAndLock(id, Duration.ofSeconds(25)).cas();

        // the SDK retries until its timeout unless configured otherwise
        assertThatThrownBy(() -> documents.getAndLock(
                        id, Duration.ofSeconds(5), getAndLockOptions().timeout(Duration.ofSeconds(1))))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("LOCKED");
        assertThatThrownBy(() -> documents.upsert(id, 2, upsertOptions().retryStrategy(FailFastRetryStrategy.INSTANCE)))
                .hasMessageContaining("KV_LOCKED");
        assertThat(documents.get(id).contentAs(Integer.class)).isEqualTo(1);
        assertThatThrownBy(() -> documents.unlock(
                        id, lock + 1, UnlockOptions.unlockOptions().retryStrategy(FailFastRetryStrategy.INSTANCE)))
                .isInstanceOf(RuntimeException.class);
        documents.unlock(id, lock);
        assertThatThrownBy(() -> documents.unlock(id, lock)).isInstanceOf(DocumentNotLockedException.class);
        long again = documents.getAndLock(id, Duration.ofSeconds(15)).cas();
        documents.replace(id, 2, replaceOptions().cas(again));
        documents.replace(id, 3);
    }

    @Test
    void impossibleDurability_isRejected() {
        documents.upsert(id, 1, upsertOptions().durability(DurabilityLevel.MAJORITY));

        assertThatThrownBy(
                        () -> documents.upsert(id, 2, upsertOptions().durability(DurabilityLevel.PERSIST_TO_MAJORITY)))
                .isInstanceOf(DurabilityImpossibleException.class);
        assertThat(documents.get(id).contentAs(Integer.class)).isEqualTo(1);
    }

    @Test
    void collections_areKeptApart() {
        Collection other = kit.bucket.scope("s").collection("c");
        documents.upsert(id, "default");
        other.upsert(id, "named");

        assertThat(documents.get(id).contentAs(String.class)).isEqualTo("default");
        assertThat(other.get(id).contentAs(String.class)).isEqualTo("named");
        other.remove(id);
        assertThat(documents.exists(id).exists()).isTrue();
        assertThatThrownBy(() -> kit.bucket
                        .scope("s")
                        .collection("nope")
                        .get(id, getOptions().retryStrategy(FailFastRetryStrategy.INSTANCE)))
                .hasMessageContaining("COLLECTION_MAP_REFRESH");
    }

    @Test
    void oversizedRequest_isRejected() {
        byte[] large = new byte[21 << 20];
        assertThatThrownBy(() -> documents.upsert(id, large, upsertOptions().transcoder(RawBinaryTranscoder.INSTANCE)))
                .isInstanceOf(ValueTooLargeException.class);
        documents.upsert(id, 1);
    }

    @Test
    void replicas_areTheActiveOne() {
        documents.upsert(id, 1);
        assertThat(documents.getAnyReplica(id).contentAs(Integer.class)).isEqualTo(1);
        assertThat(documents.getAllReplicas(id)).hasSize(1);
    }

    @Test
    void wrongPassword_isRejected() {
        Cluster stranger = kit.connect("stranger", "wrong");
        try {
            assertThatThrownBy(() -> stranger.bucket(kit.bucket.name()).waitUntilReady(Duration.ofSeconds(3)))
                    .isInstanceOf(RuntimeException.class);
        } finally {
            stranger.disconnect();
        }
    }

    @Test
    void ping_reachesTheEndpoint() {
        assertThat(kit.bucket.ping().endpoints()).isNotEmpty();
    }
}
