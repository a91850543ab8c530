package io.millrace.documents.redis;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.documents.StoreKit.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.notify.ChangeNotifier;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many calls of Redis a feed makes. */
class FeedCostIT {

    private static final IntPredicate NONE = vbucket -> false;

    private final RedisKit kit = RedisKit.shared();
    private final String bucket = StoreKit.uniqueBucket();
    private final String meta = "mr:{" + bucket + ".0}:m";
    private final DocumentStore writer = kit.store(InstantSource.system());

    /** Calls by what they read. */
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();

    private final DocumentStore reader = new RedisDocumentStore(
            () -> CompletableFuture.completedStage(counting()),
            () -> CompletableFuture.completedStage(counting()),
            kit.notifier,
            InstantSource.system(),
            Duration.ofHours(1),
            ReadRoom.UNLIMITED);

    @SuppressWarnings("unchecked")
    private RedisClusterAsyncCommands<byte[], byte[]> counting() {
        RedisClusterAsyncCommands<byte[], byte[]> commands = kit.connection().async();
        return (RedisClusterAsyncCommands<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RedisClusterAsyncCommands.class},
                (proxy, method, arguments) -> {
                    calls.merge(what(method), 1, Integer::sum);
                    try {
                        return method.invoke(commands, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static String what(Method method) {
        return switch (method.getName()) {
            case "dispatch" -> "document";
            case "hmget" -> "meta";
            case "zrangebyscoreWithScores" -> "rows";
            case "fcall" -> "arm";
            default -> method.getName();
        };
    }

    @BeforeEach
    void createBucket() {
        await(writer.catalog().createBucket(bucket, 1));
    }

    /** These readers do not poll, so that no notification may be lost. */
    @BeforeEach
    void awaitNotifications() {
        CompletableFuture<Void> heard = new CompletableFuture<>();
        ChangeNotifier.Subscription subscription = kit.notifier.subscribe(bucket, () -> heard.complete(null));
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            kit.console().publish("mr:bell", bucket + ":1");
            return heard.isDone();
        });
        subscription.close();
    }

    @Test
    void feedOfSomeVbuckets_readsNoOtherDocuments() {
        IntStream.range(0, 600).forEach(i -> put("d" + i));
        long end = await(writer.highSeqno(bucket, 0));
        List<Mutation> mutations = new ArrayList<>();

        try (ChangeFeed feed = reader.changes(bucket, 0, 0, vbucket -> vbucket % 10 == 0)) {
            while (feed.position() < end) {
                mutations.addAll(await(feed.next(100)));
            }
        }

        assertThat(mutations).hasSizeBetween(30, 90);
        assertThat(calls).containsEntry("document", mutations.size());
        assertThat(calls.get("rows"))
                .as("rows of others make pages larger, as they cost little")
                .isEqualTo(2);
    }

    @Test
    void waitingFeed_readsAndRequestsANotificationOncePerChange() {
        try (ChangeFeed feed = reader.changes(bucket, 0, 0)) {
            assertCosts(feed, 1, Map.of("rows", 20, "document", 20, "arm", 20));
        }
    }

    @Test
    void waitingFeed_readsNoDocumentsForChangesOfOthers() {
        try (ChangeFeed feed = reader.changes(bucket, 0, 0, NONE)) {
            assertCosts(feed, 0, Map.of("rows", 20, "arm", 20));
        }
    }

    @Test
    void feedsAtTheEnd_costWhatOneCosts() {
        List<ChangeFeed> feeds = new ArrayList<>();
        List<CompletableFuture<List<Mutation>>> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            feeds.add(reader.changes(bucket, 0, 0));
            waiting.add(feeds.getLast().next(10));
        }
        awaitArmed();
        calls.clear();

        for (int round = 0; round < 20; round++) {
            put("d" + round);
            for (int i = 0; i < feeds.size(); i++) {
                assertThat(await(waiting.get(i))).hasSize(1);
            }
            for (int i = 0; i < feeds.size(); i++) {
                waiting.set(i, feeds.get(i).next(10));
            }
            awaitArmed();
        }
        feeds.forEach(ChangeFeed::close);

        assertThat(calls).isEqualTo(Map.of("rows", 20, "document", 20, "arm", 20));
    }

    private void assertCosts(ChangeFeed feed, int mutations, Map<String, Integer> costs) {
        CompletableFuture<List<Mutation>> waiting = feed.next(10);
        awaitArmed();
        calls.clear();

        for (int i = 0; i < 20; i++) {
            long seqno = put("d" + i);
            assertThat(await(waiting)).hasSize(mutations);
            assertThat(feed.position()).isEqualTo(seqno);
            waiting = feed.next(10);
            awaitArmed();
        }

        assertThat(calls).isEqualTo(costs);
    }

    private void awaitArmed() {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> kit.console().hget(meta, "gate").endsWith("!"));
    }

    private long put(String id) {
        WriteResult result =
                await(writer.write(Write.upsert(new DocumentKey(Keyspace.of(bucket), id), bytes("{\"a\":1}"))));
        return ((WriteResult.Written) result).seqno();
    }
}
