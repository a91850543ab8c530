package io.millrace.timers.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.millrace.testkit.RedisFixture;
import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore;
import io.millrace.timers.firing.RetryPolicy;
import io.millrace.timers.firing.Schedules;
import io.millrace.timers.firing.TimerLoop;
import io.millrace.timers.firing.TimerScanner;
import io.millrace.timers.firing.TimerSink;
import io.millrace.timers.firing.TimerSink.Ending;
import io.millrace.timers.firing.TimerWatch;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Nodes that sleep until a bell rings fire the timers of their partitions when they are due. */
class TimerNodesIT {

    /** Far less than the time after which a node looks although no bell rang. */
    private static final long LATEST_MILLIS = 1000;

    private static RedisClient client;
    private static TimerStore store;

    private final TimerGroup group = new TimerGroup("meta", 1, UUID.randomUUID().toString(), "i1", 2);

    @BeforeAll
    static void connect() {
        client = RedisClient.create(RedisFixture.url());
        var connection = client.connect(ByteArrayCodec.INSTANCE);
        store = new RedisTimerStore(() -> CompletableFuture.completedStage(connection.async()));
    }

    @AfterAll
    static void disconnect() {
        client.shutdown();
    }

    /** A node that owns one partition. */
    private final class Node implements TimerSink, AutoCloseable {

        private final List<Long> lags = new CopyOnWriteArrayList<>();
        private final AtomicInteger woken = new AtomicInteger();
        private final StatefulRedisPubSubConnection<byte[], byte[]> bells =
                client.connectPubSub(ByteArrayCodec.INSTANCE);
        private final TimerScanner scanner = new TimerScanner(
                store, group, InstantSource.system(), this, RetryPolicy.NONE, Schedules.NONE, lags::add);
        private final TimerLoop loop = TimerLoop.watched("node", scanner, failure -> {});
        private final TimerWatch.Watching watching;

        private Node(int partition) {
            scanner.take(1, partition, partition).join();
            loop.start();
            TimerWatch watch = new TimerWatch(store, InstantSource.system(), this::listen);
            watching = watch.watch(group, 0, () -> {
                loop.wake();
                woken.incrementAndGet();
            });
        }

        private TimerWatch.Watching listen(String bucket, int shard, Runnable rung) {
            bells.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(byte[] channel, byte[] message) {
                    if (new String(message, UTF_8).equals(RedisTimerStore.topic(bucket, shard) + ":0")) {
                        rung.run();
                    }
                }
            });
            bells.sync().subscribe("mr:bell".getBytes(UTF_8));
            return () -> {};
        }

        /** Waits until it has looked for a timer that was just created. */
        void awaitLook() {
            await().until(() -> woken.get() > 0);
        }

        void awaitTimerInTime() {
            await().until(() -> !lags.isEmpty());
            assertThat(lags).singleElement().satisfies(lag -> assertThat(lag).isLessThan(LATEST_MILLIS));
        }

        @Override
        public int room() {
            return 100;
        }

        @Override
        public void fire(List<Timer> timers) {
            timers.forEach(timer -> scanner.ended(timer, Ending.DONE));
        }

        @Override
        public void close() {
            watching.close();
            loop.close();
            bells.close();
        }
    }

    @Test
    void timer_behindOneOfAnotherNode_isNotLate() {
        store.open(group).join();
        try (Node first = new Node(0);
                Node second = new Node(1)) {
            create(0, 1000);
            first.awaitLook();
            second.awaitLook();

            create(1, 1500);

            first.awaitTimerInTime();
            second.awaitTimerInTime();
        }
    }

    @Test
    void timer_thatWasReplacedByALaterOne_isNotLate() {
        store.open(group).join();
        try (Node node = new Node(0)) {
            create(0, 1000);
            node.awaitLook();

            create(0, 1500);

            node.awaitTimerInTime();
        }
    }

    private void create(int partition, long inMillis) {
        TimerId id = IntStream.range(0, 100)
                .mapToObj(i -> new TimerId("cb", "r" + i))
                .filter(each -> group.partitionOf(each) == partition)
                .findFirst()
                .orElseThrow();
        store.create(group, new NewTimer(id, System.currentTimeMillis() + inMillis, NewTimer.NEVER_STALE, "", null))
                .join();
    }
}
