package io.millrace.timers.firing;

import static java.util.stream.Collectors.groupingBy;

import io.millrace.timers.DeadLetter;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerLimits;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.Change;
import io.millrace.timers.TimerStore.Claim;
import io.millrace.timers.TimerStore.Confirmation;
import io.millrace.timers.TimerStore.DirectoryEntry;
import io.millrace.timers.firing.TimerSink.Ending;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fires the timers of the partitions that this process owns: never before they are due by its clock, at least once, and
 * the earliest first. It has no thread; {@link TimerLoop} calls {@link #tick()} repeatedly, never concurrently.
 *
 * <p>A clock that is set back makes timers late; one that is set forward makes what it passes due.
 */
public final class TimerScanner {

    /** How many partitions are looked at first; all of them when these are all due. */
    private static final int FIRST_LOOK = 16;

    /** How many timers a claim should at least be for, when many partitions have some. */
    private static final int WORTH_A_CLAIM = 20;

    /** What falls due within it is claimed together. */
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);

    private final TimerStore store;
    private final TimerGroup group;
    private final InstantSource clock;
    private final TimerSink sink;
    private final RetryPolicy retries;
    private final Schedules schedules;
    private final LongConsumer lags;
    private final Map<Integer, OwnedPartition> partitions = new ConcurrentHashMap<>();
    /** Where something was due at the last look; a claim that was not answered may have been made all the same. */
    private volatile List<OwnedPartition> lastDue = List.of();

    private final Queue<Ended> endings = new ConcurrentLinkedQueue<>();
    private final AtomicLong fired = new AtomicLong();
    private final AtomicLong stale = new AtomicLong();
    private final AtomicLong retried = new AtomicLong();
    private final AtomicLong buried = new AtomicLong();

    private record Ended(Timer timer, Ending ending) {}

    /** What has ended in a partition. */
    private record Done(OwnedPartition partition, List<Ended> ended) {

        Confirmation confirmation() {
            return new Confirmation(
                    partition.number,
                    partition.epoch,
                    ended.stream().map(Ended::timer).toList());
        }
    }

    /** @param more whether more may be due */
    private record Claimed(List<Timer> timers, boolean more) {}

    /** @param lags receives the lag of each fired timer, in milliseconds */
    public TimerScanner(
            TimerStore store,
            TimerGroup group,
            InstantSource clock,
            TimerSink sink,
            RetryPolicy retries,
            Schedules schedules,
            LongConsumer lags) {
        this.store = store;
        this.group = group;
        this.clock = clock;
        this.sink = sink;
        this.retries = retries;
        this.schedules = schedules;
        this.lags = lags;
    }

    /** Takes over the partitions {@code first} to {@code last}. Returns those that no later epoch owns. */
    public CompletableFuture<List<Integer>> take(long epoch, int first, int last) {
        Map<Integer, List<Integer>> byShard =
                IntStream.rangeClosed(first, last).boxed().collect(groupingBy(group::shardOf));
        List<CompletableFuture<?>> taking = new ArrayList<>();
        for (List<Integer> ofShard : byShard.values()) {
            for (int from = 0; from < ofShard.size(); from += TimerLimits.MAX_PARTITIONS_TAKEN_TOGETHER) {
                int to = Math.min(ofShard.size(), from + TimerLimits.MAX_PARTITIONS_TAKEN_TOGETHER);
                taking.add(take(epoch, ofShard.subList(from, to)));
            }
        }
        return CompletableFuture.allOf(taking.toArray(CompletableFuture<?>[]::new))
                .thenApply(done ->
                        owned().map(partition -> partition.number).sorted().toList());
    }

    private CompletableFuture<Void> take(long epoch, List<Integer> some) {
        return store.take(group, some, epoch)
                .thenAccept(taken ->
                        taken.forEach(partition -> partitions.put(partition, new OwnedPartition(partition, epoch))));
    }

    /** Creates the timers of declared schedules that have none. */
    public CompletableFuture<Void> arm() {
        return schedules.arm(store, group, clock.instant());
    }

    /** Claims nothing more in any partition. What is out may still end; {@link #tick()} tells the store. */
    public void giveUp() {
        partitions.values().forEach(OwnedPartition::giveUp);
    }

    /** Says how the callback of a fired timer ended. May be called from any thread. */
    public void ended(Timer timer, Ending ending) {
        endings.add(new Ended(timer, ending));
    }

    /**
     * Tells the store what has ended, then claims and fires what is due. Returns for how long there is nothing to do unless
     * timers are created, at most {@link TimerLimits#WATCHED_POLL}; zero when more is due. Fails when the store does; may then
     * be repeated.
     */
    public CompletableFuture<Duration> tick() {
        return settle().thenCompose(done -> {
            int room = sink.room();
            if (room <= 0 || owned().findAny().isEmpty()) {
                return CompletableFuture.completedFuture(TimerLimits.SCAN_POLL);
            }
            long now = clock.millis();
            return directory(now).thenCompose(entries -> claim(entries, now, room));
        });
    }

    private CompletableFuture<List<DirectoryEntry>> directory(long now) {
        int look = Math.min(FIRST_LOOK, group.partitions());
        Set<Integer> ours = partitions.keySet();
        return store.directory(group, ours, look).thenCompose(entries -> {
            boolean moreMayBeDue = entries.size() == look && entries.getLast().due() <= now;
            return moreMayBeDue && look < group.partitions()
                    ? store.directory(group, ours, group.partitions())
                    : CompletableFuture.completedFuture(entries);
        });
    }

    private CompletableFuture<Duration> claim(List<DirectoryEntry> entries, long now, int room) {
        List<OwnedPartition> due = new ArrayList<>(lastDue);
        due.removeIf(partition -> partition.givenUp() || !partition.unanswered());
        for (DirectoryEntry entry : entries) {
            OwnedPartition partition = owned(entry.partition());
            if (partition != null && entry.due() <= now && !partition.unanswered()) {
                due.add(partition);
            }
        }
        lastDue = due;
        if (due.isEmpty()) {
            return CompletableFuture.completedFuture(untilNext(entries, now));
        }
        List<OwnedPartition> asked = due.subList(0, Math.min(due.size(), Math.ceilDiv(room, WORTH_A_CLAIM)));
        int each = Math.clamp(room / asked.size(), 1, TimerLimits.MAX_CLAIM_TIMERS);
        Map<Integer, List<OwnedPartition>> byShard =
                asked.stream().collect(groupingBy(partition -> group.shardOf(partition.number)));
        List<CompletableFuture<Claimed>> claims = byShard.values().stream()
                .map(partitions -> claimOfShard(partitions, now, each))
                .toList();
        return CompletableFuture.allOf(claims.toArray(CompletableFuture<?>[]::new))
                .handle((done, failure) -> {
                    List<Claimed> claimed = claims.stream()
                            .filter(claim -> !claim.isCompletedExceptionally())
                            .map(CompletableFuture::join)
                            .toList();
                    fire(
                            claimed.stream()
                                    .flatMap(part -> part.timers().stream())
                                    .toList(),
                            now);
                    if (failure != null) {
                        return CompletableFuture.<Duration>failedFuture(failure);
                    }
                    boolean more = asked.size() < due.size() || claimed.stream().anyMatch(Claimed::more);
                    return CompletableFuture.completedFuture(more ? Duration.ZERO : untilNextLook(entries, now));
                })
                .thenCompose(Function.identity());
    }

    /** Claims in partitions of one shard. */
    private CompletableFuture<Claimed> claimOfShard(List<OwnedPartition> asked, long now, int limit) {
        List<Claim> claims =
                asked.stream().map(partition -> partition.claim(now, limit)).toList();
        return store.claim(group, claims).thenCompose(answers -> {
            List<Timer> timers = new ArrayList<>();
            List<CompletableFuture<?>> doubts = new ArrayList<>();
            boolean more = answers.size() < asked.size();
            for (int i = 0; i < asked.size(); i++) {
                OwnedPartition partition = asked.get(i);
                if (i >= answers.size()) {
                    partition.leftOut();
                    continue;
                }
                Optional<List<Timer>> answer = answers.get(i);
                if (answer.isEmpty()) {
                    doubts.add(takenAgain(partition));
                }
                List<Timer> fresh = partition.answered(answer.orElse(List.of()), now);
                more |= fresh.size() >= limit;
                timers.addAll(fresh);
            }
            Claimed claimed = new Claimed(timers, more);
            return CompletableFuture.allOf(doubts.toArray(CompletableFuture<?>[]::new))
                    .handle((done, failure) -> claimed); // who could not be asked is asked at the next claim
        });
    }

    /** Either another process owns the partition by now, or the store lost the record that this one does. */
    private CompletableFuture<?> takenAgain(OwnedPartition partition) {
        return store.take(group, partition.number, partition.epoch).thenAccept(ours -> {
            if (!ours) {
                partition.giveUp();
            }
        });
    }

    private void fire(List<Timer> claimed, long now) {
        List<Timer> worth = new ArrayList<>(claimed.size());
        for (Timer timer : claimed) {
            if (timer.due() > now) {
                // claimed before the clock was set back, by a claim whose answer came only now
                ended(timer, Ending.NOT_CALLED);
            } else if (timer.staleAt(now) || schedules.dropped(timer)) {
                stale.incrementAndGet();
                ended(timer, Ending.DONE);
            } else {
                lags.accept(now - timer.due());
                worth.add(timer);
            }
        }
        if (!worth.isEmpty()) {
            worth.sort(Comparator.comparingLong(Timer::due));
            fired.addAndGet(worth.size());
            sink.fire(worth);
        }
    }

    /**
     * After a claim the directory has changed, also when nothing was claimed: a timer that was created again for later leaves
     * its former time there until then.
     */
    private Duration untilNextLook(List<DirectoryEntry> entries, long now) {
        Duration next = untilNext(entries, now);
        return next.compareTo(TimerLimits.SCAN_POLL) < 0 ? next : TimerLimits.SCAN_POLL;
    }

    private Duration untilNext(List<DirectoryEntry> entries, long now) {
        Duration longest = quiet() ? TimerLimits.WATCHED_POLL : TimerLimits.SCAN_POLL;
        return entries.stream()
                .filter(entry -> owned(entry.partition()) != null && entry.due() > now)
                .findFirst()
                .map(entry -> pause(entry, now, SHORTEST_PAUSE, longest))
                .orElseGet(() -> lookedAtAll(entries) || entries.getLast().due() <= now
                        ? longest
                        : pause(entries.getLast(), now, TimerLimits.SCAN_POLL, longest)); // ours may come right behind
    }

    private boolean lookedAtAll(List<DirectoryEntry> entries) {
        return entries.size() != FIRST_LOOK || group.partitions() <= FIRST_LOOK;
    }

    private static Duration pause(DirectoryEntry until, long now, Duration shortest, Duration longest) {
        return Duration.ofMillis(Math.clamp(until.due() - now, shortest.toMillis(), longest.toMillis()));
    }

    /** Returns whether no callback runs and there is nothing to tell the store. */
    private boolean quiet() {
        return endings.isEmpty()
                && partitions.values().stream()
                        .allMatch(partition -> partition.firing() == 0 && !partition.unanswered());
    }

    /** Reports to the store how callbacks ended. Reports without an answer are repeated the next time. */
    private CompletableFuture<Void> settle() {
        List<Ended> done = new ArrayList<>();
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (Ended next = endings.poll(); next != null; next = endings.poll()) {
            OwnedPartition partition = partitionOf(next.timer());
            if (partition == null) {
                continue;
            }
            switch (next.ending()) {
                case Ending.Done ignored -> {
                    Optional<Timer> following = schedules.following(next.timer(), clock.instant());
                    if (following.isPresent()) {
                        calls.add(settled(
                                partition, List.of(next), store.again(group, partition.epoch, following.get())));
                    } else {
                        done.add(next);
                    }
                }
                case Ending.Failed failed ->
                    calls.add(settled(partition, List.of(next), failed(partition, next.timer(), failed)));
                case Ending.NotCalled ignored ->
                    calls.add(settled(partition, List.of(next), store.again(group, partition.epoch, next.timer())));
            }
        }
        if (!done.isEmpty()) {
            calls.addAll(confirm(done));
        }
        return CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new));
    }

    /** Makes one call for each shard. */
    private List<CompletableFuture<?>> confirm(List<Ended> done) {
        Map<Integer, List<Ended>> byPartition = done.stream()
                .collect(groupingBy(each -> group.partitionOf(each.timer().id())));
        Map<Integer, List<Done>> byShard = new HashMap<>();
        byPartition.forEach((number, ended) -> {
            OwnedPartition partition = partitions.get(number);
            if (partition != null) {
                byShard.computeIfAbsent(group.shardOf(number), any -> new ArrayList<>())
                        .add(new Done(partition, ended));
            }
        });
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (List<Done> some : byShard.values()) {
            List<Confirmation> confirmations =
                    some.stream().map(Done::confirmation).toList();
            calls.add(store.confirm(group, confirmations)
                    .whenComplete(
                            (answer, failure) -> some.forEach(each -> tell(each.partition(), each.ended(), failure))));
        }
        return calls;
    }

    private @Nullable OwnedPartition partitionOf(Timer timer) {
        return partitions.get(group.partitionOf(timer.id()));
    }

    private Stream<OwnedPartition> owned() {
        return partitions.values().stream().filter(partition -> !partition.givenUp());
    }

    private @Nullable OwnedPartition owned(int number) {
        OwnedPartition partition = partitions.get(number);
        return partition == null || partition.givenUp() ? null : partition;
    }

    private CompletableFuture<?> settled(OwnedPartition partition, List<Ended> ended, CompletableFuture<?> call) {
        return call.whenComplete((answer, failure) -> tell(partition, ended, failure));
    }

    private void tell(OwnedPartition partition, List<Ended> ended, @Nullable Throwable failure) {
        if (failure == null) {
            ended.forEach(each -> partition.settled(each.timer()));
        } else {
            endings.addAll(ended);
        }
    }

    private CompletableFuture<Change> failed(OwnedPartition partition, Timer timer, Ending.Failed failed) {
        Optional<Duration> pause = retries.pauseAfter(timer.failures() + 1);
        long now = clock.millis();
        if (pause.isPresent()) {
            Timer next = timer.failedUntil(now + pause.get().toMillis());
            return store.again(group, partition.epoch, next).thenApply(change -> counted(change, retried));
        }
        Optional<Timer> following = schedules.following(timer, clock.instant());
        if (following.isPresent()) {
            return store.again(group, partition.epoch, following.get());
        }
        DeadLetter letter = new DeadLetter(timer.failedUntil(timer.due()), now, DeadLetter.cut(failed.error()));
        return store.bury(group, partition.epoch, letter).thenApply(change -> counted(change, buried));
    }

    private static Change counted(Change change, AtomicLong counter) {
        if (change == Change.DONE) {
            counter.incrementAndGet();
        }
        return change;
    }

    ScanStats stats() {
        int firing =
                partitions.values().stream().mapToInt(OwnedPartition::firing).sum();
        return new ScanStats(fired.get(), stale.get(), retried.get(), buried.get(), firing);
    }

    /** Returns where the scan of each owned partition is, by number. */
    public List<PartitionScan> partitions() {
        return owned().map(OwnedPartition::scan)
                .sorted(Comparator.comparing(PartitionScan::partition))
                .toList();
    }

    /**
     * Where the scanner of a partition is.
     *
     * @param epoch of the owner
     * @param position the due moment of the latest timer that was claimed, in milliseconds; 0 before the first
     * @param claimedAt when timers were last claimed, in milliseconds; 0 before the first
     * @param firing timers handed out whose callbacks have not ended
     */
    public record PartitionScan(int partition, long epoch, long position, long claimedAt, int firing) {}
}
