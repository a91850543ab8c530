package io.millrace.eventing.deadletter;

import static io.millrace.redis.Bytes.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.rebalance.VbucketSet;
import io.millrace.redis.Bytes;
import io.millrace.redis.FunctionLibrary;
import io.millrace.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Dead letters on Redis, in the shard of the checkpoints: a hash of letters by name, a sorted set of their names by
 * age, and a set of the names whose replay was requested.
 */
final class RedisDeadLetterStore implements DeadLetterStore {

    /** The Redis functions, each a file of Lua of the same name in lower case. */
    private enum Operation {
        BURY,
        UNBURY
    }

    private static final FunctionLibrary<Operation> LIBRARY =
            FunctionLibrary.of("millrace_dead_letters", Operation.class);

    private final RedisLink redis;
    private final ChangeNotifier notifier;

    /** @param redis asked at the first call, so that construction does not connect */
    RedisDeadLetterStore(
            Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis, ChangeNotifier notifier) {
        this.redis = new RedisLink(redis, LIBRARY);
        this.notifier = notifier;
    }

    private record Keys(byte[] letters, byte[] order, byte[] replays, byte[] checkpoints) {

        static Keys of(CheckpointGroup group) {
            String prefix = "mr:{" + group.metadataBucket() + ".0}:";
            String letters = prefix + "dl:" + group.functionId();
            return new Keys(
                    bytes(letters),
                    bytes(letters + ":order"),
                    bytes(letters + ":replays"),
                    bytes(prefix + "cp:" + group.functionId()));
        }
    }

    @Override
    public CompletableFuture<Integer> bury(CheckpointGroup group, long epoch, DeadLetter letter, int most) {
        Keys keys = Keys.of(group);
        return redis.call(commands -> LIBRARY.<Long>list(
                        commands,
                        Operation.BURY,
                        new byte[][] {keys.letters, keys.order, keys.replays, keys.checkpoints},
                        bytes(letter.vbucket()),
                        bytes(epoch),
                        bytes(letter.name()),
                        DeadLetter.JSON.writeValueAsBytes(letter),
                        bytes(most)))
                .thenApply(RedisDeadLetterStore::number);
    }

    @Override
    public CompletableFuture<List<Kept>> list(CheckpointGroup group, long below, int most) {
        Keys keys = Keys.of(group);
        Range<Long> range = Range.from(Range.Boundary.unbounded(), Range.Boundary.excluding(below));
        return redis.call(commands -> commands.zrevrangebyscoreWithScores(keys.order, range, Limit.create(0, most)))
                .thenCompose(found -> kept(keys, found));
    }

    private CompletableFuture<List<Kept>> kept(Keys keys, List<ScoredValue<byte[]>> names) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        byte[][] fields = names.stream().map(ScoredValue::getValue).toArray(byte[][]::new);
        return redis.call(commands -> commands.smembers(keys.replays))
                .thenCombine(letters(keys, fields), (replays, letters) -> {
                    Set<String> replaying = replays.stream()
                            .map(name -> new String(name, UTF_8))
                            .collect(Collectors.toSet());
                    List<Kept> kept = new ArrayList<>();
                    for (int i = 0; i < letters.size(); i++) {
                        long number = (long) names.get(i).getScore();
                        letters.get(i)
                                .ifPresent(letter ->
                                        kept.add(new Kept(number, letter, replaying.contains(letter.name()))));
                    }
                    return kept;
                });
    }

    private CompletableFuture<List<Optional<DeadLetter>>> letters(Keys keys, byte[][] names) {
        return redis.call(commands -> commands.hmget(keys.letters, names))
                .thenApply(found ->
                        found.stream().map(RedisDeadLetterStore::letter).toList());
    }

    private static Optional<DeadLetter> letter(KeyValue<byte[], byte[]> found) {
        return found.hasValue()
                ? Optional.of(DeadLetter.JSON.readValue(found.getValue(), DeadLetter.class))
                : Optional.empty();
    }

    @Override
    public CompletableFuture<Optional<Kept>> find(CheckpointGroup group, String name) {
        Keys keys = Keys.of(group);
        return redis.call(commands -> commands.zscore(keys.order, bytes(name)))
                .thenCompose(number -> number == null
                        ? CompletableFuture.completedFuture(List.<Kept>of())
                        : kept(keys, List.of(ScoredValue.just(number, bytes(name)))))
                .thenApply(found -> found.stream().findFirst());
    }

    @Override
    public CompletableFuture<Long> count(CheckpointGroup group) {
        return redis.call(commands -> commands.zcard(Keys.of(group).order));
    }

    @Override
    public CompletableFuture<List<String>> names(CheckpointGroup group) {
        return redis.call(commands -> commands.zrange(Keys.of(group).order, 0, -1))
                .thenApply(found ->
                        found.stream().map(name -> new String(name, UTF_8)).toList());
    }

    @Override
    public CompletableFuture<Integer> drop(CheckpointGroup group, List<String> names) {
        return unbury(group, "drop", names);
    }

    @Override
    public CompletableFuture<Integer> askForReplay(CheckpointGroup group, List<String> names) {
        return unbury(group, "replay", names);
    }

    @Override
    public CompletableFuture<Void> withdrawReplay(CheckpointGroup group, List<String> names) {
        byte[][] members = names.stream().map(Bytes::bytes).toArray(byte[][]::new);
        return redis.call(commands -> commands.srem(Keys.of(group).replays, members))
                .thenApply(count -> null);
    }

    private CompletableFuture<Integer> unbury(CheckpointGroup group, String what, List<String> names) {
        Keys keys = Keys.of(group);
        byte[][] arguments = new byte[names.size() + 1][];
        arguments[0] = bytes(what);
        for (int i = 0; i < names.size(); i++) {
            arguments[i + 1] = bytes(names.get(i));
        }
        byte[][] kept = {keys.letters, keys.order, keys.replays};
        return redis.call(commands -> LIBRARY.<Long>list(commands, Operation.UNBURY, kept, arguments))
                .thenApply(RedisDeadLetterStore::number);
    }

    @Override
    public ChangeNotifier.Subscription onReplay(CheckpointGroup group, Runnable asked) {
        return notifier.subscribe(Bytes.text(Keys.of(group).replays), asked);
    }

    @Override
    public CompletableFuture<List<DeadLetter>> toReplay(CheckpointGroup group, VbucketSet vbuckets, int most) {
        Keys keys = Keys.of(group);
        return redis.call(commands -> commands.smembers(keys.replays))
                .thenCompose(names -> {
                    byte[][] ours = names.stream()
                            .filter(name -> {
                                int vbucket = DeadLetter.vbucketOf(new String(name, UTF_8));
                                return vbucket >= 0 && vbuckets.contains(vbucket);
                            })
                            .limit(most)
                            .toArray(byte[][]::new);
                    return ours.length == 0
                            ? CompletableFuture.completedFuture(List.<Optional<DeadLetter>>of())
                            : letters(keys, ours);
                })
                .thenApply(found -> found.stream().flatMap(Optional::stream).toList());
    }

    @Override
    public CompletableFuture<Void> deleteAll(CheckpointGroup group) {
        Keys keys = Keys.of(group);
        return redis.call(commands -> commands.del(keys.letters, keys.order, keys.replays))
                .thenApply(count -> null);
    }

    private static int number(List<Long> answer) {
        return answer.getFirst().intValue();
    }
}
