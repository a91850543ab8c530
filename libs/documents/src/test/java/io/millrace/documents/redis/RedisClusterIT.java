package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.VBuckets;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.notify.RedisChangeNotifier;
import io.millrace.redis.ClientTuning;
import io.millrace.redis.RedisLink;
import io.millrace.testkit.OwnRedis;
import io.millrace.testkit.RedisCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A Redis in cluster mode refuses whatever touches keys of two slots in one step, and every master has functions of its
 * own.
 */
class RedisClusterIT {

    private static final int SHARDS = 8;

    private final RedisCluster redis = RedisCluster.start(3);
    private final RedisClusterClient client =
            RedisClusterClient.create(RedisURI.create(redis.masters().getFirst().url()));
    private final Keyspace keyspace = Keyspace.of("sharded");
    private StatefulRedisClusterConnection<byte[], byte[]> connection;
    private RedisChangeNotifier notifier;
    private DocumentStore store;

    @BeforeEach
    void connect() {
        client.setOptions(ClusterClientOptions.builder()
                .topologyRefreshOptions(ClientTuning.clusterRefresh().build())
                .timeoutOptions(TimeoutOptions.enabled(Duration.ofSeconds(2))) // a dead master does not answer
                .build());
        connection = client.connect(ByteArrayCodec.INSTANCE);
        notifier = new RedisChangeNotifier(
                () -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE).thenApply(opened -> opened));
        store = new RedisDocumentStore(
                () -> CompletableFuture.completedStage(connection.async()), notifier, InstantSource.system());
        await(store.catalog().createBucket(keyspace.bucket(), SHARDS));
    }

    @AfterEach
    void close() {
        notifier.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        redis.close();
    }

    @Test
    void bucket_ofManyShards_livesInManySlots() {
        Expiry due = Expiry.at(Instant.now().minusSeconds(1));
        List<CompletableFuture<WriteResult>> writes = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            DocumentKey key = new DocumentKey(keyspace, "d" + i);
            writes.add(store.write(Write.upsert(key, bytes("" + i)).withExpiry(i % 4 == 0 ? due : Expiry.NEVER)));
            if (i % 4 == 1) {
                writes.add(store.write(Write.remove(key)));
            }
        }
        writes.forEach(write -> assertThat(await(write)).isInstanceOf(WriteResult.Written.class));

        assertThat(await(store.expireDue(keyspace.bucket(), 1000))).isEqualTo(100);
        assertThat(await(store.count(keyspace))).isEqualTo(200);
        assertThat(idsInFeeds()).hasSize(400);
        await(store.catalog().dropBucket(keyspace.bucket()));
        assertThat(connection.sync().keys("mr:{*")).isEmpty();
    }

    @Test
    void notification_reachesReadersAcrossTheCluster() {
        DocumentKey key = new DocumentKey(keyspace, "k");
        try (ChangeFeed feed = store.changes(keyspace.bucket(), VBuckets.shardOf(key.vbucket(), SHARDS), 0)) {
            CompletableFuture<List<Mutation>> waiting = feed.next(10);

            await(store.write(Write.upsert(key, bytes("1"))));

            assertThat(await(waiting)).hasSize(1);
        }
    }

    @Test
    void slotThatMoves_keepsDocumentsAndTheOrderOfTheirWrites() {
        DocumentKey key = new DocumentKey(keyspace, "k");
        int shard = VBuckets.shardOf(key.vbucket(), SHARDS);
        int slot = redis.slot("{" + keyspace.bucket() + '.' + shard + '}');
        List<DocumentKey> others = IntStream.range(0, 2000)
                .mapToObj(number -> new DocumentKey(keyspace, "other" + number))
                .filter(other -> VBuckets.shardOf(other.vbucket(), SHARDS) == shard)
                .toList();
        others.forEach(other -> await(store.write(Write.upsert(other, bytes("{}")))));
        List<CompletableFuture<WriteResult>> writes = new ArrayList<>();
        AtomicBoolean moved = new AtomicBoolean();
        Thread writer = Thread.ofVirtual().start(() -> {
            // several at a time, with no look at the answers of those before
            while (!moved.get()) {
                for (int i = 0; i < 20; i++) {
                    writes.add(store.write(Write.upsert(key, bytes("" + writes.size()))));
                }
                await(writes.getLast().handle((result, failure) -> true));
            }
        });

        OwnRedis from = redis.owner(slot);
        for (OwnRedis master : redis.masters()) {
            if (master != from) {
                redis.move(slot, master, Duration.ofMillis(1));
            }
        }
        moved.set(true);
        join(writer);

        int last = IntStream.range(0, writes.size())
                .filter(number -> writes.get(number)
                        .handle((result, failure) -> failure == null)
                        .join())
                .max()
                .orElseThrow();
        assertThat(await(store.get(key)).orElseThrow().body()).isEqualTo(bytes("" + last));
        assertThat(others).allMatch(other -> await(store.get(other)).isPresent());
        assertThat(idsInFeeds()).hasSize(others.size() + 1);
        assertThat(await(store.write(Write.upsert(key, bytes("end"))))).isInstanceOf(WriteResult.Written.class);
    }

    @Test
    void masterThatJoins_getsTheFunctionsWhenItGetsItsFirstSlot() {
        DocumentKey key = new DocumentKey(keyspace, "k");
        await(store.write(Write.upsert(key, bytes("1"))));
        OwnRedis joined = redis.join();

        redis.move(slotOf(key), joined, Duration.ZERO);

        patiently().until(() -> await(store.write(Write.upsert(key, bytes("2")))) instanceof WriteResult.Written);
        assertThat(redis.owner(slotOf(key))).isSameAs(joined);
        patiently()
                .untilAsserted(() ->
                        assertThat(await(store.get(key)).orElseThrow().body()).isEqualTo(bytes("2")));
        patiently().untilAsserted(() -> assertThat(idsInFeeds()).containsExactly("k"));
    }

    @Test
    void promotedReplica_hasTheDataOfItsMasterAndContinues() {
        DocumentKey key = new DocumentKey(keyspace, "k");
        OwnRedis master = redis.owner(slotOf(key));
        long before = ((WriteResult.Written) await(store.write(Write.upsert(key, bytes("1"))))).cas();
        OwnRedis replica = redis.addReplica(master);
        redis.awaitInStep(master, replica);

        redis.failOver(master, replica);

        patiently()
                .until(() -> await(store.write(Write.upsert(key, bytes("2")))) instanceof WriteResult.Written written
                        && written.cas() > before);
        patiently()
                .untilAsserted(() ->
                        assertThat(await(store.get(key)).orElseThrow().body()).isEqualTo(bytes("2")));
        patiently().untilAsserted(() -> assertThat(idsInFeeds()).containsExactly("k"));
        assertThat(redis.owner(slotOf(key))).isSameAs(replica);
    }

    private int slotOf(DocumentKey key) {
        return redis.slot("{" + keyspace.bucket() + '.' + VBuckets.shardOf(key.vbucket(), SHARDS) + '}');
    }

    /** A client may take the view of a node that joins and does not know all slots yet; it looks again a second later. */
    private static ConditionFactory patiently() {
        return Awaitility.await().atMost(Duration.ofSeconds(100)).ignoreExceptions();
    }

    @Test
    void callsForADocument_areOneAtATime_becauseARedirectedOneIsOvertaken() {
        RedisLink link = ((RedisDocumentStore) store).link();

        assertThat(DocumentQueue.callsAtATime(link)).isEqualTo(1);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError("Tests are not interrupted", e);
        }
    }

    private Set<String> idsInFeeds() {
        Set<String> ids = new HashSet<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            long end = await(store.highSeqno(keyspace.bucket(), shard));
            try (ChangeFeed feed = store.changes(keyspace.bucket(), shard, 0)) {
                while (feed.position() < end) {
                    await(feed.next(100))
                            .forEach(mutation ->
                                    ids.add(mutation.document().key().id()));
                }
            }
        }
        return ids;
    }
}
