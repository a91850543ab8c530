package io.millrace.timers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The Redis functions of timers and the way to them. They are one library, named by its content, so that processes of
 * different versions call their own; it is loaded when a function is not found.
 */
final class TimerFunctions {

    /** The operations, each a file of Lua of the same name in lower case. */
    enum Operation {
        CREATE,
        CANCEL,
        TAKE,
        CLAIM,
        CONFIRM,
        AGAIN,
        BURY,
        MOVE,
        REPLAY,
        RESTORE,
        MARK;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String NAME;
    private static final String SOURCE;

    static {
        StringBuilder body = new StringBuilder(read("shared"));
        for (Operation operation : Operation.values()) {
            body.append("\ndo\n").append(read(operation.word())).append("end\n");
        }
        NAME = "millrace_timers_" + hash(body.toString());
        SOURCE = "#!lua name=" + NAME + "\nlocal LIBRARY = '" + NAME + "'\n" + body;
    }

    private final Supplier<? extends CompletionStage<? extends RedisClusterAsyncCommands<byte[], byte[]>>> connector;

    private @Nullable CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> connection;

    /** @param connector asked at the first call, and again when it failed */
    TimerFunctions(Supplier<? extends CompletionStage<? extends RedisClusterAsyncCommands<byte[], byte[]>>> connector) {
        this.connector = connector;
    }

    /** Calls a function that answers with a number. */
    CompletableFuture<Long> number(Operation operation, byte[][] keys, byte[]... arguments) {
        return call(operation, ScriptOutputType.INTEGER, keys, arguments);
    }

    /** Calls a function that answers with a list, or with a number in it alone. */
    CompletableFuture<List<Object>> list(Operation operation, byte[][] keys, byte[]... arguments) {
        return call(operation, ScriptOutputType.MULTI, keys, arguments);
    }

    /** Gives a plain command. */
    <T> CompletableFuture<T> command(
            Function<RedisClusterAsyncCommands<byte[], byte[]>, ? extends CompletionStage<T>> command) {
        return attempt(command).exceptionallyCompose(failure -> CompletableFuture.failedFuture(translate(failure)));
    }

    private <T> CompletableFuture<T> call(
            Operation operation, ScriptOutputType type, byte[][] keys, byte[]... arguments) {
        String name = NAME + '_' + operation.word();
        Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> call =
                redis -> redis.fcall(name, type, keys, arguments);
        return attempt(call)
                .exceptionallyCompose(failure -> missing(failure)
                        ? attempt(TimerFunctions::load).thenCompose(loaded -> attempt(call))
                        : CompletableFuture.failedFuture(failure))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(translate(failure)));
    }

    /** Lettuce sends what has no key to any one node of a cluster, but every master calls the functions that it has itself. */
    private static CompletionStage<?> load(RedisClusterAsyncCommands<byte[], byte[]> redis) {
        if (!(redis instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster)) {
            return redis.functionLoad(SOURCE, true);
        }
        CompletableFuture<?>[] loading =
                cluster.upstream().commands().functionLoad(SOURCE, true).futures();
        // a master that is away need not keep the others; the call that is made again tells whether it was the one
        return CompletableFuture.allOf(loading).exceptionally(failure -> null);
    }

    /** Also an exception of the call itself, such as a connection refused, becomes a failed future. */
    private <T> CompletableFuture<T> attempt(
            Function<RedisClusterAsyncCommands<byte[], byte[]>, ? extends CompletionStage<T>> command) {
        try {
            return connected().thenCompose(command);
        } catch (RedisException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> connected() {
        CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> made = connection;
        if (made == null || made.isCompletedExceptionally()) {
            CompletionStage<? extends RedisClusterAsyncCommands<byte[], byte[]>> opening = connector.get();
            made = opening.<RedisClusterAsyncCommands<byte[], byte[]>>thenApply(commands -> commands)
                    .toCompletableFuture();
            connection = made;
        }
        return made;
    }

    private static boolean missing(Throwable failure) {
        return cause(failure) instanceof RedisCommandExecutionException e
                && String.valueOf(e.getMessage()).contains("Function not found");
    }

    private static TimersException translate(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof TimersException known) {
            return known;
        }
        if (!(cause instanceof RedisCommandExecutionException)) {
            return TimersException.unavailable(cause);
        }
        String text = String.valueOf(cause.getMessage());
        int blank = text.indexOf(' ');
        return switch (blank < 0 ? text : text.substring(0, blank)) {
            case "LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY", "MOVED", "ASK", "UNBLOCKED" ->
                TimersException.unavailable(cause);
            default ->
                missing(cause) || text.contains("Script attempted to access a non local key")
                        ? TimersException.unavailable(cause) // another master had it, or the slot is being moved to one
                        : TimersException.refused(cause);
        };
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static String read(String file) {
        try (InputStream in = TimerFunctions.class.getResourceAsStream(file + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("Not in the jar: " + file + ".lua");
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
