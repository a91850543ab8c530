package io.millrace.eventing.checkpoint;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Checkpoints on Redis: one hash per function in the metadata bucket's first shard, one field per vbucket. A record is
 * a line of words so that the scripts need to look at its first two only, and that a person can read it.
 */
public final class RedisCheckpointStore implements CheckpointStore {

    private static final Script CLAIM = Script.load("claim.lua");
    private static final Script SAVE = Script.load("save.lua");

    private final Supplier<RedisClusterAsyncCommands<byte[], byte[]>> redis;

    /** @param redis asked at each call, so that construction does not connect */
    public RedisCheckpointStore(Supplier<RedisClusterAsyncCommands<byte[], byte[]>> redis) {
        this.redis = redis;
    }

    @Override
    public CompletableFuture<Claim> claim(CheckpointGroup group, String owner, int first, int last) {
        CompletableFuture<List<Object>> answer =
                run(CLAIM, key(group), bytes(owner), bytes(Integer.toString(first)), bytes(Integer.toString(last)));
        return answer.thenApply(rows -> {
            long epoch = (Long) rows.getFirst();
            List<Checkpoint> checkpoints = new ArrayList<>(rows.size() - 1);
            for (int i = 1; i < rows.size(); i++) {
                checkpoints.add(parse(first + i - 1, (byte[]) rows.get(i)));
            }
            return new Claim(epoch, checkpoints);
        });
    }

    @Override
    public CompletableFuture<List<Integer>> save(CheckpointGroup group, List<Checkpoint> checkpoints) {
        if (checkpoints.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        byte[][] arguments = new byte[checkpoints.size() * 2][];
        int at = 0;
        for (Checkpoint checkpoint : checkpoints) {
            arguments[at++] = bytes(Integer.toString(checkpoint.vbucket()));
            arguments[at++] = format(checkpoint);
        }
        CompletableFuture<List<Object>> answer = run(SAVE, key(group), arguments);
        return answer.thenApply(rows -> {
            List<Integer> fenced = new ArrayList<>(rows.size());
            for (Object row : rows) {
                fenced.add(((Long) row).intValue());
            }
            return fenced;
        });
    }

    @Override
    public CompletableFuture<Void> deleteAll(CheckpointGroup group) {
        return called(() -> redis.get().del(key(group)).toCompletableFuture()).thenApply(count -> null);
    }

    private CompletableFuture<List<Object>> run(Script script, byte[] key, byte[]... arguments) {
        return called(() -> {
            byte[][] keys = {key};
            CompletableFuture<List<Object>> first = redis.get()
                    .<List<Object>>evalsha(script.sha(), ScriptOutputType.MULTI, keys, arguments)
                    .toCompletableFuture();
            return first.exceptionallyCompose(failure -> {
                if (cause(failure) instanceof RedisNoScriptException) {
                    return redis.get()
                            .<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                            .toCompletableFuture();
                }
                return CompletableFuture.failedFuture(failure);
            });
        });
    }

    /** Turns an exception of the call itself, such as a connection refused, into a failed future. */
    private static <T> CompletableFuture<T> called(Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static byte[] key(CheckpointGroup group) {
        return bytes("mr:{" + group.metadataBucket() + ".0}:cp:" + group.functionId());
    }

    private static byte[] format(Checkpoint checkpoint) {
        return bytes("1 " + checkpoint.epoch() + ' ' + checkpoint.seqno() + ' ' + checkpoint.vbucketUuid() + ' '
                + checkpoint.epochMillis() + ' ' + checkpoint.worker() + ' ' + checkpoint.owner());
    }

    private static Checkpoint parse(int vbucket, byte[] record) {
        String[] words = new String(record, StandardCharsets.UTF_8).split(" ", -1);
        if (words.length != 7 || !words[0].equals("1")) {
            throw new IllegalStateException("The checkpoint of vbucket " + vbucket + " is of an unknown form: "
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

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A script with its digest. */
    private record Script(byte[] text, String sha) {

        static Script load(String name) {
            try (InputStream in = RedisCheckpointStore.class.getResourceAsStream(name)) {
                if (in == null) {
                    throw new IllegalStateException("The resource " + name + " is missing from this build");
                }
                byte[] text = in.readAllBytes();
                byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
                return new Script(text, HexFormat.of().formatHex(digest));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("Every Java platform has SHA-1", e);
            }
        }
    }
}
