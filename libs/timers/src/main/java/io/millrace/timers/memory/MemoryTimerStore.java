package io.millrace.timers.memory;

import static java.util.Comparator.comparing;

import io.millrace.timers.DeadLetter;
import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerLimits;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.Claim;
import io.millrace.timers.TimerStore.Confirmation;
import io.millrace.timers.TimerStore.DirectoryEntry;
import io.millrace.timers.TimerStore.ListedTimer;
import io.millrace.timers.TimerStore.Periods;
import io.millrace.timers.TimerStore.TimerCounts;
import io.millrace.timers.TimerStore.TimerMark;
import io.millrace.timers.TimerStore.TimerQuery;
import io.millrace.timers.TimerStore.TimerQuery.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Timers in the memory of this process: the readable description of what the store on Redis does. */
public final class MemoryTimerStore implements TimerStore {

    private final Map<String, Timers> functions = new HashMap<>();
    private long newestVersion;

    /** The timers of a function. */
    private static final class Timers {
        final Map<TimerId, ListedTimer> live = new HashMap<>();
        final List<DeadLetter> dead = new ArrayList<>();
        final Map<Integer, Long> epochs = new HashMap<>();
        final Map<Integer, String> nonces = new HashMap<>();
        final Map<Integer, String> marks = new HashMap<>();

        @Nullable
        String instance;

        Stream<Timer> of(TimerGroup group, int partition, boolean firing) {
            return live.values().stream()
                    .filter(each -> each.firing() == firing)
                    .map(ListedTimer::timer)
                    .filter(timer -> group.partitionOf(timer.id()) == partition)
                    .sorted(comparing(MemoryTimerStore::place));
        }

        boolean stands(Timer timer) {
            ListedTimer found = live.get(timer.id());
            return found != null && found.timer().version() == timer.version();
        }
    }

    @Override
    public CompletableFuture<Void> open(TimerGroup group) {
        return answer(() -> {
            timers(group).instance = group.instance();
            return null;
        });
    }

    @Override
    public CompletableFuture<Void> drop(TimerGroup group) {
        return answer(() -> {
            functions.remove(name(group));
            return null;
        });
    }

    @Override
    public CompletableFuture<Change> create(TimerGroup group, NewTimer timer) {
        return answer(() -> {
            if (!group.instance().equals(timers(group).instance)) {
                return Change.FENCED;
            }
            put(group, Timer.first(timer, ++newestVersion), false);
            return Change.DONE;
        });
    }

    @Override
    public CompletableFuture<Change> restore(TimerGroup group, NewTimer timer) {
        return answer(() -> {
            if (!group.instance().equals(timers(group).instance)) {
                return Change.FENCED;
            }
            if (timers(group).live.containsKey(timer.id())) {
                return Change.EXISTS;
            }
            put(group, Timer.first(timer, ++newestVersion), false);
            return Change.DONE;
        });
    }

    @Override
    public CompletableFuture<Optional<String>> mark(TimerGroup group, TimerMark mark) {
        return answer(() -> {
            if (fenced(group, mark.partition(), mark.epoch())) {
                return Optional.empty();
            }
            Map<Integer, String> marks = timers(group).marks;
            String noted = marks.getOrDefault(mark.partition(), "");
            if (!noted.equals(mark.expected())) {
                return Optional.of(noted);
            }
            marks.put(mark.partition(), mark.next());
            return Optional.of(mark.next());
        });
    }

    @Override
    public CompletableFuture<Change> cancel(TimerGroup group, TimerId id) {
        return answer(() -> {
            ListedTimer removed = timers(group).live.remove(id);
            return removed == null ? Change.NOT_FOUND : removed.firing() ? Change.FIRING : Change.DONE;
        });
    }

    @Override
    public CompletableFuture<List<Integer>> take(TimerGroup group, List<Integer> partitions, long epoch) {
        return answer(() -> partitions.stream()
                .filter(partition -> taken(group, partition, epoch))
                .toList());
    }

    private boolean taken(TimerGroup group, int partition, long epoch) {
        Timers timers = timers(group);
        if (!group.instance().equals(timers.instance) || timers.epochs.getOrDefault(partition, 0L) > epoch) {
            return false;
        }
        timers.epochs.put(partition, epoch);
        timers.nonces.remove(partition);
        timers.of(group, partition, true).toList().forEach(timer -> put(group, timer, false));
        return true;
    }

    @Override
    public CompletableFuture<List<DirectoryEntry>> directory(
            TimerGroup group, Collection<Integer> partitions, int limit) {
        return answer(() -> {
            List<Integer> shards = group.shardsOf(partitions);
            Map<Integer, Long> earliest = new HashMap<>();
            for (ListedTimer each : timers(group).live.values()) {
                if (!each.firing()) {
                    Timer timer = each.timer();
                    earliest.merge(group.partitionOf(timer.id()), timer.due(), Math::min);
                }
            }
            return earliest.entrySet().stream()
                    .filter(entry -> shards.contains(group.shardOf(entry.getKey())))
                    .map(entry -> new DirectoryEntry(entry.getKey(), entry.getValue()))
                    .sorted(comparing(DirectoryEntry::due).thenComparing(DirectoryEntry::partition))
                    .limit(limit)
                    .toList();
        });
    }

    @Override
    public CompletableFuture<List<Integer>> due(List<TimerGroup> groups, int shard, long until) {
        return answer(() -> IntStream.range(0, groups.size())
                .filter(position -> due(groups.get(position), shard, until))
                .boxed()
                .toList());
    }

    private boolean due(TimerGroup group, int shard, long until) {
        return timers(group).live.values().stream()
                .filter(each -> !each.firing())
                .map(ListedTimer::timer)
                .filter(timer -> group.shardOf(group.partitionOf(timer.id())) == shard)
                .anyMatch(timer -> timer.due() <= until);
    }

    @Override
    public CompletableFuture<List<Optional<List<Timer>>>> claim(TimerGroup group, List<Claim> claims) {
        return answer(() -> {
            List<Optional<List<Timer>>> answers = new ArrayList<>();
            long room = TimerLimits.CLAIM_BYTES;
            for (Claim claim : claims) {
                if (room <= 0) {
                    break;
                }
                Optional<List<Timer>> claimed = claimed(group, claim, room);
                room -= claimed.stream()
                        .flatMap(List::stream)
                        .mapToLong(MemoryTimerStore::bytes)
                        .sum();
                answers.add(claimed);
            }
            return answers;
        });
    }

    private Optional<List<Timer>> claimed(TimerGroup group, Claim claim, long room) {
        Timers timers = timers(group);
        int partition = claim.partition();
        if (fenced(group, partition, claim.epoch())) {
            return Optional.empty();
        }
        if (claim.nonce().equals(timers.nonces.put(partition, claim.nonce()))) {
            return Optional.of(timers.of(group, partition, true).toList());
        }
        List<Timer> due = new ArrayList<>();
        long left = room;
        for (Timer timer : timers.of(group, partition, false).toList()) {
            if (timer.due() > claim.now() || due.size() == claim.limit() || left <= 0) {
                break;
            }
            left -= bytes(timer);
            due.add(timer);
        }
        due.forEach(timer -> put(group, timer, true));
        return Optional.of(due);
    }

    private static long bytes(Timer timer) {
        String context = timer.context();
        return context == null ? 0 : context.length();
    }

    @Override
    public CompletableFuture<List<Boolean>> confirm(TimerGroup group, List<Confirmation> confirmations) {
        return answer(
                () -> confirmations.stream().map(each -> confirmed(group, each)).toList());
    }

    private boolean confirmed(TimerGroup group, Confirmation confirmation) {
        if (fenced(group, confirmation.partition(), confirmation.epoch())) {
            return false;
        }
        Timers timers = timers(group);
        confirmation.timers().stream().filter(timers::stands).forEach(timer -> timers.live.remove(timer.id()));
        return true;
    }

    @Override
    public CompletableFuture<Change> again(TimerGroup group, long epoch, Timer timer) {
        return answer(() -> {
            Change change = changeOf(group, epoch, timer);
            if (change == Change.DONE) {
                put(group, timer, false);
            }
            return change;
        });
    }

    @Override
    public CompletableFuture<Change> bury(TimerGroup group, long epoch, DeadLetter letter) {
        return answer(() -> {
            Timer timer = letter.timer();
            Change change = changeOf(group, epoch, timer);
            if (change == Change.DONE) {
                Timers timers = timers(group);
                timers.live.remove(timer.id());
                timers.dead.add(letter);
                List<DeadLetter> letters = timers.dead.stream()
                        .filter(each -> group.partitionOf(each.timer().id()) == group.partitionOf(timer.id()))
                        .sorted(comparing(each -> each.timer().version()))
                        .toList();
                if (letters.size() > TimerLimits.DEAD_LETTERS_PER_PARTITION) {
                    timers.dead.remove(letters.getFirst());
                }
            }
            return change;
        });
    }

    @Override
    public CompletableFuture<List<ListedTimer>> list(TimerGroup group, TimerQuery query) {
        return answer(() -> timers(group).live.values().stream()
                .filter(each -> query.matches(each.timer().id(), each.timer().due()))
                .sorted(comparing(each -> place(each.timer())))
                .limit(query.limit())
                .toList());
    }

    @Override
    public CompletableFuture<List<Long>> density(TimerGroup group, Periods periods) {
        return answer(() -> {
            Long[] counts = new Long[periods.count()];
            Arrays.fill(counts, 0L);
            for (ListedTimer each : timers(group).live.values()) {
                long period = Math.floorDiv(each.timer().due() - periods.from(), periods.lengthMillis());
                if (!each.firing() && period >= 0 && period < counts.length) {
                    counts[(int) period]++;
                }
            }
            return List.of(counts);
        });
    }

    @Override
    public CompletableFuture<Optional<ListedTimer>> find(TimerGroup group, TimerId id) {
        return answer(() -> Optional.ofNullable(timers(group).live.get(id)));
    }

    @Override
    public CompletableFuture<Change> move(TimerGroup group, TimerId id, long due) {
        return answer(() -> {
            ListedTimer found = timers(group).live.get(id);
            if (found == null) {
                return Change.NOT_FOUND;
            }
            if (found.firing()) {
                return Change.FIRING;
            }
            put(group, found.timer().movedTo(NewTimer.due(due)), false);
            return Change.DONE;
        });
    }

    @Override
    public CompletableFuture<TimerCounts> counts(TimerGroup group) {
        return answer(() -> {
            Timers timers = timers(group);
            long firing =
                    timers.live.values().stream().filter(ListedTimer::firing).count();
            return new TimerCounts(timers.live.size() - firing, firing, timers.dead.size());
        });
    }

    @Override
    public CompletableFuture<List<DeadLetter>> deadLetters(TimerGroup group, int limit) {
        return answer(() -> timers(group).dead.stream()
                .sorted(DeadLetter.NEWEST_FIRST)
                .limit(limit)
                .toList());
    }

    @Override
    public CompletableFuture<Change> replay(TimerGroup group, DeadLetter letter, long due) {
        return answer(() -> {
            Timers timers = timers(group);
            if (!group.instance().equals(timers.instance)) {
                return Change.FENCED;
            }
            Optional<DeadLetter> kept = kept(group, letter);
            if (kept.isEmpty()) {
                return Change.NOT_FOUND;
            }
            Timer dead = kept.get().timer();
            if (timers.live.containsKey(dead.id())) {
                return Change.EXISTS;
            }
            timers.dead.remove(kept.get());
            NewTimer again =
                    new NewTimer(dead.id(), due, NewTimer.NEVER_STALE, dead.opaque(), dead.context(), dead.trace());
            put(group, Timer.first(again, ++newestVersion), false);
            return Change.DONE;
        });
    }

    @Override
    public CompletableFuture<Change> discard(TimerGroup group, DeadLetter letter) {
        return answer(() -> {
            Optional<DeadLetter> kept = kept(group, letter);
            kept.ifPresent(timers(group).dead::remove);
            return kept.isPresent() ? Change.DONE : Change.NOT_FOUND;
        });
    }

    private Optional<DeadLetter> kept(TimerGroup group, DeadLetter letter) {
        return timers(group).dead.stream()
                .filter(each -> each.timer().version() == letter.timer().version())
                .findAny();
    }

    private Change changeOf(TimerGroup group, long epoch, Timer timer) {
        if (fenced(group, group.partitionOf(timer.id()), epoch)) {
            return Change.FENCED;
        }
        return timers(group).stands(timer) ? Change.DONE : Change.NOT_FOUND;
    }

    private boolean fenced(TimerGroup group, int partition, long epoch) {
        return timers(group).epochs.getOrDefault(partition, 0L) != epoch;
    }

    private void put(TimerGroup group, Timer timer, boolean firing) {
        timers(group).live.put(timer.id(), new ListedTimer(timer, firing));
    }

    private Timers timers(TimerGroup group) {
        return functions.computeIfAbsent(name(group), any -> new Timers());
    }

    private static String name(TimerGroup group) {
        return group.metadataBucket() + ' ' + group.functionId();
    }

    private static Place place(Timer timer) {
        return new Place(timer.due(), timer.id().text());
    }

    private synchronized <T extends @Nullable Object> CompletableFuture<T> answer(Supplier<T> operation) {
        return CompletableFuture.completedFuture(operation.get());
    }
}
