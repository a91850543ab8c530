package io.millrace.documents;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The Redis functions: one library of all operations, named by its content. Processes of different versions load
 * different libraries and do not disturb each other; an outdated library is one that nobody calls.
 */
final class FunctionLibrary {

    private static final List<String> OPERATIONS = List.of(
            "write", "lock", "unlock", "expire", "arm", "open", "close", "swap", "index", "scan", "adopt", "merge",
            "fence", "expect", "arrive", "settle");

    static final FunctionLibrary INSTANCE = new FunctionLibrary();

    final String name;
    final String source;
    private final String write;
    private final String lock;
    private final String unlock;
    private final String expire;
    private final String arm;
    private final String open;
    private final String close;
    private final String swap;
    private final String index;
    private final String scan;
    private final String adopt;
    private final String merge;
    private final String fence;
    private final String expect;
    private final String arrive;
    private final String settle;

    private FunctionLibrary() {
        StringBuilder body = new StringBuilder(read(FunctionLibrary.class, "shared"));
        for (String operation : OPERATIONS) {
            body.append(block(read(FunctionLibrary.class, operation)));
        }
        name = name(body);
        source = source(name, body);
        write = name + "_write";
        lock = name + "_lock";
        unlock = name + "_unlock";
        expire = name + "_expire";
        arm = name + "_arm";
        open = name + "_open";
        close = name + "_close";
        swap = name + "_swap";
        index = name + "_index";
        scan = name + "_scan";
        adopt = name + "_adopt";
        merge = name + "_merge";
        fence = name + "_fence";
        expect = name + "_expect";
        arrive = name + "_arrive";
        settle = name + "_settle";
    }

    static String block(String operation) {
        return "\ndo\n" + operation + "end\n";
    }

    static String name(CharSequence body) {
        return "millrace_" + hash(body.toString());
    }

    static String source(String name, CharSequence body) {
        return "#!lua name=" + name + "\nlocal LIBRARY = '" + name + "'\n" + body;
    }

    RedisFuture<byte[]> write(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[][] args) {
        return redis.fcall(write, ScriptOutputType.VALUE, keys, args);
    }

    RedisFuture<byte[]> lock(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[]... args) {
        return redis.fcall(lock, ScriptOutputType.VALUE, keys, args);
    }

    RedisFuture<byte[]> unlock(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[]... args) {
        return redis.fcall(unlock, ScriptOutputType.VALUE, keys, args);
    }

    RedisFuture<byte[]> expire(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[]... args) {
        return redis.fcall(expire, ScriptOutputType.VALUE, keys, args);
    }

    RedisFuture<byte[]> arm(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[] meta, byte[]... args) {
        return redis.fcall(arm, ScriptOutputType.VALUE, new byte[][] {meta}, args);
    }

    RedisFuture<byte[]> open(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[] meta, byte[]... args) {
        return redis.fcall(open, ScriptOutputType.VALUE, new byte[][] {meta}, args);
    }

    RedisFuture<byte[]> close(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[] meta, byte[]... args) {
        return redis.fcall(close, ScriptOutputType.VALUE, new byte[][] {meta}, args);
    }

    RedisFuture<byte[]> swap(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[]... args) {
        return redis.fcall(swap, ScriptOutputType.VALUE, new byte[][] {Keys.CATALOG}, args);
    }

    RedisFuture<byte[]> index(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[][] args) {
        return redis.fcall(index, ScriptOutputType.VALUE, keys, args);
    }

    RedisFuture<List<byte[]>> scan(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[][] args) {
        return redis.fcallReadOnly(scan, ScriptOutputType.MULTI, keys, args);
    }

    RedisFuture<byte[]> adopt(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[][] args) {
        return redis.fcall(adopt, ScriptOutputType.VALUE, keys, args);
    }

    RedisFuture<byte[]> merge(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[][] args) {
        return redis.fcall(merge, ScriptOutputType.VALUE, keys, args);
    }

    RedisFuture<byte[]> fence(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[] meta, byte[]... args) {
        return redis.fcall(fence, ScriptOutputType.VALUE, new byte[][] {meta}, args);
    }

    RedisFuture<byte[]> expect(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[] meta, byte[]... args) {
        return redis.fcall(expect, ScriptOutputType.VALUE, new byte[][] {meta}, args);
    }

    RedisFuture<byte[]> arrive(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[][] args) {
        return redis.fcall(arrive, ScriptOutputType.VALUE, keys, args);
    }

    RedisFuture<byte[]> settle(RedisClusterAsyncCommands<byte[], byte[]> redis, byte[] meta, byte[]... args) {
        return redis.fcall(settle, ScriptOutputType.VALUE, new byte[][] {meta}, args);
    }

    /** Returns a file beside a class. */
    static String read(Class<?> owner, String file) {
        try (InputStream in = owner.getResourceAsStream(file + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("Not in the jar: " + file + ".lua");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
