package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.VBuckets;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.testkit.OwnRedis;
import io.millrace.testkit.RedisCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole suite on a Redis Cluster of three masters with buckets of 64 shards: documents, a function that writes and
 * sets timers, and slots that move to another master while they are in use.
 */
class ClusterIT {

    private static final int SHARDS = 64;
    private static final int DOCUMENTS = 200;
    private static final int STATES = 3;
    private static final int WRITERS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    /** The shard that moves, in the source and in the bucket that the function writes to. */
    private static final int MOVING = 5;

    /** The pause between batches of keys of a moving slot, long enough for calls in between. */
    private static final Duration PAUSE = Duration.ofMillis(150);

    private static final String HANDLER = """
            function OnUpdate(doc, meta) {
                var seen = handled[meta.id];
                if (seen !== undefined && seen.state > doc.state) {
                    handled['backwards::' + meta.id] = {from: seen.state, to: doc.state};
                }
                handled[meta.id] = {state: doc.state};
                createTimer(Later, new Date(Date.now() + 1000), meta.id, {id: meta.id});
            }
            function Later(context) {
                handled['later::' + context.id] = {done: true};
            }
            """;

    private final Queue<String> written = new ConcurrentLinkedQueue<>();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @Test
    void suite_onThreeMasters_losesNothingWhileSlotsMove() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(3);
                Suite suite = Suite.start(BuiltSuite.settings(directory)
                        .redisUrl(cluster.url())
                        .jvmOptions(List.of("-XX:TieredStopAtLevel=1"))
                        .environment("MILLRACE_EVENTING_WORKEROPTIMIZED", "false"));
                Client client = new Client(suite.url(Service.GATEWAY), suite.url(Service.GATEWAY))) {
            for (String bucket : List.of("source", "handled", "metadata")) {
                client.createBucket(bucket, SHARDS);
            }
            client.createFunction("spread", Definitions.function("spread", HANDLER, "source", "metadata", "handled"));
            client.deploy("spread");

            AtomicInteger numbers = new AtomicInteger();
            write(client, "doc-", numbers, () -> numbers.get() < DOCUMENTS).join();
            assertHandled(client, written);
            assertThat(cluster.masters())
                    .allSatisfy(master ->
                            assertThat(shards(cluster, master, "source")).isGreaterThan(SHARDS / 6));

            AtomicBoolean moved = new AtomicBoolean();
            CompletableFuture<Void> writing = write(client, "moving-", numbers, () -> !moved.get());
            for (String shard : List.of("source." + MOVING, "handled." + MOVING, "metadata.0")) {
                move(cluster, shard);
            }
            moved.set(true);
            writing.join();
            assertHandled(client, written);
        }
    }

    /** Writes documents, each several times in a short period and never again; the moving ones are in one shard. */
    private CompletableFuture<Void> write(Client client, String prefix, AtomicInteger numbers, BooleanSupplier more) {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(CompletableFuture.runAsync(
                    () -> {
                        while (more.getAsBoolean()) {
                            String id = prefix + numbers.getAndIncrement();
                            if (prefix.equals("doc-") || shard(id) == MOVING) {
                                write(client, id);
                            }
                        }
                    },
                    THREADS));
        }
        return CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new));
    }

    private void write(Client client, String id) {
        try {
            for (int state = 1; state <= STATES; state++) {
                client.put("source", id, "{\"state\":" + state + "}");
            }
            written.add(id);
        } catch (InterruptedException e) {
            throw new AssertionError("The writer was interrupted", e);
        }
    }

    private static int shard(String id) {
        return VBuckets.shardOf(VBuckets.of(id), SHARDS);
    }

    private static long shards(RedisCluster cluster, OwnRedis master, String bucket) {
        return IntStream.range(0, SHARDS)
                .filter(shard -> cluster.keys(master, cluster.slot("{" + bucket + '.' + shard + '}')) > 0)
                .count();
    }

    private static void move(RedisCluster cluster, String shard) {
        int slot = cluster.slot('{' + shard + '}');
        OwnRedis from = cluster.owner(slot);
        OwnRedis to = cluster.masters().stream()
                .filter(master -> master != from)
                .findFirst()
                .orElseThrow();
        int keys = cluster.keys(from, slot);

        cluster.move(slot, to, PAUSE);

        assertThat(keys).isPositive();
        assertThat(cluster.keys(from, slot)).isZero();
        assertThat(cluster.keys(to, slot)).isGreaterThanOrEqualTo(keys);
    }

    /** Checks that every document reached its last state, never went back to an earlier one, and its timer fired. */
    private static void assertHandled(Client client, Collection<String> ids) {
        List<String> missing = new ArrayList<>(ids);
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            List<String> still = new ArrayList<>();
            for (String id : missing) {
                if (client.document("handled", id, PATIENCE).path("state").asInt(0) != STATES
                        || client.document("handled", "later::" + id, PATIENCE).isMissingNode()) {
                    still.add(id);
                }
            }
            missing.retainAll(still);
            assertThat(missing).as("documents whose last state was not handled").isEmpty();
        });
        assertThat(ids)
                .as("documents that went back to an earlier state")
                .allSatisfy(id -> assertThat(client.document("handled", "backwards::" + id, PATIENCE)
                                .isMissingNode())
                        .isTrue());
    }
}
