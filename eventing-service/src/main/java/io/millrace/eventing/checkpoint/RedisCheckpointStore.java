package io.millrace.eventing.checkpoint;

import static io.millrace.redis.Bytes.bytes;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.rebalance.VbucketSet;
import io.millrace.redis.Bytes;
import io.millrace.redis.FunctionLibrary;
import io.millrace.redis.RedisLink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Checkpoints on Redis: one hash per function in the metadata bucket's first shard, one field per vbucket, and a hash
 * with the leases of nodes. A record is a line of words so that the functions read only its first two, and a person can
 * read it.
 */
final class RedisCheckpointStore implements CheckpointStore {

    /** The Redis functions, each a file of Lua of the same name in lower case. */
    private enum Operation {
        CLAIM,
        SAVE,
        RENEW
    }

    private static final FunctionLibrary<Operation> LIBRARY =
            FunctionLibrary.of("millrace_checkpoints", Operation.class);

    private final RedisLink redis;

    /** @param redis asked at the first call, so that construction does not connect */
    RedisCheckpointStore(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
        this.redis = new RedisLink(redis, LIBRARY);
    }

    @Override
    public CompletableFuture<Claim> claim(CheckpointGroup group, String owner, VbucketSet wanted) {
        int[] vbuckets = wanted.stream().toArray();
        byte[][] arguments = new byte[vbuckets.length + 1][];
        arguments[0] = bytes(owner);
        for (int i = 0; i < vbuckets.length; i++) {
            arguments[i + 1] = bytes(vbuckets[i]);
        }
        byte[][] keys = {key(group), leases(group.metadataBucket())};
        return redis.call(commands -> LIBRARY.list(commands, Operation.CLAIM, keys, arguments))
                .thenApply(rows -> {
                    long epoch = (Long) rows.getFirst();
                    List<Checkpoint> granted = new ArrayList<>(vbuckets.length);
                    TreeMap<Integer, String> refused = new TreeMap<>();
                    for (int i = 0; i < vbuckets.length; i++) {
                        Checkpoint checkpoint = parse(vbuckets[i], (byte[]) rows.get(i + 1));
                        if (checkpoint.epoch() == epoch) {
                            granted.add(checkpoint);
                        } else {
                            refused.put(vbuckets[i], checkpoint.owner());
                        }
                    }
                    return new Claim(epoch, granted, refused);
                });
    }

    @Override
    public CompletableFuture<List<Integer>> save(CheckpointGroup group, List<Checkpoint> checkpoints) {
        return save(group, checkpoints, checkpoint -> checkpoint);
    }

    @Override
    public CompletableFuture<List<Integer>> giveUp(CheckpointGroup group, List<Checkpoint> checkpoints) {
        return save(group, checkpoints, Checkpoint::released);
    }

    private CompletableFuture<List<Integer>> save(
            CheckpointGroup group, List<Checkpoint> checkpoints, UnaryOperator<Checkpoint> written) {
        if (checkpoints.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        byte[][] arguments = new byte[checkpoints.size() * 3][];
        int at = 0;
        for (Checkpoint checkpoint : checkpoints) {
            arguments[at++] = bytes(checkpoint.vbucket());
            arguments[at++] = bytes(checkpoint.epoch());
            arguments[at++] = format(written.apply(checkpoint));
        }
        byte[][] keys = {key(group)};
        return redis.call(commands -> LIBRARY.<Long>list(commands, Operation.SAVE, keys, arguments))
                .thenApply(rows -> {
                    List<Integer> fenced = new ArrayList<>(rows.size());
                    for (Long row : rows) {
                        fenced.add(row.intValue());
                    }
                    return fenced;
                });
    }

    @Override
    public CompletableFuture<List<Checkpoint>> read(CheckpointGroup group) {
        return redis.call(commands -> commands.hgetall(key(group))).thenApply(found -> {
            TreeMap<Integer, Checkpoint> checkpoints = new TreeMap<>();
            found.forEach((field, record) -> {
                String name = new String(field, StandardCharsets.UTF_8);
                if (Character.isDigit(name.charAt(0))) {
                    checkpoints.put(Integer.valueOf(name), parse(Integer.parseInt(name), record));
                }
            });
            return List.copyOf(checkpoints.values());
        });
    }

    @Override
    public CompletableFuture<Renewed> renew(String metadataBucket, String node, Duration lease) {
        byte[][] keys = {leases(metadataBucket)};
        return redis.call(
                        commands -> LIBRARY.list(commands, Operation.RENEW, keys, bytes(node), bytes(lease.toMillis())))
                .thenApply(answer -> new Renewed(
                        Bytes.text((byte[]) answer.get(1)), answer.get(2).equals(1L)));
    }

    @Override
    public CompletableFuture<Void> deleteAll(CheckpointGroup group) {
        return redis.call(commands -> commands.del(key(group))).thenApply(count -> null);
    }

    private static byte[] key(CheckpointGroup group) {
        return bytes("mr:{" + group.metadataBucket() + ".0}:cp:" + group.functionId());
    }

    private static byte[] leases(String metadataBucket) {
        return bytes("mr:{" + metadataBucket + ".0}:leases");
    }

    private static byte[] format(Checkpoint checkpoint) {
        return bytes("1 " + checkpoint.epoch() + ' ' + checkpoint.seqno() + ' ' + checkpoint.vbucketUuid() + ' '
                + checkpoint.epochMillis() + ' ' + checkpoint.worker() + ' ' + checkpoint.owner());
    }

    private static Checkpoint parse(int vbucket, byte[] record) {
        String[] words = new String(record, StandardCharsets.UTF_8).split(" ", -1);
        if (words.length != 7 || !words[0].equals("1")) {
            throw new IllegalStateException("The checkpoint of vbucket " + vbucket + " has an unknown format: "
                    + new String(record, StandardCharsets.UTF_8));
        }
        return new Checkpoint(
                vbucket,
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                words[3],
                Long.parseLong(words[4]),
                words[5],
                words[6]);
    }
}
