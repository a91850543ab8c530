package io.millrace.timers;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.timers.TimerStore.Change;
import io.millrace.timers.TimerStore.Claim;
import io.millrace.timers.TimerStore.Confirmation;
import io.millrace.timers.TimerStore.DirectoryEntry;
import io.millrace.timers.TimerStore.ListedTimer;
import io.millrace.timers.TimerStore.Periods;
import io.millrace.timers.TimerStore.TimerCounts;
import io.millrace.timers.TimerStore.TimerQuery;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions are spread over the shards of the metadata bucket, which callers do not notice. */
abstract class TimerShardsContract {

    private static final long NOON = 1_767_268_800_000L;
    private static final long EPOCH = 5;

    protected abstract TimerStore store();

    private TimerGroup open(int shards, int partitions) {
        TimerGroup group = new TimerGroup("meta", shards, UUID.randomUUID().toString(), "i1", partitions);
        store().open(group).join();
        return group;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 32})
    void directory_ofSomePartitions_tellsThoseOfTheirShardsOnly(int shards) {
        TimerGroup wide = open(shards, 64);
        List<NewTimer> timers =
                IntStream.range(0, 500).mapToObj(i -> timer("r" + i, NOON + i)).toList();
        timers.forEach(each -> store().create(wide, each).join());

        int perShard = 64 / shards;
        assertThat(store().directory(wide, List.of(63, 62), 100).join())
                .extracting(DirectoryEntry::partition)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(64 - perShard, 64).boxed().toList());
        assertThat(store().directory(wide, List.of(0, 63), 1).join()).hasSize(1);
        assertThat(store().directory(wide, 100).join()).hasSize(64);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void take_ofSeveralPartitions_takesThoseThatNoLaterEpochHas(int shards) {
        TimerGroup group = open(shards, 64);
        List<Integer> ofShard = IntStream.range(0, 64 / shards).boxed().toList();
        int last = ofShard.getLast();
        store().take(group, last, EPOCH + 5).join();

        assertThat(store().take(group, ofShard, EPOCH + 1).join()).isEqualTo(ofShard.subList(0, last));
        TimerGroup another = new TimerGroup("meta", shards, group.functionId(), "i2", 64);
        assertThat(store().take(another, ofShard, EPOCH + 9).join()).isEmpty();
        assertThat(store().take(group, ofShard, EPOCH + 9).join()).isEqualTo(ofShard);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 64", "16, 1", "16, 2", "16, 64"})
    void timers_ofAllPartitions_liveThroughEverything(int shards, int partitions) {
        TimerGroup all = open(shards, partitions);
        for (int partition = 0; partition < partitions; partition++) {
            assertThat(store().take(all, partition, EPOCH).join()).isTrue();
        }
        IntStream.range(0, 300)
                .forEach(i -> store().create(all, timer("r" + i, NOON)).join());

        for (int partition = 0; partition < partitions; partition++) {
            Claim claim = new Claim(partition, EPOCH, "1", NOON, 500);
            List<Timer> claimed = store().claim(all, claim).join().orElseThrow();
            int third = claimed.size() / 3;
            claimed.subList(0, third)
                    .forEach(timer -> store().bury(all, EPOCH, new DeadLetter(timer, NOON, "e"))
                            .join());
            claimed.subList(third, 2 * third)
                    .forEach(timer -> store().again(all, EPOCH, timer.failedUntil(NOON + 5))
                            .join());
            List<Timer> rest = claimed.subList(2 * third, claimed.size());
            assertThat(store().confirm(all, partition, EPOCH, rest).join()).isTrue();
        }

        List<DeadLetter> letters = store().deadLetters(all, 1000).join();
        TimerCounts counts = store().counts(all).join();
        assertThat(counts).isEqualTo(new TimerCounts(letters.size(), 0, letters.size()));
        letters.forEach(
                letter -> assertThat(store().replay(all, letter, NOON).join()).isEqualTo(Change.DONE));
        List<ListedTimer> listed = store().list(all, TimerQuery.first(1000)).join();
        assertThat(listed).hasSize(2 * letters.size());
        listed.forEach(each -> {
            TimerId id = each.timer().id();
            assertThat(store().move(all, id, NOON + 9).join()).isEqualTo(Change.DONE);
            assertThat(store().find(all, id).join()).isPresent();
            assertThat(store().cancel(all, id).join()).isEqualTo(Change.DONE);
        });
        assertThat(store().counts(all).join()).isEqualTo(TimerCounts.NONE);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 8", "16, 64"})
    void density_countsTheTimersOfEachPeriod(int shards, int partitions) {
        TimerGroup all = open(shards, partitions);
        long from = NOON + 2; // timers 0 and 1 are due before
        IntStream.range(0, 40)
                .forEach(i -> store().create(all, timer("r" + i, NOON + i)).join());

        assertThat(store().density(all, new Periods(from, 10, 3)).join()).containsExactly(10L, 10L, 10L);
        assertThat(store().density(all, new Periods(from, 10, 5)).join()).containsExactly(10L, 10L, 10L, 8L, 0L);
        assertThat(store().density(all, new Periods(NOON + 40, 1, 2)).join()).containsExactly(0L, 0L);
        int partition = all.partitionOf(new TimerId("cb", "r2"));
        store().take(all, partition, EPOCH).join();
        store().claim(all, new Claim(partition, EPOCH, "1", from, 10)).join();
        assertThat(store().density(all, new Periods(from, 1, 1)).join())
                .as("its callback runs")
                .containsExactly(0L);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "4, 4"})
    void list_ofARareReference_findsItBehindManyOthers(int shards, int partitions) {
        TimerGroup all = open(shards, partitions);
        int many = 6000;
        IntStream.range(0, many)
                .mapToObj(i -> store().create(all, timer("often-" + i, NOON + i)))
                .toList()
                .forEach(CompletableFuture::join);
        List<String> rare = List.of("one*two", "one?two", "one[a-z]two", "one\\two", "x:one*two", "Käse");
        rare.forEach(each -> store().create(all, timer(each, NOON + many)).join());
        store().create(all, new NewTimer(new TimerId("other", "one*two"), NOON + many, NewTimer.NEVER_STALE, "", null))
                .join();

        for (String each : rare) {
            assertThat(listed(all, "cb", null, each)).as("the whole of " + each).containsExactly(each);
        }
        assertThat(listed(all, "cb", "*two", null)).containsExactlyInAnyOrder("one*two", "x:one*two");
        assertThat(listed(all, null, "*two", null)).containsExactlyInAnyOrder("one*two", "one*two", "x:one*two");
        assertThat(listed(all, null, "äs", null)).containsExactly("Käse");
        assertThat(listed(all, null, "often-5999", null)).containsExactly("often-5999");
        assertThat(listed(all, null, "absent", null)).isEmpty();
    }

    @Test
    void list_ofARareReference_findsItAmongManyThatAreDueAtOnce() {
        TimerGroup all = open(1, 1);
        IntStream.range(0, 2500)
                .mapToObj(i -> store().create(all, timer("often-%04d".formatted(i), NOON)))
                .toList()
                .forEach(CompletableFuture::join);
        store().create(all, timer("out of the range", NOON + 10_001)).join();

        assertThat(listed(all, null, "-2499", null)).containsExactly("often-2499");
        assertThat(listed(all, null, "-00", null))
                .hasSize(10)
                .startsWith("often-0000")
                .endsWith("often-0009");
        assertThat(listed(all, null, "range", null)).isEmpty();
        assertThat(listed(all, "cb", null, "often-1234")).containsExactly("often-1234");
    }

    private List<String> listed(
            TimerGroup group, @Nullable String callback, @Nullable String reference, @Nullable String document) {
        TimerQuery query = new TimerQuery(callback, reference, document, NOON, NOON + 10_000, null, 10);
        return store().list(group, query).join().stream()
                .map(each -> each.timer().id().reference())
                .toList();
    }

    @Test
    void claims_ofSeveralPartitions_areAnsweredSeparately() {
        TimerGroup group = open(4, 16);
        for (int partition : new int[] {4, 5, 6}) {
            store().take(group, partition, EPOCH).join();
        }
        store().take(group, 5, EPOCH + 1).join();
        IntStream.range(0, 100)
                .forEach(i -> store().create(group, timer("r" + i, NOON + i)).join());
        List<Claim> claims = IntStream.of(4, 5, 6, 7)
                .mapToObj(partition -> new Claim(partition, EPOCH, "1", NOON + 100, 2))
                .toList();

        List<Optional<List<Timer>>> answers = store().claim(group, claims).join();

        assertThat(answers).hasSize(4);
        assertThat(answers.get(1)).as("another owner's").isEmpty();
        assertThat(answers.get(3)).as("without an owner").isEmpty();
        for (int i : new int[] {0, 2}) {
            assertThat(answers.get(i).orElseThrow())
                    .hasSize(2)
                    .isSortedAccordingTo(Comparator.comparing(Timer::due))
                    .allSatisfy(
                            timer -> assertThat(group.partitionOf(timer.id())).isEqualTo(4 + i));
        }
        assertThat(store().claim(group, claims).join()).as("repeated").isEqualTo(answers);
        List<Confirmation> confirmations = List.of(
                new Confirmation(4, EPOCH, answers.get(0).orElseThrow()),
                new Confirmation(5, EPOCH, List.of()),
                new Confirmation(6, EPOCH, answers.get(2).orElseThrow()));
        assertThat(store().confirm(group, confirmations).join()).containsExactly(true, false, true);
        assertThat(store().counts(group).join()).isEqualTo(new TimerCounts(96, 0, 0));
    }

    @Test
    void claims_whenTheBytesAreUsedUp_areLeftOut() {
        TimerGroup group = open(1, 2);
        String large = "x".repeat(TimerLimits.CLAIM_BYTES);
        IntStream.range(0, 20)
                .forEach(i -> store().create(
                                group, new NewTimer(new TimerId("cb", "r" + i), NOON, NewTimer.NEVER_STALE, "", large))
                        .join());
        store().take(group, 0, EPOCH).join();
        store().take(group, 1, EPOCH).join();
        List<Claim> claims = List.of(new Claim(0, EPOCH, "1", NOON, 5), new Claim(1, EPOCH, "1", NOON, 5));

        List<Optional<List<Timer>>> answers = store().claim(group, claims).join();

        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst().orElseThrow()).hasSize(1);
        assertThat(store().claim(group, claims.subList(1, 2)).join())
                .as("was not made")
                .singleElement()
                .satisfies(answer -> assertThat(answer.orElseThrow()).hasSize(1));
    }

    private static NewTimer timer(String reference, long due) {
        return new NewTimer(new TimerId("cb", reference), due, NewTimer.NEVER_STALE, "", null);
    }
}
