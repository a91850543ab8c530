package io.millrace.timers.redis;

import static io.millrace.redis.Bytes.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
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
import io.millrace.timers.redis.TimerFunctions.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Timers on Redis 7 or newer, or Valkey; also on a cluster. The keys are described in {@code shared.lua}. */
public final class RedisTimerStore implements TimerStore {

    /** Added to the moment at which a timer is due while its callback runs. */
    static final long CLAIMED = 1L << 50;

    private static final long FENCED = -1;

    private final TimerFunctions functions;

    /** @param redis asked at the first call, and again when it failed; the commands are kept */
    public RedisTimerStore(
            Supplier<? extends CompletionStage<? extends RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
        functions = new TimerFunctions(redis);
    }

    /**
     * Returns the topic on the channel of all notifications, {@code mr:bell}, on which is told that a timer in a shard of a
     * metadata bucket may be due earlier than all others of its partition, and soon.
     */
    public static String topic(String metadataBucket, int shard) {
        return TimerKeys.topic(metadataBucket, shard);
    }

    @Override
    public CompletableFuture<Void> open(TimerGroup group) {
        TimerKeys keys = new TimerKeys(group);
        return each(
                        group.usedShards(),
                        shard -> functions.command(
                                redis -> redis.hset(keys.gate(shard), bytes("instance"), bytes(group.instance()))))
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Void> drop(TimerGroup group) {
        TimerKeys keys = new TimerKeys(group);
        return each(group.usedShards(), shard -> functions.command(redis -> redis.unlink(keys.all(shard))))
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Change> create(TimerGroup group, NewTimer timer) {
        return made(Operation.CREATE, group, timer)
                .thenApply(version -> version == FENCED ? Change.FENCED : Change.DONE);
    }

    @Override
    public CompletableFuture<Change> restore(TimerGroup group, NewTimer timer) {
        return made(Operation.RESTORE, group, timer).thenApply(answer -> change(answer, Change.EXISTS));
    }

    private CompletableFuture<Long> made(Operation operation, TimerGroup group, NewTimer timer) {
        int partition = group.partitionOf(timer.id());
        return functions.number(
                operation,
                keys(group, partition),
                bytes(group.instance()),
                bytes(partition),
                bytes(timer.id().text()),
                bytes(timer.due()),
                TimerRecord.rest(timer));
    }

    @Override
    public CompletableFuture<Optional<String>> mark(TimerGroup group, TimerMark mark) {
        return functions
                .list(
                        Operation.MARK,
                        keys(group, mark.partition()),
                        bytes(mark.partition()),
                        bytes(mark.epoch()),
                        bytes(mark.expected()),
                        bytes(mark.next()))
                .thenApply(answer ->
                        answer.getFirst() instanceof byte[] noted ? Optional.of(text(noted)) : Optional.empty());
    }

    /** The keys that most operations have: gate, directory, due, records. */
    private static byte[][] keys(TimerGroup group, int partition) {
        TimerKeys keys = new TimerKeys(group);
        return new byte[][] {
            keys.gateOf(partition), keys.directoryOf(partition), keys.due(partition), keys.records(partition)
        };
    }

    @Override
    public CompletableFuture<Change> cancel(TimerGroup group, TimerId id) {
        TimerKeys keys = new TimerKeys(group);
        int partition = group.partitionOf(id);
        return functions
                .number(
                        Operation.CANCEL,
                        new byte[][] {keys.directoryOf(partition), keys.due(partition), keys.records(partition)},
                        bytes(partition),
                        bytes(id.text()))
                .thenApply(answer -> change(answer, Change.FIRING));
    }

    @Override
    public CompletableFuture<List<Integer>> take(TimerGroup group, List<Integer> partitions, long epoch) {
        TimerKeys keys = new TimerKeys(group);
        List<byte[]> names = new ArrayList<>(2 + partitions.size());
        List<byte[]> arguments = new ArrayList<>(2 + partitions.size());
        names.add(keys.gateOf(partitions.getFirst()));
        names.add(keys.directoryOf(partitions.getFirst()));
        arguments.add(bytes(group.instance()));
        arguments.add(bytes(epoch));
        for (int partition : partitions) {
            names.add(keys.due(partition));
            arguments.add(bytes(partition));
        }
        return functions
                .list(Operation.TAKE, names.toArray(byte[][]::new), arguments.toArray(byte[][]::new))
                .thenApply(answers -> IntStream.range(0, partitions.size())
                        .filter(i -> (Long) answers.get(i) != FENCED)
                        .mapToObj(partitions::get)
                        .toList());
    }

    @Override
    public CompletableFuture<List<DirectoryEntry>> directory(
            TimerGroup group, Collection<Integer> partitions, int limit) {
        TimerKeys keys = new TimerKeys(group);
        return each(
                        group.shardsOf(partitions),
                        shard -> functions.command(
                                redis -> redis.zrangeWithScores(keys.directory(shard), 0, limit - 1L)))
                .thenApply(shards -> shards.stream()
                        .flatMap(List::stream)
                        .map(RedisTimerStore::entry)
                        .sorted(Comparator.comparing(DirectoryEntry::due).thenComparing(DirectoryEntry::partition))
                        .limit(limit)
                        .toList());
    }

    @Override
    public CompletableFuture<List<Integer>> due(List<TimerGroup> groups, int shard, long until) {
        byte[][] directories = groups.stream()
                .map(group -> new TimerKeys(group).directory(shard))
                .toArray(byte[][]::new);
        return functions
                .list(Operation.DUE, directories, bytes(until))
                .thenApply(found -> found.stream()
                        .map(position -> ((Long) position).intValue())
                        .toList());
    }

    @Override
    public CompletableFuture<List<Optional<List<Timer>>>> claim(TimerGroup group, List<Claim> claims) {
        TimerKeys keys = new TimerKeys(group);
        List<byte[]> names = new ArrayList<>(2 + 2 * claims.size());
        List<byte[]> arguments = new ArrayList<>(1 + 5 * claims.size());
        names.add(keys.gateOf(claims.getFirst().partition()));
        names.add(keys.directoryOf(claims.getFirst().partition()));
        arguments.add(bytes(TimerLimits.CLAIM_BYTES));
        for (Claim claim : claims) {
            names.add(keys.due(claim.partition()));
            names.add(keys.records(claim.partition()));
            arguments.add(bytes(claim.partition()));
            arguments.add(bytes(claim.epoch()));
            arguments.add(bytes(claim.nonce()));
            arguments.add(bytes(claim.now()));
            arguments.add(bytes(Math.min(claim.limit(), TimerLimits.MAX_CLAIM_TIMERS)));
        }
        return functions
                .list(Operation.CLAIM, names.toArray(byte[][]::new), arguments.toArray(byte[][]::new))
                .thenApply(answers ->
                        answers.stream().map(RedisTimerStore::claimed).toList());
    }

    private static Optional<List<Timer>> claimed(Object answer) {
        if (!(answer instanceof List<?> row)) {
            return Optional.empty();
        }
        List<Timer> timers = new ArrayList<>(row.size() / 3);
        for (int i = 0; i < row.size(); i += 3) {
            TimerId id = TimerId.parse(text(row.get(i)));
            timers.add(TimerRecord.parse(id, Long.parseLong(text(row.get(i + 1))), (byte[]) row.get(i + 2)));
        }
        return Optional.of(timers);
    }

    @Override
    public CompletableFuture<List<Boolean>> confirm(TimerGroup group, List<Confirmation> confirmations) {
        TimerKeys keys = new TimerKeys(group);
        List<byte[]> names = new ArrayList<>(1 + 2 * confirmations.size());
        List<byte[]> arguments = new ArrayList<>();
        names.add(keys.gateOf(confirmations.getFirst().partition()));
        for (Confirmation each : confirmations) {
            names.add(keys.due(each.partition()));
            names.add(keys.records(each.partition()));
            arguments.add(bytes(each.partition()));
            arguments.add(bytes(each.epoch()));
            arguments.add(bytes(each.timers().size()));
            for (Timer timer : each.timers()) {
                arguments.add(bytes(timer.id().text()));
                arguments.add(bytes(timer.version()));
            }
        }
        return functions
                .list(Operation.CONFIRM, names.toArray(byte[][]::new), arguments.toArray(byte[][]::new))
                .thenApply(answers ->
                        answers.stream().map(answer -> (Long) answer != FENCED).toList());
    }

    @Override
    public CompletableFuture<Change> again(TimerGroup group, long epoch, Timer timer) {
        TimerKeys keys = new TimerKeys(group);
        int partition = group.partitionOf(timer.id());
        return functions
                .number(
                        Operation.AGAIN,
                        new byte[][] {
                            keys.gateOf(partition),
                            keys.directoryOf(partition),
                            keys.due(partition),
                            keys.records(partition)
                        },
                        bytes(partition),
                        bytes(epoch),
                        bytes(timer.id().text()),
                        bytes(timer.version()),
                        bytes(timer.due()),
                        bytes(TimerRecord.attributes(timer)))
                .thenApply(answer -> change(answer, Change.FIRING));
    }

    @Override
    public CompletableFuture<Change> bury(TimerGroup group, long epoch, DeadLetter letter) {
        TimerKeys keys = new TimerKeys(group);
        Timer timer = letter.timer();
        int partition = group.partitionOf(timer.id());
        return functions
                .number(
                        Operation.BURY,
                        new byte[][] {
                            keys.gateOf(partition), keys.due(partition), keys.records(partition), keys.dead(partition)
                        },
                        bytes(partition),
                        bytes(epoch),
                        bytes(timer.id().text()),
                        bytes(timer.version()),
                        DeadLetterRecord.head(letter),
                        bytes(TimerLimits.DEAD_LETTERS_PER_PARTITION))
                .thenApply(answer -> change(answer, Change.FIRING));
    }

    @Override
    public CompletableFuture<List<ListedTimer>> list(TimerGroup group, TimerQuery query) {
        return new TimerListing(functions, group, query).run();
    }

    @Override
    public CompletableFuture<List<Long>> density(TimerGroup group, Periods periods) {
        TimerKeys keys = new TimerKeys(group);
        return eachPartition(
                        group,
                        partition -> functions.list(
                                Operation.DENSITY,
                                new byte[][] {keys.due(partition)},
                                bytes(periods.from()),
                                bytes(periods.lengthMillis()),
                                bytes(periods.count())))
                .thenApply(partitions -> IntStream.range(0, periods.count())
                        .mapToObj(period -> partitions.stream()
                                .filter(counts -> !counts.isEmpty())
                                .mapToLong(counts -> (Long) counts.get(period))
                                .sum())
                        .toList());
    }

    @Override
    public CompletableFuture<Optional<ListedTimer>> find(TimerGroup group, TimerId id) {
        TimerKeys keys = new TimerKeys(group);
        int partition = group.partitionOf(id);
        byte[] name = bytes(id.text());
        CompletableFuture<Double> due = functions.command(redis -> redis.zscore(keys.due(partition), name));
        CompletableFuture<byte[]> record = functions.command(redis -> redis.hget(keys.records(partition), name));
        return due.thenCombine(
                record,
                (score, found) -> score == null || found == null
                        ? Optional.empty()
                        : Optional.of(listed(id, score.longValue(), found)));
    }

    static ListedTimer listed(TimerId id, long score, byte[] record) {
        boolean firing = score >= CLAIMED;
        return new ListedTimer(TimerRecord.parse(id, firing ? score - CLAIMED : score, record), firing);
    }

    @Override
    public CompletableFuture<Change> move(TimerGroup group, TimerId id, long due) {
        TimerKeys keys = new TimerKeys(group);
        int partition = group.partitionOf(id);
        return functions
                .number(
                        Operation.MOVE,
                        new byte[][] {keys.directoryOf(partition), keys.due(partition)},
                        bytes(partition),
                        bytes(id.text()),
                        bytes(NewTimer.due(due)))
                .thenApply(answer -> change(answer, Change.FIRING));
    }

    @Override
    public CompletableFuture<TimerCounts> counts(TimerGroup group) {
        TimerKeys keys = new TimerKeys(group);
        return eachPartition(group, partition -> {
                    CompletableFuture<Long> all = functions.command(redis -> redis.zcard(keys.due(partition)));
                    CompletableFuture<Long> firing = functions.command(redis -> redis.zcount(
                            keys.due(partition),
                            Range.from(Range.Boundary.including(CLAIMED), Range.Boundary.unbounded())));
                    CompletableFuture<Long> dead = functions.command(redis -> redis.zcard(keys.dead(partition)));
                    return all.thenCombine(firing, (timers, claimed) -> new TimerCounts(timers - claimed, claimed, 0))
                            .thenCombine(dead, (live, letters) -> live.plus(new TimerCounts(0, 0, letters)));
                })
                .thenApply(counts -> counts.stream().reduce(TimerCounts.NONE, TimerCounts::plus));
    }

    @Override
    public CompletableFuture<List<DeadLetter>> deadLetters(TimerGroup group, int limit) {
        TimerKeys keys = new TimerKeys(group);
        return eachPartition(
                        group,
                        partition -> functions.command(redis -> redis.zrevrange(keys.dead(partition), 0, limit - 1L)))
                .thenApply(partitions -> partitions.stream()
                        .flatMap(List::stream)
                        .map(DeadLetterRecord::parse)
                        .sorted(DeadLetter.NEWEST_FIRST)
                        .limit(limit)
                        .toList());
    }

    @Override
    public CompletableFuture<Change> replay(TimerGroup group, DeadLetter letter, long due) {
        TimerKeys keys = new TimerKeys(group);
        Timer dead = letter.timer();
        int partition = group.partitionOf(dead.id());
        NewTimer again =
                new NewTimer(dead.id(), due, NewTimer.NEVER_STALE, dead.opaque(), dead.context(), dead.trace());
        return functions
                .number(
                        Operation.REPLAY,
                        new byte[][] {
                            keys.gateOf(partition),
                            keys.directoryOf(partition),
                            keys.due(partition),
                            keys.records(partition),
                            keys.dead(partition)
                        },
                        bytes(group.instance()),
                        bytes(partition),
                        bytes(dead.version()),
                        bytes(again.due()),
                        bytes(TimerRecord.attributes(Timer.first(again, 0))))
                .thenApply(answer -> change(answer, Change.EXISTS));
    }

    @Override
    public CompletableFuture<Change> discard(TimerGroup group, DeadLetter letter) {
        TimerKeys keys = new TimerKeys(group);
        int partition = group.partitionOf(letter.timer().id());
        long version = letter.timer().version();
        return functions
                .command(redis -> redis.zremrangebyscore(keys.dead(partition), Range.create(version, version)))
                .thenApply(removed -> removed == 0 ? Change.NOT_FOUND : Change.DONE);
    }

    private static Change change(long answer, Change two) {
        if (answer == FENCED) {
            return Change.FENCED;
        }
        return answer == 0 ? Change.NOT_FOUND : answer == 1 ? Change.DONE : two;
    }

    private static DirectoryEntry entry(ScoredValue<byte[]> row) {
        return new DirectoryEntry(Integer.parseInt(text(row.getValue())), (long) row.getScore());
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, UTF_8);
    }

    private static <T> CompletableFuture<List<T>> each(List<Integer> numbers, IntFunction<CompletableFuture<T>> call) {
        return all(numbers.size(), i -> call.apply(numbers.get(i)));
    }

    private static <T> CompletableFuture<List<T>> eachPartition(
            TimerGroup group, IntFunction<CompletableFuture<T>> call) {
        return all(group.partitions(), call);
    }

    static <T> CompletableFuture<List<T>> all(int count, IntFunction<CompletableFuture<T>> call) {
        List<CompletableFuture<T>> calls =
                IntStream.range(0, count).mapToObj(call).toList();
        return CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> calls.stream().map(CompletableFuture::join).toList());
    }
}
