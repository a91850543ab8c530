package io.millrace.documents;

import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way to Redis: opened at the first call, with the functions loaded. */
final class RedisLink {

    private final Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> connector;
    private final List<String> libraries = new ArrayList<>(List.of(FunctionLibrary.INSTANCE.source));
    private @Nullable CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> ready;
    private volatile @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands;

    RedisLink(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> connector) {
        this.connector = connector;
    }

    /** Returns the commands; the link must have been {@link #ready()}. */
    RedisClusterAsyncCommands<byte[], byte[]> redis() {
        RedisClusterAsyncCommands<byte[], byte[]> opened = commands;
        if (opened == null) {
            throw new IllegalStateException("Not connected yet");
        }
        return opened;
    }

    /**
     * Returns how many calls for one document may be on the way at a time. One where Redis is a cluster: a call that is
     * redirected to the new place of a slot is overtaken by a later one that goes there straight away.
     */
    int callsPerDocument() {
        return commands instanceof RedisAdvancedClusterAsyncCommands ? 1 : Limits.REMEMBERED_TRANSACTIONS;
    }

    /** Connects and loads the functions where that has not been done; a failure is tried again at the next call. */
    synchronized CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> ready() {
        if (ready == null || ready.isCompletedExceptionally()) {
            ready = connected().thenCompose(this::load).toCompletableFuture();
        }
        return ready;
    }

    /** Calls a function; when it is not there, the library is loaded and the call made once more. */
    <T> CompletionStage<T> call(Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> function) {
        return ready().thenCompose(redis -> function.apply(redis)
                .handle((answer, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedStage(answer);
                    }
                    if (!RedisErrors.functionMissing(failure)) {
                        return CompletableFuture.<T>failedStage(failure);
                    }
                    functionsLost();
                    return ready().thenCompose(function);
                })
                .thenCompose(Function.identity()));
    }

    /** Says that a function was not found: the next {@link #ready()} loads the library again. */
    synchronized void functionsLost() {
        if (ready != null && ready.isDone()) {
            ready = null;
        }
    }

    private CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> connected() {
        RedisClusterAsyncCommands<byte[], byte[]> opened = commands;
        if (opened != null) {
            return CompletableFuture.completedStage(opened);
        }
        return CompletableFuture.completedStage(connector)
                .thenCompose(Supplier::get)
                .thenApply(fresh -> {
                    commands = fresh;
                    return fresh;
                });
    }

    /** Adds a library to those that are loaded. */
    synchronized void add(String library) {
        libraries.add(library);
        ready = null;
    }

    private synchronized CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> load(
            RedisClusterAsyncCommands<byte[], byte[]> redis) {
        CompletionStage<?> loaded = CompletableFuture.completedStage(null);
        for (String library : libraries) {
            loaded = loaded.thenCompose(before -> load(redis, library));
        }
        return loaded.thenApply(all -> redis);
    }

    /** Lettuce sends what has no key to any one node of a cluster, but every master calls the functions that it has itself. */
    private static CompletionStage<?> load(RedisClusterAsyncCommands<byte[], byte[]> redis, String library) {
        return redis instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
                ? anyOf(cluster.upstream()
                        .commands()
                        .functionLoad(library, true)
                        .futures())
                : redis.functionLoad(library, true);
    }

    /** Completes when all have ended; a master that is away at the moment is asked again by whoever misses a function. */
    private static CompletionStage<?> anyOf(CompletableFuture<String>[] loading) {
        CompletableFuture<?> first = CompletableFuture.anyOf(loading);
        return CompletableFuture.allOf(loading)
                .handle((done, failure) ->
                        failure == null || Arrays.stream(loading).anyMatch(one -> !one.isCompletedExceptionally()))
                .thenCompose(some -> some ? CompletableFuture.completedStage(null) : first);
    }
}
