package io.millrace.streams;

import static io.millrace.documents.StoreKit.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.streams.follow.GroupCheckpoints;
import io.millrace.streams.follow.Position;
import io.millrace.streams.follow.Subscription;
import io.millrace.streams.follow.Subscription.End;
import io.millrace.streams.follow.Subscription.Handler;
import io.millrace.streams.follow.Subscription.Options;
import io.millrace.streams.store.StreamId;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.TimelineEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A consumer group handles every event of its streams in order, on either engine. */
@Timeout(180)
abstract class SubscriptionContract {

    private static final String GROUP = "projection";
    private static final Options OPTIONS = Options.of(GROUP, "Cart")
            .withCheckpointEvery(Duration.ofMillis(20))
            .withPauses(Duration.ofMillis(1), Duration.ofMillis(20));

    abstract DocumentStore documents();

    abstract Keyspace keyspace();

    /** Returns a keyspace of another bucket. */
    abstract Keyspace other();

    abstract StreamStore store();

    private final Map<StreamName, List<Long>> seen = new ConcurrentHashMap<>();
    private final List<Subscription> opened = new ArrayList<>();

    @AfterEach
    void closeAll() {
        opened.forEach(Subscription::close);
    }

    private static StreamName cart(int number) {
        return StreamName.create("Cart", StreamId.of("" + number));
    }

    private void append(StreamName stream, int count) {
        StreamEvents events = new StreamEvents(StreamContext.of(store()).withTip(3, 1_000_000));
        await(events.appendAtEnd(stream, StreamKit.events(0, count)));
    }

    private GroupCheckpoints checkpoints() {
        return new GroupCheckpoints(documents(), other());
    }

    private Subscription start(Options options, Handler handler) {
        Subscription subscription =
                Subscription.start(documents(), store(), keyspace(), checkpoints(), options, handler);
        opened.add(subscription);
        return subscription;
    }

    private void see(StreamName stream, List<TimelineEvent> events) {
        seen.computeIfAbsent(stream, name -> new ArrayList<>())
                .addAll(events.stream().map(TimelineEvent::index).toList());
    }

    private static void until(BooleanSupplier condition) {
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(condition::getAsBoolean);
    }

    private static List<Long> indices(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    private Position checkpoint() {
        return await(checkpoints().read(GROUP)).orElse(Position.START);
    }

    @Test
    void everyEvent_isHandledInTheOrderOfItsStream_streamsInParallel() {
        for (int i = 0; i < 10; i++) {
            append(cart(1), 4);
            append(cart(2), 4);
        }
        append(StreamName.parse("Other-1"), 1);
        CountDownLatch both = new CountDownLatch(2);
        Set<StreamName> first = ConcurrentHashMap.newKeySet();
        Set<StreamName> inside = ConcurrentHashMap.newKeySet();

        Subscription subscription = start(OPTIONS, (stream, events) -> {
            assertThat(inside.add(stream))
                    .as("one handler at a time for " + stream)
                    .isTrue();
            if (first.add(stream)) {
                both.countDown();
                both.await(); // each waits for the other: they run at the same time
            }
            see(stream, events);
            inside.remove(stream);
        });

        until(() -> subscription.statistics().caughtUp());
        append(cart(1), 1);
        until(() -> seen.get(cart(1)).size() == 41);
        assertThat(seen).containsOnlyKeys(cart(1), cart(2));
        assertThat(seen.get(cart(1))).isEqualTo(indices(0, 41));
        assertThat(seen.get(cart(2))).isEqualTo(indices(0, 40));
        until(() -> subscription.statistics().handledEvents() == 81);
        assertThat(subscription.statistics().failures()).isZero();
    }

    @Test
    void groupThatBeginsAgain_continuesBehindItsCheckpoint() {
        append(cart(1), 5);
        try (Subscription subscription = start(OPTIONS, this::see)) {
            until(() -> subscription.statistics().caughtUp());
        }
        append(cart(1), 2);
        seen.clear();

        start(OPTIONS, this::see);

        until(() -> seen.containsKey(cart(1)));
        assertThat(seen.get(cart(1))).isEqualTo(indices(5, 7));
    }

    @Test
    void movedCheckpoint_hasEverythingHandledAgain() {
        append(cart(1), 5);
        try (Subscription subscription = start(OPTIONS, this::see)) {
            until(() -> subscription.statistics().caughtUp());
        }
        seen.clear();

        await(checkpoints().move(GROUP, Position.START));
        start(OPTIONS, this::see);

        until(() -> seen.containsKey(cart(1)));
        assertThat(seen.get(cart(1))).isEqualTo(indices(0, 5));
    }

    @Test
    void streamThatFails_isTriedAgainInOrder_andHoldsUpNoOther() {
        append(cart(1), 2);
        append(cart(2), 2);
        AtomicInteger attempts = new AtomicInteger();
        Semaphore repaired = new Semaphore(0);

        Subscription subscription = start(OPTIONS.withParallelism(1, 1000), (stream, events) -> {
            if (stream.equals(cart(1)) && !repaired.tryAcquire()) {
                attempts.incrementAndGet();
                throw new IllegalStateException("the database is away");
            }
            see(stream, events);
        });

        until(() -> attempts.get() >= 3 && seen.containsKey(cart(2)));
        Position before = checkpoint();
        append(cart(1), 2);
        append(cart(3), 1);
        until(() -> seen.containsKey(cart(3)));
        assertThat(seen).doesNotContainKey(cart(1));
        assertThat(checkpoint()).as("nothing behind the failure is saved").isEqualTo(before);
        assertThat(subscription.statistics().failingStreams()).isEqualTo(1);
        assertThat(subscription.statistics().lastFailure()).contains("Cart-1", "the database is away");

        repaired.release(100);
        until(() -> subscription.statistics().caughtUp());
        assertThat(seen.get(cart(1))).isEqualTo(indices(0, 4));
        assertThat(subscription.statistics().failingStreams()).isZero();
        until(() -> !checkpoint().equals(before));
    }

    @Test
    void slowHandler_stopsReading() {
        for (int i = 1; i <= 20; i++) {
            append(cart(i), 1);
        }
        CountDownLatch go = new CountDownLatch(1);
        Subscription subscription = start(OPTIONS.withParallelism(2, 5), (stream, events) -> {
            go.await();
            see(stream, events);
        });

        until(() -> subscription.statistics().waitingEvents() == 5);
        assertThat(subscription.statistics().busyStreams()).isEqualTo(2);
        assertThat(subscription.statistics().caughtUp()).isFalse();
        go.countDown();

        until(() -> seen.size() == 20);
        assertThat(subscription.statistics().waitingEvents()).isLessThanOrEqualTo(5);
    }

    @Test
    void secondSubscription_takesTheGroupOver() {
        append(cart(1), 1);
        Subscription first = start(OPTIONS, this::see);
        until(() -> first.statistics().caughtUp());

        Subscription second = start(OPTIONS, this::see);
        until(() -> second.statistics().checkpoint() != null);
        append(cart(1), 1);

        assertThat(await(first.ended())).isEqualTo(End.TAKEN_OVER);
        until(() -> second.statistics().caughtUp() && seen.get(cart(1)).contains(1L));
        second.close();
        assertThat(await(second.ended())).isEqualTo(End.CLOSED);
    }

    /** What is handled twice was not saved; what is saved was handled. */
    @Test
    void subscriptionsThatEndAnywhere_whileStreamsChange_missNothing() {
        Random random = new Random(11);
        int[] versions = new int[40];
        for (int round = 0; round < 12; round++) {
            int enough = random.nextInt(60);
            Semaphore handled = new Semaphore(0);
            try (Subscription subscription = start(OPTIONS.withParallelism(4, 30), (stream, events) -> {
                if (handled.availablePermits() > enough) {
                    throw new IllegalStateException("too much for today");
                }
                see(stream, events);
                handled.release();
            })) {
                for (int i = 0; i < 60; i++) {
                    int cart = random.nextInt(versions.length);
                    append(cart(cart), 1);
                    versions[cart]++;
                }
                until(() -> handled.availablePermits() > enough
                        || subscription.statistics().caughtUp());
            }
        }
        try (Subscription subscription = start(OPTIONS, this::see)) {
            until(() -> subscription.statistics().caughtUp());
        }

        for (int cart = 0; cart < versions.length; cart++) {
            List<Long> indices = seen.getOrDefault(cart(cart), List.of());
            assertThat(indices.stream().distinct().toList()).as("cart %d", cart).isEqualTo(indices(0, versions[cart]));
        }
    }

    @Test
    void closing_waitsForTheHandler_andSavesWhatItHandled() throws Exception {
        append(cart(1), 1);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Options rarely = OPTIONS.withCheckpointEvery(Duration.ofHours(1));
        Subscription subscription = start(rarely, (stream, events) -> {
            inside.countDown();
            go.await();
            see(stream, events);
        });
        inside.await();

        Thread closing = Thread.startVirtualThread(subscription::close);
        assertThat(subscription.ended()).isNotDone();
        go.countDown();
        closing.join();

        assertThat(seen).containsKey(cart(1));
        assertThat(checkpoint()).isNotEqualTo(Position.START);
    }

    @Test
    void wrongOptions_areRefused() {
        assertThatThrownBy(() -> Options.of("a b", "Cart")).hasMessageContaining("1 to 200 letters");
        assertThatThrownBy(() -> OPTIONS.withParallelism(0, 1)).hasMessageContaining("streams at a time");
        assertThatThrownBy(() -> Subscription.start(
                        documents(),
                        store(),
                        keyspace(),
                        new GroupCheckpoints(documents(), keyspace()),
                        OPTIONS,
                        this::see))
                .hasMessageContaining("must not be in the keyspace of the streams");
    }
}
