package io.millrace.streams;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.streams.StreamListener.Trip.APPEND;
import static io.millrace.streams.StreamListener.Trip.CONFLICT;
import static io.millrace.streams.StreamListener.Trip.PRUNE;
import static io.millrace.streams.StreamListener.Trip.RESPONSE_BACKWARD;
import static io.millrace.streams.StreamListener.Trip.RESPONSE_FORWARD;
import static io.millrace.streams.StreamListener.Trip.RESYNC;
import static io.millrace.streams.StreamListener.Trip.TIP;
import static io.millrace.streams.StreamListener.Trip.TIP_NOT_FOUND;
import static io.millrace.streams.StreamListener.Trip.TIP_NOT_MODIFIED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.TransactionId;
import io.millrace.streams.StreamEvents.AppendResult;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.millrace.streams.store.StreamStore.PruneResult;
import io.millrace.streams.store.StreamStore.TipResult;
import io.millrace.streams.store.StreamsException;
import io.millrace.streams.store.TimelineEvent;
import io.millrace.streams.store.Token;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Facts about raw events of streams; the numbers are those of the Equinox facts (reference, section 3.6). */
abstract class StreamEventsContract extends StreamKit {

    private final StreamName stream = newStream("Raw");

    @BeforeEach
    void start() {
        startCounting();
    }

    private StreamEvents raw(int maxEventsInTip, int batchesPerPage) {
        return new StreamEvents(context(maxEventsInTip, batchesPerPage));
    }

    /** Writes first some and then more events. */
    private StreamEvents written(int first, int then, int maxEventsInTip, int batchesPerPage) {
        StreamEvents raw = raw(maxEventsInTip, batchesPerPage);
        await(raw.append(stream, 0, events(0, first)));
        await(raw.append(stream, first, events(first, then)));
        startCounting();
        return raw;
    }

    private static Token token(AppendResult result) {
        return switch (result) {
            case AppendResult.Appended(Token token) -> token;
            case AppendResult.Conflict(Token token, var events) -> token;
            case AppendResult.ConflictUnknown(Token token) -> token;
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0})
    void append_givesTheNextIndex_facts1And2(int maxEventsInTip) {
        StreamEvents raw = raw(maxEventsInTip, 10);

        AppendResult one = await(raw.append(stream, 0, events(0, 1)));
        assertThat(trips()).containsExactly(APPEND);
        AppendResult six = await(raw.append(stream, 1, events(1, 5)));

        assertThat(trips()).containsExactly(APPEND);
        assertThat(one).isInstanceOf(AppendResult.Appended.class);
        assertThat(token(one).version()).isEqualTo(1);
        assertThat(token(six).version()).isEqualTo(6);
    }

    @Test
    void append_ofNothing_isRefused_fact3() {
        assertThatThrownBy(() -> await(raw(10, 10).append(stream, 0, List.of())))
                .isInstanceOf(StreamsException.class)
                .hasMessage("Must write either events or unfolds.");
        assertThat(trips()).isEmpty();
    }

    @Test
    void nextIndex_ofNoStream_isZero_fact4() {
        assertThat(await(raw(10, 10).nextIndex(stream))).isZero();
        assertThat(trips()).containsExactly(TIP_NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0, 256})
    void appendAtEnd_goesOnFromThere_facts5To7(int maxEventsInTip) {
        StreamEvents raw = raw(maxEventsInTip, 10);

        assertThat(await(raw.appendAtEnd(stream, events(0, 4)))).isEqualTo(4);
        assertThat(await(raw.appendAtEnd(stream, events(4, 5)))).isEqualTo(9);
        assertThat(await(raw.appendAtEnd(stream, events(9, 9)))).isEqualTo(18);
        assertThat(trips()).containsExactly(APPEND, APPEND, APPEND);
        assertThat(await(raw.nextIndex(stream))).isEqualTo(18);
        assertThat(trips()).containsExactly(TIP);
        assertThat(await(raw.appendAtEnd(stream, events(18, 42)))).isEqualTo(60);
        Token position = await(raw.position(stream, Token.EMPTY));
        startCounting();
        assertThat(await(raw.position(stream, position))).isEqualTo(position);
        assertThat(trips()).containsExactly(TIP_NOT_MODIFIED);
    }

    @Test
    void append_toAnEmptyStream_isAnsweredAtOnce_fact8() {
        AppendResult result = await(raw(1, 10).append(stream, 1, events(0, 1)));

        assertThat(result).isEqualTo(new AppendResult.Conflict(new Token(0, 0), List.of()));
        assertThat(trips()).containsExactly(RESYNC);
    }

    @Test
    void append_conflictingWithTheTip_returnsItsEvents_fact9() {
        StreamEvents raw = raw(1, 10);
        await(raw.append(stream, 0, events(0, 1)));
        startCounting();

        AppendResult result = await(raw.append(stream, 0, events(7, 2)));

        assertThat(trips()).containsExactly(RESYNC);
        assertThat(result).isInstanceOfSatisfying(AppendResult.Conflict.class, conflict -> {
            assertThat(conflict.token().version()).isEqualTo(1);
            assertThat(conflict.events())
                    .extracting(TimelineEvent::event)
                    .containsExactly(events(0, 1).getFirst());
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    void event_hasTheSeqnoOfItsSync(int maxEventsInTip) {
        StreamEvents raw = raw(maxEventsInTip, 10);
        long first = token(await(raw.append(stream, 0, events(0, 2)))).etag();
        long second = token(await(raw.append(stream, 2, events(2, 1)))).etag();

        assertThat(await(raw.get(stream, 0, 10)))
                .extracting(TimelineEvent::seqno)
                .containsExactly(first, first, second);

        await(raw.prune(stream, 1));
        assertThat(await(raw.get(stream, 2, 10)))
                .extracting(TimelineEvent::seqno)
                .containsExactly(second);
    }

    @Test
    void append_conflictingWithABatch_isUnknown_fact10() {
        StreamEvents raw = raw(0, 10);
        await(raw.append(stream, 0, events(0, 1)));
        startCounting();

        AppendResult result = await(raw.append(stream, 0, events(7, 2)));

        assertThat(trips()).containsExactly(CONFLICT);
        assertThat(result).isInstanceOf(AppendResult.ConflictUnknown.class);
        assertThat(token(result).version()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0})
    void get_readsOn_fact11(int maxEventsInTip) {
        StreamEvents raw = written(1, 5, maxEventsInTip, 10);

        assertThat(indices(await(raw.get(stream, 1, 10)))).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(trips()).containsExactly(RESPONSE_FORWARD);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0})
    void get_ofTwoBatches_stopsEarly_facts12And13(int maxEventsInTip) {
        StreamEvents raw = written(2, 4, maxEventsInTip, 1);

        assertThat(await(raw.get(stream, 0, 3)).stream().map(TimelineEvent::event))
                .containsExactlyElementsOf(events(0, 3));
        assertThat(trips()).containsExactly(RESPONSE_FORWARD, RESPONSE_FORWARD);
        assertThat(indices(await(raw.get(stream, 0, 100)))).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void getWhile_readsNoPageTooMany_fact13() {
        StreamEvents raw = written(4, 2, 0, 1);

        assertThat(indices(await(raw.getWhile(stream, 0, event -> event.index() < 1))))
                .containsExactly(0L);
        assertThat(trips()).containsExactly(RESPONSE_FORWARD);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0, 256})
    void getBackwards_readsOn_fact14(int maxEventsInTip) {
        StreamEvents raw = written(1, 5, maxEventsInTip, 10);

        assertThat(indices(await(raw.getBackwards(stream, 4, 4)))).containsExactly(4L, 3L, 2L, 1L);
        assertThat(trips()).containsExactly(RESPONSE_BACKWARD);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0})
    void getBackwards_ofTwoBatches_takesTwoPages_fact15(int maxEventsInTip) {
        StreamEvents raw = written(2, 4, maxEventsInTip, 1);

        assertThat(indices(await(raw.getBackwards(stream, 3, 4)))).containsExactly(3L, 2L, 1L, 0L);
        assertThat(trips()).containsExactly(RESPONSE_BACKWARD, RESPONSE_BACKWARD);
    }

    @Test
    void getBackwardsWhile_readsNoPageTooMany_fact16() {
        StreamEvents inTip = written(4, 2, 3, 1);
        assertThat(indices(await(inTip.getBackwardsWhile(stream, PageRequest.END, event -> event.index() >= 5))))
                .containsExactly(5L);
        assertThat(trips()).containsExactly(RESPONSE_BACKWARD);

        StreamEvents inBatch = new StreamEvents(context(0, 1));
        await(inBatch.appendAtEnd(stream, events(6, 2)));
        startCounting();
        assertThat(indices(await(inBatch.getBackwardsWhile(stream, PageRequest.END, event -> event.index() >= 7))))
                .containsExactly(7L);
        assertThat(trips()).containsExactly(RESPONSE_BACKWARD, RESPONSE_BACKWARD);
    }

    @Test
    void prune_ofEventsInTheTip_trimsIt_facts17To21() {
        StreamEvents raw = written(4, 2, 3, 10);

        assertThat(await(raw.prune(stream, -1))).isEqualTo(new PruneResult(0, 0, 0));
        assertThat(trips()).containsExactly(PRUNE);
        assertThat(await(raw.prune(stream, 4))).isEqualTo(new PruneResult(5, 0, 5));
        assertThat(await(raw.prune(stream, 4))).isEqualTo(new PruneResult(0, 0, 5));
        assertThat(trips()).containsExactly(PRUNE, PRUNE);
        assertThat(indices(await(raw.get(stream, 5, 10)))).containsExactly(5L);
        assertThat(await(raw.prune(stream, 5))).isEqualTo(new PruneResult(1, 0, 6));
        assertThat(await(raw.get(stream, 6, 10))).isEmpty();
    }

    @Test
    void prune_ofBatches_removesWholeOnes_facts19To21() {
        StreamEvents raw = written(4, 2, 0, 10);

        assertThat(await(raw.prune(stream, 2))).isEqualTo(new PruneResult(0, 3, 0));
        assertThat(await(raw.prune(stream, 4))).isEqualTo(new PruneResult(4, 1, 4));
        assertThat(await(raw.prune(stream, 4))).isEqualTo(new PruneResult(0, 1, 4));
        assertThat(indices(await(raw.get(stream, 4, 10)))).containsExactly(4L, 5L);
        assertThat(await(raw.prune(stream, 100))).isEqualTo(new PruneResult(2, 0, 6));
        assertThat(await(raw.get(stream, 6, 10))).isEmpty();
    }

    @Test
    void events_ofAPrunedStream_areInTheArchive_facts22And23() {
        StreamEvents raw = written(4, 2, 0, 10);
        await(new StreamEvents(StreamContext.of(archive())).append(stream, 0, events(0, 6)));
        await(raw.prune(stream, 5));
        startCounting();

        assertThat(await(raw.nextIndex(stream))).isEqualTo(6);
        assertThat(trips()).containsExactly(TIP);
        StreamEvents both = new StreamEvents(context(0, 10).withArchive(archive()));
        assertThat(await(both.get(stream, 0, 10)).stream().map(TimelineEvent::event))
                .containsExactlyElementsOf(events(0, 6));
        assertThat(trips()).containsExactly(RESPONSE_FORWARD, RESPONSE_FORWARD);
    }

    @Test
    void events_thatWerePruned_areMissed_fact29() {
        StreamEvents raw = written(4, 2, 0, 10);
        await(raw.prune(stream, 5));
        startCounting();

        assertThatThrownBy(() -> await(raw.get(stream, 0, 10)))
                .isInstanceOf(StreamsException.class)
                .hasMessageStartingWith("Origin event not found");
        assertThat(trips()).containsExactly(RESPONSE_FORWARD);
    }

    @Test
    void append_repeated_happensOnce() {
        StreamEvents raw = raw(10, 10);
        TransactionId transaction = TransactionId.random();
        AppendResult first = await(raw.append(stream, Expected.any(), events(0, 2), List.of(), transaction));
        await(raw.appendAtEnd(stream, events(2, 3)));

        AppendResult again = await(raw.append(stream, Expected.any(), events(0, 2), List.of(), transaction));

        assertThat(again).isEqualTo(first);
        assertThat(token(again).version()).isEqualTo(2);
        assertThat(await(raw.nextIndex(stream))).isEqualTo(5);
    }

    @Test
    void tip_thatGetsTooLarge_becomesABatch() {
        StreamEvents raw = new StreamEvents(context(1000, 10).withTip(1000, 300));
        await(raw.appendAtEnd(stream, events(0, 2)));
        assertThat(await(store().tip(stream, 0)))
                .isInstanceOfSatisfying(
                        TipResult.Found.class,
                        found -> assertThat(found.tip().index()).isZero());

        await(raw.appendAtEnd(stream, events(2, 10)));

        assertThat(await(store().tip(stream, 0)))
                .isInstanceOfSatisfying(
                        TipResult.Found.class,
                        found -> assertThat(found.tip().index()).isEqualTo(12));
    }

    @Test
    void longStreams_areReadWholeFromBothEnds() {
        StreamEvents raw = raw(7, 3);
        for (int i = 0; i < 100; i++) {
            await(raw.appendAtEnd(stream, events(i * 5, 5)));
        }
        await(raw.appendAtEnd(stream, events(500, 2500)));
        await(raw.appendAtEnd(stream, events(3000, 3)));

        List<Long> forward = indices(await(raw.get(stream, 0, 10_000)));
        List<Long> backward = indices(await(raw.getBackwardsWhile(stream, PageRequest.END, event -> true)));

        assertThat(forward).hasSize(3003).isSorted().doesNotHaveDuplicates();
        assertThat(backward.reversed()).isEqualTo(forward);
        assertThat(indices(await(raw.get(stream, 2_990, 12)))).hasSize(12).startsWith(2_990L);
    }
}
