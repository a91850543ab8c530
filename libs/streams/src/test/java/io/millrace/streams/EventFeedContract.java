package io.millrace.streams;

import static io.millrace.documents.StoreKit.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.streams.follow.EventFeed;
import io.millrace.streams.follow.EventFeed.Step;
import io.millrace.streams.follow.Position;
import io.millrace.streams.store.StreamId;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.TimelineEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The events of many streams, on either engine. */
abstract class EventFeedContract {

    abstract DocumentStore documents();

    abstract Keyspace keyspace();

    abstract StreamStore store();

    private final Map<StreamName, List<Long>> seen = new HashMap<>();

    /** Waits for a task before each read of a stream. */
    private record AppendedBeforeRead(StreamStore store, Supplier<CompletableFuture<?>> task) implements StreamStore {

        @Override
        public CompletableFuture<TipResult> tip(StreamName stream, long knownEtag) {
            return store.tip(stream, knownEtag);
        }

        @Override
        public CompletableFuture<SyncResult> sync(StreamName stream, SyncRequest request) {
            return store.sync(stream, request);
        }

        @Override
        public CompletableFuture<Page> read(StreamName stream, PageRequest request) {
            return task.get().thenCompose(done -> store.read(stream, request));
        }

        @Override
        public CompletableFuture<PruneResult> prune(StreamName stream, long untilIndex) {
            return store.prune(stream, untilIndex);
        }
    }

    private static StreamName cart(int number) {
        return StreamName.create("Cart", StreamId.of("" + number));
    }

    /** Appends events at the end; tips are so short that streams soon have several batches. */
    private void append(StreamName stream, int count) {
        await(appending(stream, count));
    }

    private CompletableFuture<?> appending(StreamName stream, int count) {
        StreamEvents events = new StreamEvents(StreamContext.of(store()).withTip(3, 1_000_000));
        return events.appendAtEnd(stream, StreamKit.events(0, count));
    }

    private EventFeed feed(Position since) {
        return feed(since, store());
    }

    private EventFeed feed(Position since, StreamStore store) {
        return new EventFeed(
                documents(), store, keyspace(), stream -> stream.category().equals("Cart"), since);
    }

    /** Reads until everything has been read, and returns the position then. */
    private Position catchUp(EventFeed feed) {
        for (int steps = 0; steps < 1000; steps++) {
            Step step = await(feed.next());
            if (step instanceof Step.CaughtUp(Position position)) {
                return position;
            }
            see(step);
        }
        throw new AssertionError("No end in sight: " + seen);
    }

    private void see(Step step) {
        Step.Events events = (Step.Events) step;
        seen.computeIfAbsent(events.stream(), stream -> new ArrayList<>())
                .addAll(events.events().stream().map(TimelineEvent::index).toList());
    }

    private static List<Long> indices(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    @Test
    void everyEvent_isSeenOnce_inTheOrderOfItsStream() {
        append(cart(1), 2);
        append(cart(2), 50);
        append(StreamName.parse("Other-1"), 1);
        for (int i = 0; i < 15; i++) {
            append(cart(1), 4); // more batches than one step reads
        }

        try (EventFeed feed = feed(Position.START)) {
            catchUp(feed);
        }

        assertThat(seen).containsOnlyKeys(cart(1), cart(2));
        assertThat(seen.get(cart(1))).isEqualTo(indices(0, 62));
        assertThat(seen.get(cart(2))).isEqualTo(indices(0, 50));
    }

    @Test
    void newEvents_areWaitedFor() {
        append(cart(1), 1);
        try (EventFeed feed = feed(Position.START)) {
            catchUp(feed);
            CompletableFuture<Step> next = feed.next();
            assertThat(next).isNotDone();

            append(cart(1), 2);
            see(await(next));

            assertThat(seen.get(cart(1))).isEqualTo(indices(0, 3));
            catchUp(feed);
        }
        assertThat(seen.get(cart(1))).isEqualTo(indices(0, 3));
    }

    @Test
    void afterCatchingUp_aReaderBeginsAgainWithoutRepetition() {
        append(cart(1), 30);
        append(cart(2), 1);
        Position position;
        try (EventFeed feed = feed(Position.START)) {
            position = catchUp(feed);
        }
        append(cart(1), 20);
        append(StreamName.parse("Other-1"), 1);
        seen.clear();

        try (EventFeed feed = feed(Position.parse(position.toString()))) {
            catchUp(feed);
        }

        assertThat(seen).containsOnlyKeys(cart(1));
        assertThat(seen.get(cart(1))).isEqualTo(indices(30, 50));
    }

    @Test
    void eventAppendedBeforeItsStreamIsRead_isSeenOnce() {
        append(cart(1), 1);
        AtomicInteger appends = new AtomicInteger();
        StreamStore store = new AppendedBeforeRead(
                store(),
                () -> appends.getAndDecrement() > 0 ? appending(cart(1), 1) : CompletableFuture.completedFuture(null));
        try (EventFeed feed = feed(Position.START, store)) {
            catchUp(feed);
            appends.set(1);
            append(cart(1), 1);

            catchUp(feed);
            catchUp(feed);
        }

        assertThat(seen.get(cart(1))).isEqualTo(indices(0, 3));
    }

    /** A stream that changes all the time moves ahead of the reader: what it had before must not be passed by. */
    @Test
    void readersThatBeginAgainAnywhere_whileStreamsChange_missNothing() {
        Random random = new Random(7);
        int[] versions = new int[150];
        Position position = Position.START;
        for (int round = 0; round < 60; round++) {
            for (int i = 0; i < 10; i++) {
                int cart = random.nextInt(versions.length);
                append(cart(cart), 1);
                versions[cart]++;
            }
            try (EventFeed feed = feed(position)) {
                for (int steps = random.nextInt(40); steps > 0; steps--) {
                    Step step = await(feed.next());
                    position = step.position();
                    if (step instanceof Step.CaughtUp) {
                        break;
                    }
                    see(step);
                    int cart = random.nextInt(versions.length);
                    append(cart(cart), 1);
                    versions[cart]++;
                }
            }
        }
        try (EventFeed feed = feed(position)) {
            catchUp(feed);
        }

        for (int cart = 0; cart < versions.length; cart++) {
            List<Long> indices = seen.getOrDefault(cart(cart), List.of());
            assertThat(indices.stream().distinct().sorted().toList())
                    .as("cart %d", cart)
                    .isEqualTo(indices(0, versions[cart]));
        }
    }

    @Test
    void prunedEvents_areLeftOut() {
        append(cart(1), 4);
        append(cart(1), 4);
        await(store().prune(cart(1), 3));

        try (EventFeed feed = feed(Position.START)) {
            catchUp(feed);
        }

        assertThat(seen.get(cart(1))).isEqualTo(indices(4, 8));
    }

    @Test
    void closedFeed_endsAWait() {
        EventFeed feed = feed(Position.START);
        catchUp(feed);
        CompletableFuture<Step> next = feed.next();

        feed.close();

        assertThat(await(next)).isNull();
        assertThat(await(feed.next())).isNull();
    }
}
