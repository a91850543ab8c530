package io.millrace.timers;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.timers.TimerStore.Change;
import io.millrace.timers.TimerStore.Claim;
import io.millrace.timers.TimerStore.DirectoryEntry;
import io.millrace.timers.TimerStore.ListedTimer;
import io.millrace.timers.TimerStore.TimerCounts;
import io.millrace.timers.TimerStore.TimerMark;
import io.millrace.timers.TimerStore.TimerQuery;
import io.millrace.traces.TraceContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store of timers does, however many shards the metadata bucket has. */
abstract class TimerStoreContract {

    private static final long NOON = 1_767_268_800_000L;
    private static final int MOST_PARTITIONS = 64;
    private static final long EPOCH = 1_767_000_000_000_000L;

    private final String function = UUID.randomUUID().toString();
    private final TimerGroup group = group("i1", 1);

    protected abstract TimerStore store();

    /** Returns how many shards the metadata bucket has. */
    int shards() {
        return 1;
    }

    private TimerGroup group(String instance, int partitions) {
        return new TimerGroup("meta", shards(), function, instance, partitions);
    }

    @BeforeEach
    void open() {
        store().open(group("i1", MOST_PARTITIONS)).join();
        assertThat(store().take(group, 0, EPOCH).join()).isTrue();
    }

    @Test
    void create_inFuture_isFoundAndNotClaimed() {
        NewTimer timer = new NewTimer(new TimerId("cb", "a:b"), NOON, NOON + 5, "x y\n", "{\"n\":1}\n2")
                .trace(TraceContext.random().text());

        assertThat(store().create(group, timer).join()).isEqualTo(Change.DONE);

        assertThat(claim("1", NOON - 1)).isEmpty();
        ListedTimer found = store().find(group, timer.id()).join().orElseThrow();
        assertThat(found.firing()).isFalse();
        assertThat(found.timer()).isEqualTo(Timer.first(timer, found.timer().version()));
    }

    @Test
    void create_whenNotOpenOrOfAnotherInstance_isFenced() {
        TimerGroup never = new TimerGroup("meta", shards(), UUID.randomUUID().toString(), "i1", 4);

        assertThat(store().create(never, timer("a", NOON)).join()).isEqualTo(Change.FENCED);
        assertThat(store().create(group("i2", 1), timer("a", NOON)).join()).isEqualTo(Change.FENCED);
        assertThat(store().counts(group).join()).isEqualTo(TimerCounts.NONE);
    }

    @Test
    void due_ofSeveralFunctions_namesThoseWithUnclaimedTimers() {
        TimerGroup other = new TimerGroup("meta", shards(), UUID.randomUUID().toString(), "i1", 1);
        store().open(other).join();
        create("a", NOON, "1");
        store().create(other, timer("b", NOON + 10)).join();
        List<TimerGroup> groups = List.of(other, group);
        int shard = group.shardOf(0);

        assertThat(store().due(groups, shard, NOON - 1).join()).isEmpty();
        assertThat(store().due(groups, shard, NOON).join()).containsExactly(1);
        assertThat(store().due(groups, shard, NOON + 10).join()).containsExactly(0, 1);

        assertThat(claim("1", NOON)).hasSize(1);
        assertThat(store().due(groups, shard, NOON + 10).join()).containsExactly(0);
    }

    @Test
    void create_withSameId_replacesTheFormer() {
        create("a", NOON, "1");
        create("a", NOON + 10, "2");

        assertThat(claim("1", NOON + 9)).isEmpty();
        assertThat(claim("2", NOON + 10)).extracting(Timer::context).containsExactly("2");
        assertThat(store().counts(group).join()).isEqualTo(new TimerCounts(0, 1, 0));
    }

    @Test
    void restore_whereThereIsATimer_changesNothing() {
        create("a", NOON, "1");
        ListedTimer before = store().find(group, new TimerId("cb", "a")).join().orElseThrow();

        assertThat(store().restore(group, timer("a", NOON + 5)).join()).isEqualTo(Change.EXISTS);
        assertThat(store().restore(group, timer("b", NOON + 5)).join()).isEqualTo(Change.DONE);
        assertThat(store().restore(group("i2", 1), timer("c", NOON)).join()).isEqualTo(Change.FENCED);

        assertThat(store().find(group, before.timer().id()).join()).contains(before);
        assertThat(claim("1", NOON + 5))
                .extracting(timer -> timer.id().reference())
                .containsExactly("a", "b");
    }

    @Test
    void mark_isNotedWhereTheOwnerKnewTheOneBefore() {
        assertThat(mark(EPOCH, "5", "6")).contains("");
        assertThat(mark(EPOCH, "", "6")).contains("6");
        assertThat(mark(EPOCH, "6", "7 1")).contains("7 1");
        assertThat(mark(EPOCH, "6", "8")).contains("7 1");
        assertThat(mark(EPOCH + 1, "7 1", "8")).isEmpty();
        assertThat(store().counts(group).join()).isEqualTo(TimerCounts.NONE);
    }

    private Optional<String> mark(long epoch, String expected, String next) {
        return store().mark(group, new TimerMark(0, epoch, expected, next)).join();
    }

    @Test
    void create_withSameReferenceOfAnotherCallback_isAnotherTimer() {
        create("a", NOON, "1");
        store().create(group, new NewTimer(new TimerId("other", "a"), NOON, 0, "", null))
                .join();

        assertThat(claim("1", NOON)).hasSize(2);
    }

    @Test
    void context_undefinedAndEmptyAndLarge_comesBackAsItWas() {
        String large = "é\u0000\r\n".repeat(1_000_000);
        create("none", 1, null);
        create("empty", 2, "");
        create("large", 3, large);

        List<Timer> claimed = claim("1", NOON);

        assertThat(claimed.get(0).context()).isNull();
        assertThat(claimed.get(1).context()).isEmpty();
        assertThat(claimed.get(2).context()).isEqualTo(large);
    }

    @Test
    void claim_ofDueTimers_isInOrderAndUpToTheLimit() {
        for (int i = 0; i < 10; i++) {
            create("r" + i, NOON - i, null);
        }

        List<Timer> first = claim(new Claim(0, EPOCH, "1", NOON, 4));
        List<Timer> second = claim(new Claim(0, EPOCH, "2", NOON, 100));

        assertThat(first).extracting(Timer::due).containsExactly(NOON - 9, NOON - 8, NOON - 7, NOON - 6);
        assertThat(second).hasSize(6);
        assertThat(claim("3", NOON)).isEmpty();
    }

    @Test
    void claim_ofLargeContexts_endsAtTheBytesButHandsOutOne() {
        String large = "x".repeat(TimerLimits.CLAIM_BYTES);
        create("a", 1, large);
        create("b", 2, large);

        assertThat(claim("1", NOON)).hasSize(1);
        assertThat(claim("2", NOON)).hasSize(1);
    }

    @Test
    void claim_repeated_handsOutTheSameAndNothingMore() {
        create("a", NOON, null);
        List<Timer> first = claim("1", NOON);
        create("b", NOON, null);

        assertThat(claim("1", NOON)).isEqualTo(first);
        assertThat(claim("2", NOON)).extracting(each -> each.id().reference()).containsExactly("b");
    }

    @Test
    void claim_byAnotherEpoch_isFenced() {
        create("a", NOON, null);

        assertThat(store().take(group, 0, EPOCH + 1).join()).isTrue();

        assertThat(store().claim(group, new Claim(0, EPOCH, "1", NOON, 10)).join())
                .isEmpty();
        assertThat(store().take(group, 0, EPOCH).join()).isFalse();
        assertThat(store().claim(group, new Claim(0, EPOCH + 1, "1", NOON, 10)).join())
                .hasValueSatisfying(timers -> assertThat(timers).hasSize(1));
    }

    @Test
    void take_afterTheOwnerDied_makesWhatItClaimedDueAgain() {
        create("a", NOON, "ctx");
        Timer claimed = claim("1", NOON).getFirst();

        store().take(group, 0, EPOCH + 1).join();

        assertThat(store().directory(group, 10).join()).containsExactly(new DirectoryEntry(0, NOON));
        Claim again = new Claim(0, EPOCH + 1, "1", NOON, 10);
        assertThat(store().claim(group, again).join()).contains(List.of(claimed));
    }

    @Test
    void confirm_afterTheCallback_removesTheTimer() {
        create("a", NOON, null);
        create("b", NOON, null);
        List<Timer> claimed = claim("1", NOON);

        assertThat(store().confirm(group, 0, EPOCH, claimed.subList(0, 1)).join())
                .isTrue();

        assertThat(store().counts(group).join()).isEqualTo(new TimerCounts(0, 1, 0));
        assertThat(store().confirm(group, 0, EPOCH, claimed).join()).isTrue();
        assertThat(store().counts(group).join()).isEqualTo(TimerCounts.NONE);
        assertThat(store().confirm(group, 0, EPOCH, List.of()).join()).isTrue();
    }

    @Test
    void confirm_afterTheTimerWasReplaced_keepsTheNewOne() {
        create("a", NOON, "old");
        List<Timer> claimed = claim("1", NOON);
        create("a", NOON + 1, "new");

        store().confirm(group, 0, EPOCH, claimed).join();

        assertThat(claim("2", NOON + 1)).extracting(Timer::context).containsExactly("new");
    }

    @Test
    void confirm_byAFormerOwner_changesNothing() {
        create("a", NOON, null);
        List<Timer> claimed = claim("1", NOON);
        store().take(group, 0, EPOCH + 1).join();

        assertThat(store().confirm(group, 0, EPOCH, claimed).join()).isFalse();
        assertThat(store().again(group, EPOCH, claimed.getFirst()).join()).isEqualTo(Change.FENCED);
        assertThat(store().bury(group, EPOCH, new DeadLetter(claimed.getFirst(), NOON, "e"))
                        .join())
                .isEqualTo(Change.FENCED);
        assertThat(store().counts(group).join()).isEqualTo(new TimerCounts(1, 0, 0));
    }

    @Test
    void again_afterAFailure_isDueLaterWithItsFailures() {
        create("a", NOON, "ctx");
        Timer claimed = claim("1", NOON).getFirst();

        assertThat(store().again(group, EPOCH, claimed.failedUntil(NOON + 100)).join())
                .isEqualTo(Change.DONE);

        assertThat(claim("2", NOON + 99)).isEmpty();
        Timer retried = claim("3", NOON + 100).getFirst();
        assertThat(retried).isEqualTo(claimed.failedUntil(NOON + 100));
        assertThat(retried.firstDue()).isEqualTo(NOON);
        assertThat(retried.failures()).isEqualTo(1);
        assertThat(retried.context()).isEqualTo("ctx");
    }

    @Test
    void again_ofATimerThatIsGoneOrNew_isNotFound() {
        create("a", NOON, null);
        create("b", NOON, null);
        List<Timer> claimed = claim("1", NOON);
        store().cancel(group, claimed.get(0).id()).join();
        create("b", NOON + 5, null);

        for (Timer each : claimed) {
            assertThat(store().again(group, EPOCH, each.failedUntil(NOON)).join())
                    .isEqualTo(Change.NOT_FOUND);
            assertThat(store().bury(group, EPOCH, new DeadLetter(each, NOON, "e"))
                            .join())
                    .isEqualTo(Change.NOT_FOUND);
        }
        assertThat(store().counts(group).join()).isEqualTo(new TimerCounts(1, 0, 0));
    }

    @Test
    void cancel_ofAWaitingTimer_removesIt() {
        create("a", NOON, null);
        TimerId id = new TimerId("cb", "a");

        assertThat(store().cancel(group, id).join()).isEqualTo(Change.DONE);

        assertThat(store().cancel(group, id).join()).isEqualTo(Change.NOT_FOUND);
        assertThat(store().find(group, id).join()).isEmpty();
        assertThat(store().directory(group, 10).join()).isEmpty();
    }

    @Test
    void cancel_whileTheCallbackRuns_saysSoAndEndsIt() {
        create("a", NOON, null);
        claim("1", NOON);

        assertThat(store().cancel(group, new TimerId("cb", "a")).join()).isEqualTo(Change.FIRING);

        store().take(group, 0, EPOCH + 1).join();
        assertThat(store().counts(group).join()).isEqualTo(TimerCounts.NONE);
    }

    @Test
    void directory_followsTheEarliestUnclaimedTimerOfEachPartition() {
        TimerGroup wide = group("i1", 8);
        List<NewTimer> timers =
                IntStream.range(0, 40).mapToObj(i -> timer("r" + i, NOON + i)).toList();
        timers.forEach(each -> store().create(wide, each).join());

        List<DirectoryEntry> all = store().directory(wide, 100).join();

        assertThat(all).hasSize(8).isSortedAccordingTo((a, b) -> Long.compare(a.due(), b.due()));
        assertThat(all.getFirst())
                .isEqualTo(new DirectoryEntry(wide.partitionOf(timers.getFirst().id()), NOON));
        assertThat(store().directory(wide, 3).join()).isEqualTo(all.subList(0, 3));
        for (DirectoryEntry each : all) {
            store().take(wide, each.partition(), EPOCH).join();
            store().claim(wide, new Claim(each.partition(), EPOCH, "1", NOON + 100, 100))
                    .join();
        }
        assertThat(store().directory(wide, 100).join()).isEmpty();
    }

    @Test
    void bury_thenReplay_keepsTheLetterUntilThen() {
        create("a", NOON, "ctx\n1");
        Timer failed = claim("1", NOON).getFirst().failedUntil(NOON);
        DeadLetter letter = new DeadLetter(failed, NOON + 7, "Error: é\n at line 3");

        assertThat(store().bury(group, EPOCH, letter).join()).isEqualTo(Change.DONE);

        assertThat(store().counts(group).join()).isEqualTo(new TimerCounts(0, 0, 1));
        DeadLetter kept = store().deadLetters(group, 10).join().getFirst();
        assertThat(kept.error()).isEqualTo(letter.error());
        assertThat(kept.diedAt()).isEqualTo(NOON + 7);
        assertThat(kept.timer().context()).isEqualTo("ctx\n1");
        create("a", NOON, null);
        assertThat(store().replay(group, kept, NOON).join()).isEqualTo(Change.EXISTS);
        store().cancel(group, failed.id()).join();
        assertThat(store().replay(group("i2", 1), kept, NOON).join()).isEqualTo(Change.FENCED);
        assertThat(store().replay(group, kept, NOON + 50).join()).isEqualTo(Change.DONE);
        assertThat(store().replay(group, kept, NOON + 50).join()).isEqualTo(Change.NOT_FOUND);
        Timer again = claim("2", NOON + 50).getFirst();
        assertThat(again.failures()).isZero();
        assertThat(again.firstDue()).isEqualTo(NOON + 50);
        assertThat(again.context()).isEqualTo("ctx\n1");
    }

    @Test
    void deadLetters_areNewestFirstAndCanBeDiscarded() {
        for (int i = 0; i < 3; i++) {
            create("r" + i, NOON + i, null);
        }
        for (Timer each : claim("1", NOON + 2)) {
            store().bury(group, EPOCH, new DeadLetter(each, each.due(), "e")).join();
        }

        List<DeadLetter> letters = store().deadLetters(group, 2).join();

        assertThat(letters).extracting(DeadLetter::diedAt).containsExactly(NOON + 2, NOON + 1);
        assertThat(store().discard(group, letters.getFirst()).join()).isEqualTo(Change.DONE);
        assertThat(store().discard(group, letters.getFirst()).join()).isEqualTo(Change.NOT_FOUND);
        assertThat(store().counts(group).join()).isEqualTo(new TimerCounts(0, 0, 2));
    }

    @Test
    void deadLetters_beyondTheLimit_loseTheOldest() {
        int count = TimerLimits.DEAD_LETTERS_PER_PARTITION + 1;
        for (int i = 0; i < count; i++) {
            create("r" + i, NOON, null);
            Timer claimed = claim("n" + i, NOON).getFirst();
            store().bury(group, EPOCH, new DeadLetter(claimed, NOON + i, "e")).join();
        }

        List<DeadLetter> letters = store().deadLetters(group, count).join();

        assertThat(letters).hasSize(count - 1);
        assertThat(letters.getLast().timer().id().reference()).isEqualTo("r1");
    }

    @Test
    void move_ofAWaitingTimer_changesOnlyWhenItIsDue() {
        create("a", NOON, "ctx");
        TimerId id = new TimerId("cb", "a");

        store().move(group, id, Long.MAX_VALUE).join();
        assertThat(store().find(group, id).join().orElseThrow().timer().due())
                .isEqualTo(TimerLimits.LATEST_DUE.toEpochMilli());

        assertThat(store().move(group, id, NOON - 100).join()).isEqualTo(Change.DONE);

        assertThat(store().directory(group, 1).join()).containsExactly(new DirectoryEntry(0, NOON - 100));
        assertThat(claim("1", NOON - 100)).extracting(Timer::context).containsExactly("ctx");
        assertThat(store().move(group, id, NOON).join()).isEqualTo(Change.FIRING);
        assertThat(store().move(group, new TimerId("cb", "b"), NOON).join()).isEqualTo(Change.NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000})
    void list_pageByPage_isCompleteAndInOrder(int limit) {
        TimerGroup wide = group("i1", 8);
        for (int i = 0; i < 50; i++) {
            store().create(wide, timer("r" + i, NOON + i / 10)).join();
        }
        int partition = wide.partitionOf(new TimerId("cb", "r0"));
        store().take(wide, partition, EPOCH).join();
        store().claim(wide, new Claim(partition, EPOCH, "1", NOON + 2, 100)).join();

        List<ListedTimer> listed = new ArrayList<>();
        TimerQuery query = TimerQuery.first(limit);
        for (List<ListedTimer> page = store().list(wide, query).join();
                !page.isEmpty();
                page = store().list(wide, query).join()) {
            assertThat(page).hasSizeLessThanOrEqualTo(limit);
            listed.addAll(page);
            Timer last = page.getLast().timer();
            TimerQuery.Place place = new TimerQuery.Place(last.due(), last.id().text());
            query = new TimerQuery(null, null, null, 0, Long.MAX_VALUE / 16, place, limit);
        }

        assertThat(listed).hasSize(50).doesNotHaveDuplicates();
        assertThat(listed).extracting(each -> each.timer().due()).isSorted();
        assertThat(listed).anyMatch(ListedTimer::firing);
    }

    @Test
    void list_withFilters_showsWhatMatches() {
        create("order-1", NOON, null);
        create("order-2", NOON + 1, null);
        create("bill-1", NOON + 2, null);
        store().create(group, new NewTimer(new TimerId("other", "order-3"), NOON + 3, 0, "", null))
                .join();

        assertThat(references("cb", "order", 0, NOON + 10)).containsExactly("order-1", "order-2");
        assertThat(references(null, "order", NOON + 1, NOON + 3)).containsExactly("order-2", "order-3");
        assertThat(references("none", null, 0, NOON + 10)).isEmpty();
    }

    @Test
    void drop_removesAllTimersAndRefusesNewOnes() {
        TimerGroup wide = group("i1", 16);
        for (int i = 0; i < 50; i++) {
            store().create(wide, timer("r" + i, NOON)).join();
        }
        create("a", NOON, null);
        List<Timer> claimed = claim("1", NOON);

        store().drop(wide).join();

        assertThat(store().counts(wide).join()).isEqualTo(TimerCounts.NONE);
        assertThat(store().directory(wide, 10).join()).isEmpty();
        assertThat(store().create(group, timer("late", NOON)).join()).isEqualTo(Change.FENCED);
        assertThat(store().take(group, 0, EPOCH + 1).join()).isFalse();
        assertThat(store().confirm(group, 0, EPOCH, claimed).join()).isFalse();
        store().open(group("i2", 16)).join();
        assertThat(store().create(group, timer("late", NOON)).join()).isEqualTo(Change.FENCED);
        assertThat(store().create(group("i2", 16), timer("new", NOON)).join()).isEqualTo(Change.DONE);
    }

    @Test
    void drop_ofOneFunction_leavesTheOthersAlone() {
        TimerGroup other = new TimerGroup("meta", shards(), UUID.randomUUID().toString(), "i1", 1);
        store().open(other).join();
        store().create(other, timer("a", NOON)).join();

        store().drop(group).join();

        assertThat(store().counts(other).join()).isEqualTo(new TimerCounts(1, 0, 0));
    }

    private List<String> references(@Nullable String callback, @Nullable String reference, long from, long to) {
        return store().list(group, new TimerQuery(callback, reference, null, from, to, null, 100)).join().stream()
                .map(each -> each.timer().id().reference())
                .toList();
    }

    private void create(String reference, long due, @Nullable String context) {
        NewTimer timer = new NewTimer(new TimerId("cb", reference), due, NewTimer.NEVER_STALE, "", context);
        assertThat(store().create(group, timer).join()).isEqualTo(Change.DONE);
    }

    private List<Timer> claim(String nonce, long now) {
        return claim(new Claim(0, EPOCH, nonce, now, 100));
    }

    private List<Timer> claim(Claim claim) {
        Optional<List<Timer>> claimed = store().claim(group, claim).join();
        assertThat(claimed).isPresent();
        return claimed.get();
    }

    private static NewTimer timer(String reference, long due) {
        return new NewTimer(new TimerId("cb", reference), due, NewTimer.NEVER_STALE, "", null);
    }
}
