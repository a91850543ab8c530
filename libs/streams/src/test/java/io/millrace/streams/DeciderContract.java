package io.millrace.streams;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.streams.StreamListener.Trip.APPEND;
import static io.millrace.streams.StreamListener.Trip.CONFLICT;
import static io.millrace.streams.StreamListener.Trip.RESPONSE_BACKWARD;
import static io.millrace.streams.StreamListener.Trip.RESYNC;
import static io.millrace.streams.StreamListener.Trip.TIP;
import static io.millrace.streams.StreamListener.Trip.TIP_NOT_FOUND;
import static io.millrace.streams.StreamListener.Trip.TIP_NOT_MODIFIED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.AccessStrategy.Transmuted;
import io.millrace.streams.Decider.Decision;
import io.millrace.streams.Decider.SyncContext;
import io.millrace.streams.StreamListener.Trip;
import io.millrace.streams.codec.Codec;
import io.millrace.streams.store.StreamId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Facts about deciders; the numbers are those of the Equinox facts (reference, section 3.6). */
abstract class DeciderContract extends StreamKit {

    sealed interface Event {
        record Added(int item) implements Event {}

        record Compacted(List<Integer> items) implements Event {}
    }

    private final StreamId id = newStream("x").id();

    private static final AccessStrategy<List<Integer>, Event> SNAPSHOT =
            AccessStrategy.snapshot(Event.Compacted.class::isInstance, Event.Compacted::new);
    private static final AccessStrategy<List<Integer>, Event> ROLLING =
            AccessStrategy.rollingState(Event.Compacted::new);

    @BeforeEach
    void start() {
        startCounting();
    }

    private static List<Integer> evolve(List<Integer> state, Event event) {
        return switch (event) {
            case Event.Compacted(List<Integer> items) -> items;
            case Event.Added(int item) -> {
                List<Integer> next = new ArrayList<>(state);
                next.add(item);
                yield List.copyOf(next);
            }
        };
    }

    private Decider<List<Integer>, Event> decider(
            StreamContext context, AccessStrategy<List<Integer>, Event> access, CachingStrategy caching) {
        return Category.<List<Integer>, Event>of("Cart", context, Codec.json(Event.class))
                .fold(List::of, DeciderContract::evolve)
                .access(access)
                .caching(caching)
                .decider(id);
    }

    private Decider<List<Integer>, Event> decider(AccessStrategy<List<Integer>, Event> access) {
        return decider(context(256, 10), access, CachingStrategy.none());
    }

    private static Function<List<Integer>, List<Event>> add(int from, int count) {
        return state -> IntStream.range(from, from + count)
                .filter(item -> !state.contains(item))
                .<Event>mapToObj(Event.Added::new)
                .toList();
    }

    private static List<Integer> read(Decider<List<Integer>, Event> decider) {
        return await(decider.query(state -> state));
    }

    private static List<Integer> read(Decider<List<Integer>, Event> decider, LoadOption<List<Integer>> load) {
        return await(decider.query(state -> state, load));
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void unoptimized_readsAllBatchesInPages_fact24(boolean eventsInTip) {
        Decider<List<Integer>, Event> decider =
                decider(context(eventsInTip ? 79 : 0, 3), AccessStrategy.unoptimized(), CachingStrategy.none());
        for (int n = 0; n < 6; n++) {
            startCounting();
            await(decider.transact(add(n * 79, 79)));

            int batches = eventsInTip ? n / 2 : n;
            int pages = (1 + batches + 2) / 3;
            List<Trip> expected = new ArrayList<>(Collections.nCopies(pages, RESPONSE_BACKWARD));
            expected.add(APPEND);
            assertThat(trips()).as("transact %d", n).isEqualTo(expected);
        }
        assertThat(read(decider)).hasSize(6 * 79);
    }

    /** Two writers that have read the same state, twice. */
    private void twoWriters(Decider<List<Integer>, Event> one, Decider<List<Integer>, Event> two) {
        for (int round = 0; round < 2; round++) {
            int item = round * 10;
            boolean[] entered = {false};
            await(one.transact(state -> {
                if (!entered[0]) {
                    entered[0] = true;
                    await(two.transact(add(item + 1, 1)));
                }
                return add(item, 1).apply(state);
            }));
        }
    }

    @Test
    void conflict_withEventsInTheTip_isResolvedWithoutAReading_fact25() {
        twoWriters(decider(AccessStrategy.unoptimized()), decider(AccessStrategy.unoptimized()));

        assertThat(trips.stream().filter(RESYNC::equals)).hasSize(2);
        assertThat(trips).doesNotContain(CONFLICT);
        assertThat(trips.stream().filter(RESPONSE_BACKWARD::equals)).hasSize(4);
        assertThat(read(decider(AccessStrategy.unoptimized()))).containsExactlyInAnyOrder(0, 1, 10, 11);
    }

    @Test
    void conflict_withoutEventsInTheTip_takesAReading_fact26() {
        StreamContext context = context(0, 10);
        twoWriters(
                decider(context, AccessStrategy.unoptimized(), CachingStrategy.none()),
                decider(context, AccessStrategy.unoptimized(), CachingStrategy.none()));

        assertThat(trips.stream().filter(CONFLICT::equals)).hasSize(2);
        assertThat(trips).doesNotContain(RESYNC);
        assertThat(read(decider(AccessStrategy.unoptimized()))).containsExactlyInAnyOrder(0, 1, 10, 11);
    }

    private Decider<List<Integer>, Event> latest(CachingStrategy caching) {
        return decider(context(256, 10), AccessStrategy.latestKnownEvent(), caching);
    }

    private static Function<List<Integer>, List<Event>> set(int value) {
        return state -> List.of(new Event.Compacted(List.of(value)));
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 0})
    void latestKnownEvent_readsOnlyTheTip_facts27To29(int maxEventsInTip) {
        StreamContext context = context(maxEventsInTip, 10);
        Decider<List<Integer>, Event> decider =
                decider(context, AccessStrategy.latestKnownEvent(), CachingStrategy.none());
        for (int i = 0; i < 14; i++) {
            await(decider.transact(set(i)));
        }
        startCounting();

        await(decider.transact(set(14)));
        assertThat(read(decider)).containsExactly(14);
        assertThat(trips()).containsExactly(TIP, APPEND, TIP);

        StreamEvents raw = new StreamEvents(context);
        assertThat(await(raw.prune(decider.stream(), 14)).deleted()).isEqualTo(15);
        startCounting();
        assertThat(read(decider)).containsExactly(14);
        assertThat(trips()).containsExactly(TIP);
        assertThatThrownBy(() -> await(raw.get(decider.stream(), 0, 100)))
                .hasMessageStartingWith("Origin event not found; no archive supplied");
    }

    @Test
    void latestKnownEvent_cached_asksWhetherItIsModified_fact30() {
        Decider<List<Integer>, Event> decider = latest(CachingStrategy.slidingWindow(cache(), Duration.ofMinutes(20)));
        for (int i = 0; i < 13; i++) {
            await(decider.transact(set(i)));
        }
        startCounting();

        await(decider.transact(set(13)));
        assertThat(read(decider)).containsExactly(13);
        assertThat(read(decider, LoadOption.anyCachedValue())).containsExactly(13);
        assertThat(trips()).containsExactly(TIP_NOT_MODIFIED, APPEND, TIP_NOT_MODIFIED);
    }

    @Test
    void rollingState_findsConflictsByEtag_fact31() {
        twoWriters(decider(ROLLING), decider(ROLLING));

        assertThat(trips.stream().filter(RESYNC::equals)).hasSize(2);
        assertThat(trips).doesNotContain(CONFLICT);
        assertThat(read(decider(ROLLING))).containsExactlyInAnyOrder(0, 1, 10, 11);
        assertThat(await(new StreamEvents(context(256, 10)).nextIndex(decider(ROLLING).stream())))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 0})
    void snapshot_savesReading_facts32To35(int maxEventsInTip) {
        StreamContext context = context(maxEventsInTip, 10);
        Decider<List<Integer>, Event> one = decider(context, SNAPSHOT, CachingStrategy.none());
        Decider<List<Integer>, Event> two = decider(context, SNAPSHOT, CachingStrategy.none());

        await(one.transact(add(0, 10)));
        assertThat(read(two)).hasSize(10);
        assertThat(trips()).containsExactly(TIP_NOT_FOUND, APPEND, TIP);
        await(two.transact(add(10, 2)));
        assertThat(trips()).containsExactly(TIP, APPEND);
        assertThat(read(one)).hasSize(12);
        assertThat(trips()).containsExactly(TIP);

        await(new StreamEvents(context).prune(one.stream(), 11));
        startCounting();
        assertThat(read(one)).hasSize(12);
        assertThat(trips()).containsExactly(TIP);
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 0})
    void snapshot_cached_savesMoreReading_facts36To41(int maxEventsInTip) {
        StreamContext context = context(maxEventsInTip, 10);
        CachingStrategy caching = CachingStrategy.slidingWindow(cache(), Duration.ofMinutes(20));
        Decider<List<Integer>, Event> one = decider(context, SNAPSHOT, caching);
        Decider<List<Integer>, Event> two = decider(context, SNAPSHOT, caching);

        await(one.transact(add(0, 10)));
        assertThat(read(two)).hasSize(10);
        assertThat(trips()).containsExactly(TIP_NOT_FOUND, APPEND, TIP_NOT_MODIFIED);
        await(two.transact(add(10, 2)));
        assertThat(trips()).containsExactly(TIP_NOT_MODIFIED, APPEND);
        assertThat(read(one, LoadOption.anyCachedValue())).hasSize(12);
        assertThat(trips()).isEmpty();
        read(one);
        read(two);
        assertThat(trips()).containsExactly(TIP_NOT_MODIFIED, TIP_NOT_MODIFIED);
        await(one.transact(add(12, 1), LoadOption.anyCachedValue()));
        assertThat(trips()).containsExactly(APPEND);

        await(new StreamEvents(context).prune(one.stream(), 12));
        startCounting();
        assertThat(read(one)).hasSize(13);
        assertThat(trips()).containsExactly(maxEventsInTip == 0 ? TIP_NOT_MODIFIED : TIP);
    }

    @Test
    void strategies_mayChangeOverTime_fact42() {
        await(decider(AccessStrategy.unoptimized()).transact(add(10, 1)));
        await(decider(SNAPSHOT).transact(add(11, 1)));
        await(decider(ROLLING).transact(add(12, 1)));
        await(decider(SNAPSHOT).transact(add(9, 1)));

        assertThat(read(decider(SNAPSHOT))).containsExactly(10, 11, 12, 9);
        assertThat(read(decider(ROLLING))).containsExactly(10, 11, 12, 9);
        assertThat(read(decider(AccessStrategy.unoptimized()))).containsExactly(10, 11, 9);
    }

    @Test
    void competingWriters_withAndWithoutCache_seeTheSame_fact43() {
        Random random = new Random(43);
        StreamContext context = context(5, 10);
        Decider<List<Integer>, Event> cached = decider(
                context, AccessStrategy.unoptimized(), CachingStrategy.slidingWindow(cache(), Duration.ofMinutes(20)));
        Decider<List<Integer>, Event> plain = decider(context, AccessStrategy.unoptimized(), CachingStrategy.none());
        int written = 0;
        for (int round = 0; round < 20; round++) {
            Decider<List<Integer>, Event> writer = random.nextBoolean() ? cached : plain;
            int count = random.nextInt(26);
            await(writer.transact(add(written, count)));
            written += count;

            List<Integer> expected = IntStream.range(0, written).boxed().toList();
            assertThat(read(cached)).isEqualTo(expected);
            assertThat(read(plain)).isEqualTo(expected);
        }
    }

    @Test
    void custom_writesWhatItsFunctionReturns() {
        AccessStrategy<List<Integer>, Event> everySecond = AccessStrategy.custom(
                Event.Compacted.class::isInstance,
                (events, state) -> state.size() % 2 == 0
                        ? new Transmuted<>(events, List.of(new Event.Compacted(state)))
                        : new Transmuted<>(List.of(), List.of(new Event.Compacted(state))));
        Decider<List<Integer>, Event> decider = decider(everySecond);

        for (int item = 0; item < 5; item++) {
            await(decider.transact(add(item, 1)));
        }

        assertThat(read(decider)).containsExactly(0, 1, 2, 3, 4);
        assertThat(await(new StreamEvents(context(256, 10)).nextIndex(decider.stream())))
                .isEqualTo(2);
    }

    @Test
    void decision_thatAlwaysConflicts_fails() {
        Decider<List<Integer>, Event> other = decider(SNAPSHOT);
        int[] attempts = {0};

        assertThatThrownBy(() -> await(decider(SNAPSHOT).transact(state -> {
                    await(other.transact(add(100 + attempts[0]++, 1)));
                    return add(0, 1).apply(state);
                })))
                .isInstanceOf(MaxResyncsExhaustedException.class);
        assertThat(attempts[0]).isEqualTo(3);
        assertThat(read(other)).containsExactly(100, 101, 102);
    }

    @Test
    void idempotentCommand_writesNothing() {
        Decider<List<Integer>, Event> decider = decider(SNAPSHOT);
        await(decider.transact(add(1, 1)));
        startCounting();

        int size = await(decider.transact(add(1, 1), List::size));

        assertThat(size).isOne();
        assertThat(trips()).containsExactly(TIP);
    }

    @Test
    void decision_withAResult_returnsIt() {
        String result = await(decider(SNAPSHOT)
                .transactResult(
                        state -> Decision.of("was " + state.size(), add(5, 1).apply(state))));

        assertThat(result).isEqualTo("was 0");
        long version = await(decider(SNAPSHOT).queryContext(SyncContext::version, LoadOption.requireLeader()));
        assertThat(version).isOne();
    }

    @Test
    void assumeEmpty_savesTheReading_andFindsOutWhenItIsNot() {
        await(decider(SNAPSHOT).transact(add(1, 1), LoadOption.assumeEmpty()));
        assertThat(trips()).containsExactly(APPEND);

        await(decider(SNAPSHOT).transact(add(2, 1), LoadOption.assumeEmpty()));

        assertThat(trips()).containsExactly(RESYNC, APPEND);
        assertThat(read(decider(SNAPSHOT))).containsExactly(1, 2);
    }

    @Test
    void concurrentStaleReads_shareOneRoundTrip() {
        CachingStrategy caching = CachingStrategy.slidingWindow(cache(), Duration.ofMinutes(20));
        Decider<List<Integer>, Event> decider = decider(context(256, 10), SNAPSHOT, caching);
        await(decider(SNAPSHOT).transact(add(1, 1)));
        startCounting();

        List<CompletableFuture<List<Integer>>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(decider.query(state -> state, LoadOption.allowStale(Duration.ofMinutes(1))));
        }

        answers.forEach(answer -> assertThat(await(answer)).containsExactly(1));
        assertThat(trips()).containsExactly(TIP);
    }

    @Test
    void favorites_areKept() {
        Favorites favorites =
                new Favorites(context(256, 10), CachingStrategy.slidingWindow(cache(), Duration.ofMinutes(20)));
        String client = id.text();
        Favorites.Item tea = new Favorites.Item(1, "tea", NOW);
        Favorites.Item milk = new Favorites.Item(2, "milk", NOW);

        await(favorites.execute(client, new Favorites.Command.Add(tea)));
        await(favorites.execute(client, new Favorites.Command.Add(milk)));
        await(favorites.execute(client, new Favorites.Command.Add(tea)));
        assertThat(await(favorites.list(client))).containsExactly(milk, tea);
        await(favorites.execute(client, new Favorites.Command.Remove(2)));

        assertThat(await(favorites.list(client))).containsExactly(tea);
        assertThat(await(favorites.list(client + "x"))).isEmpty();
    }
}
