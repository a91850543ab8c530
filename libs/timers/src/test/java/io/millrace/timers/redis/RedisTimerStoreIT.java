package io.millrace.timers.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.millrace.testkit.RedisFixture;
import io.millrace.timers.DeadLetter;
import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.Claim;
import io.millrace.timers.TimerStoresContract;
import io.millrace.timers.TimersException;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisTimerStoreIT extends TimerStoresContract {

    private static RedisClient client;
    private static StatefulRedisConnection<byte[], byte[]> connection;

    private final TimerStore store = new RedisTimerStore(() -> CompletableFuture.completedStage(connection.async()));

    @BeforeAll
    static void connect() {
        client = RedisClient.create(RedisFixture.url());
        connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    @AfterAll
    static void disconnect() {
        client.shutdown();
    }

    @Override
    protected TimerStore store() {
        return store;
    }

    @ParameterizedTest
    @CsvSource({"1, 8, 1", "2, 8, 2", "8, 8, 8", "64, 8, 8"})
    void partitions_areSpreadOverTheShards(int shards, int partitions, int used) throws IOException {
        TimerGroup group = new TimerGroup("meta", shards, UUID.randomUUID().toString(), "i1", partitions);
        store.open(group).join();
        for (int i = 0; i < 200; i++) {
            store.create(group, new NewTimer(new TimerId("cb", "r" + i), 5, 0, "", null))
                    .join();
        }

        String keys = keys("mr:*" + group.functionId() + ":*");

        Set<String> shardsWithKeys = Pattern.compile("\\{meta\\.(\\d+)}")
                .matcher(keys)
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toSet());
        assertThat(shardsWithKeys)
                .isEqualTo(IntStream.range(0, used)
                        .mapToObj(i -> Integer.toString(i * shards / used))
                        .collect(Collectors.toSet()));
    }

    @Test
    void drop_leavesNoKey() throws IOException {
        TimerGroup group = new TimerGroup("meta", 2, UUID.randomUUID().toString(), "i1", 8);
        store.open(group).join();
        for (int i = 0; i < 20; i++) {
            store.create(group, new NewTimer(new TimerId("cb", "r" + i), 5, 0, "", null))
                    .join();
        }
        store.take(group, 0, 1).join();
        for (Timer each :
                store.claim(group, new Claim(0, 1, "1", 5, 100)).join().orElseThrow()) {
            store.bury(group, 1, new DeadLetter(each, 5, "e")).join();
        }
        String pattern = "mr:*" + group.functionId() + "*";
        assertThat(keys(pattern)).isNotEmpty();

        store.drop(group).join();

        assertThat(keys(pattern)).isEmpty();
    }

    /** A node that waits for timers looks by itself only every five seconds, and knows nothing of those of others. */
    @Test
    void timerThatIsEarlierThanAllOthersOfItsPartition_ringsIfItIsDueSoon() {
        TimerGroup group = new TimerGroup("meta", 1, UUID.randomUUID().toString(), "i1", 8);
        store.open(group).join();
        AtomicInteger rings = new AtomicInteger();
        try (var listening = client.connectPubSub(ByteArrayCodec.INSTANCE)) {
            listening.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(byte[] channel, byte[] message) {
                    if (new String(message, UTF_8).equals(RedisTimerStore.topic("meta", 0) + ":0")) {
                        rings.incrementAndGet();
                    }
                }
            });
            listening.sync().subscribe("mr:bell".getBytes(UTF_8));

            long now = System.currentTimeMillis();
            create(group, 1, 0, now + 1_000); // rings
            create(group, 1, 1, now + 2_000);
            create(group, 1, 2, now + 500); // rings
            create(group, 2, 0, now + 4_900); // rings
            create(group, 3, 0, now + 60_000);
            create(group, 3, 1, now + 50_000);
            store.move(group, inPartition(group, 1, 1), 100).join(); // rings

            await().until(() -> rings.get() >= 4);
            listening.sync().ping();
            assertThat(rings).hasValue(4);
        }
    }

    private void create(TimerGroup group, int partition, int number, long due) {
        store.create(group, new NewTimer(inPartition(group, partition, number), due, 0, "", null))
                .join();
    }

    private static TimerId inPartition(TimerGroup group, int partition, int number) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> new TimerId("cb", "r" + i))
                .filter(each -> group.partitionOf(each) == partition)
                .skip(number)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void functions_lostByRedis_areLoadedAgain() throws IOException {
        TimerGroup group = new TimerGroup("meta", 1, UUID.randomUUID().toString(), "i1", 1);
        store.open(group).join();
        RedisFixture.console().call("FUNCTION", "FLUSH");

        NewTimer timer = new NewTimer(new TimerId("cb", "a"), 5, 0, "", null);
        assertThat(store.create(group, timer).join()).isEqualTo(TimerStore.Change.DONE);
    }

    @Test
    void aCall_withoutRedis_isUnavailable() {
        TimerStore lost = new RedisTimerStore(
                () -> CompletableFuture.failedStage(new RedisConnectionException("refused for the test")));
        TimerGroup group = new TimerGroup("meta", 1, "f", "i1", 1);

        assertThatThrownBy(() -> lost.directory(group, 1).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        TimersException.class, e -> assertThat(e.code()).isEqualTo(TimersException.Code.UNAVAILABLE))
                .hasMessageContaining("refused for the test");
    }

    private static String keys(String pattern) throws IOException {
        return String.valueOf(RedisFixture.console().call("KEYS", pattern));
    }
}
