package io.millrace.redis;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Redis functions that are loaded together. The library is named by its content, so that processes of different versions
 * load different libraries and each calls its own; an outdated library is no longer called.
 *
 * @param <F> an enum of the functions; each constant is a file of Lua of the same name in lower case, in its package. A
 *     file registers its function as {@code LIBRARY .. '_<name>'}, with the flag {@code 'no-writes'} if it only reads.
 */
public final class FunctionLibrary<F extends Enum<F>> {

    private static final String READ_ONLY_FLAG = "'no-writes'";

    /** A function's name in Redis. */
    private record Entry(String name, boolean readOnly) {}

    /** By ordinal. */
    private final List<Entry> entries;

    private final String source;

    private FunctionLibrary(List<Entry> entries, String source) {
        this.entries = entries;
        this.source = source;
    }

    /**
     * Reads the files of a library.
     *
     * @param prefix of its name: letters, digits and underscores
     * @param shared texts of Lua whose local functions the files of all functions can call; see {@link #read}
     * @throws IllegalStateException when a file is missing
     */
    public static <F extends Enum<F>> FunctionLibrary<F> of(String prefix, Class<F> functions, String... shared) {
        StringBuilder body = new StringBuilder(String.join("\n", shared));
        Set<F> readers = EnumSet.noneOf(functions);
        for (F function : functions.getEnumConstants()) {
            String text = read(functions, word(function));
            if (text.contains(READ_ONLY_FLAG)) {
                readers.add(function);
            }
            body.append("\ndo\n").append(text).append("end\n"); // Lua allows 200 local names per block
        }
        String name = prefix + '_' + hash(body.toString());
        List<Entry> entries = Arrays.stream(functions.getEnumConstants())
                .map(function -> new Entry(name + '_' + word(function), readers.contains(function)))
                .toList();
        return new FunctionLibrary<>(entries, "#!lua name=" + name + "\nlocal LIBRARY = '" + name + "'\n" + body);
    }

    /**
     * Returns the text of a Lua file in the package of a class.
     *
     * @param file its name without the ending
     * @throws IllegalStateException when there is none
     */
    public static String read(Class<?> owner, String file) {
        try (InputStream in = owner.getResourceAsStream(file + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("The resource " + file + ".lua of " + owner + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what {@code FUNCTION LOAD} takes. */
    public String source() {
        return source;
    }

    /** Calls a function that answers with a string. */
    public RedisFuture<byte[]> value(
            RedisClusterAsyncCommands<byte[], byte[]> redis, F function, byte[][] keys, byte[]... args) {
        return call(redis, function, ScriptOutputType.VALUE, keys, args);
    }

    /** Calls a function that answers with a number. */
    public RedisFuture<Long> number(
            RedisClusterAsyncCommands<byte[], byte[]> redis, F function, byte[][] keys, byte[]... args) {
        return call(redis, function, ScriptOutputType.INTEGER, keys, args);
    }

    /**
     * Calls a function that answers with a list.
     *
     * @param <T> of its elements: {@code byte[]}, {@code Long}, {@code List}, or {@code Object} where they differ
     */
    public <T> RedisFuture<List<T>> list(
            RedisClusterAsyncCommands<byte[], byte[]> redis, F function, byte[][] keys, byte[]... args) {
        return call(redis, function, ScriptOutputType.MULTI, keys, args);
    }

    private <T> RedisFuture<T> call(
            RedisClusterAsyncCommands<byte[], byte[]> redis,
            F function,
            ScriptOutputType type,
            byte[][] keys,
            byte[]... args) {
        Entry entry = entries.get(function.ordinal());
        return entry.readOnly
                ? redis.fcallReadOnly(entry.name, type, keys, args)
                : redis.fcall(entry.name, type, keys, args);
    }

    private static String word(Enum<?> function) {
        return function.name().toLowerCase(Locale.ROOT);
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
