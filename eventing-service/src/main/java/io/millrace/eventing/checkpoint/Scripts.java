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
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Calls Redis, and scripts in it by their digests. Never throws: a call that cannot be made is a failed future. */
public final class Scripts {

    private final Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis;

    /** @param redis asked at each call, so that construction does not connect */
    public Scripts(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
        this.redis = redis;
    }

    public CompletableFuture<List<Object>> run(Script script, byte[][] keys, byte[]... arguments) {
        CompletableFuture<List<Object>> first =
                call(commands -> commands.<List<Object>>evalsha(script.sha(), ScriptOutputType.MULTI, keys, arguments));
        return first.exceptionallyCompose(failure -> {
            if (cause(failure) instanceof RedisNoScriptException) {
                return call(
                        commands -> commands.<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                                .toCompletableFuture());
            }
            return CompletableFuture.failedFuture(failure);
        });
    }

    /** Turns an exception of the call itself, such as a connection refused, into a failed future. */
    public <T> CompletableFuture<T> call(Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> call) {
        try {
            return redis.get().thenCompose(call).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A script with its digest. */
    public record Script(byte[] text, String sha) {

        public static Script load(String name) {
            try (InputStream in = Scripts.class.getResourceAsStream(name)) {
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
