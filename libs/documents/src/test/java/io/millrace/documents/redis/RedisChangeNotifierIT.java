package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.KillArgs;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.notify.ChangeNotifier;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What wakes a feed that has nothing to read. */
class RedisChangeNotifierIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RedisKit kit = RedisKit.shared();
    private final String bucket = StoreKit.uniqueBucket();
    private final DocumentKey key = new DocumentKey(Keyspace.of(bucket), "k");
    private final String meta = "mr:{" + bucket + ".0}:m";
    private final DocumentStore writer = kit.store(InstantSource.system());

    @BeforeEach
    void createBucket() {
        await(writer.catalog().createBucket(bucket, 1));
    }

    @Test
    void feed_withoutNotifications_isWokenBySlowPoll() {
        DocumentStore deaf = kit.store(InstantSource.system(), ChangeNotifier.SILENT, Duration.ofMillis(50));

        assertWakes(deaf, 3);
    }

    @Test
    void feed_withoutSlowPoll_isWokenByNotification() {
        DocumentStore trusting = kit.store(InstantSource.system(), kit.notifier, Duration.ofHours(1));

        assertWakes(trusting, 20);
    }

    private void assertWakes(DocumentStore reader, int times) {
        try (ChangeFeed feed = reader.changes(bucket, 0, 0)) {
            for (int i = 0; i < times; i++) {
                CompletableFuture<List<Mutation>> waiting = feed.next(10);
                awaitArmed();

                put(i);

                assertThat(await(waiting)).hasSize(1);
            }
        }
    }

    @Test
    void everything_isNotifiedAfterABrokenConnection() {
        AtomicInteger rung = new AtomicInteger();
        try (var subscription = kit.notifier.subscribe("notifier-it", rung::incrementAndGet)) {
            // the first confirmation may notify as well
            await().atMost(PATIENCE)
                    .until(() -> kit.console().pubsubNumsub("mr:bell").get("mr:bell") > 0);
            int before = rung.get();

            await().atMost(PATIENCE).until(() -> {
                kit.console().clientKill(KillArgs.Builder.typePubsub());
                return rung.get() > before + 1;
            });
        }
    }

    @Test
    void notification_isRequestedOnlyByWaitingReaders() {
        put(1);
        assertThat(kit.console().hget(meta, "gate")).isEqualTo("0/2");
        try (ChangeFeed feed = writer.changes(bucket, 0, 0)) {
            await(feed.next(10));
            CompletableFuture<List<Mutation>> waiting = feed.next(10);
            awaitArmed();
            put(2);
            await(waiting);

            put(3);

            assertThat(kit.console().hget(meta, "gate")).isEqualTo("0/2");
        }
    }

    @Test
    void catalogChange_ofAnotherProcess_isSeenAfterNotification() {
        DocumentStore trusting = kit.store(InstantSource.system(), kit.notifier, Duration.ofHours(1));
        await(trusting.get(key));

        await(writer.catalog().dropBucket(bucket));

        await().until(() -> await(trusting.catalog().find(bucket)).isEmpty());
    }

    @Test
    void catalogChange_ofAnotherProcess_isSeenAfterSlowPoll() {
        DocumentStore deaf = kit.store(InstantSource.system(), ChangeNotifier.SILENT, Duration.ofMillis(50));
        await(deaf.get(key));

        await(writer.catalog().dropBucket(bucket));

        await().until(() -> await(deaf.catalog().find(bucket)).isEmpty());
    }

    private void awaitArmed() {
        await().pollInterval(Duration.ofMillis(2))
                .until(() -> kit.console().hget(meta, "gate").endsWith("!"));
    }

    private void put(int i) {
        await(writer.write(Write.upsert(key, bytes("" + i))));
    }
}
