package io.millrace.redis;

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

/**
 * A connection to Redis that is opened at the first call, and function libraries that are loaded when a call does not
 * find its function. So plain commands work on a Redis that refuses to load functions because its memory is full.
 */
public final class RedisLink {

    private final Supplier<? extends CompletionStage<? extends RedisClusterAsyncCommands<byte[], byte[]>>> connector;
    private final List<String> sources = new ArrayList<>();
    private @Nullable CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> connection;
    private @Nullable CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> ready;
    private volatile @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands;

    /** @param connector asked at the first call, and again after it failed; must not block */
    public RedisLink(
            Supplier<? extends CompletionStage<? extends RedisClusterAsyncCommands<byte[], byte[]>>> connector,
            FunctionLibrary<?>... libraries) {
        this.connector = connector;
        for (FunctionLibrary<?> library : libraries) {
            sources.add(library.source());
        }
    }

    /** Adds a library to those that the next {@link #ready()} loads. */
    public synchronized void add(FunctionLibrary<?> library) {
        sources.add(library.source());
        ready = null;
    }

    /**
     * Returns the commands of the open connection.
     *
     * @throws IllegalStateException when the connection is not open yet
     */
    public RedisClusterAsyncCommands<byte[], byte[]> redis() {
        RedisClusterAsyncCommands<byte[], byte[]> opened = commands;
        if (opened == null) {
            throw new IllegalStateException("The link to Redis is not connected yet");
        }
        return opened;
    }

    /** Returns true when the link is connected to a cluster, which redirects calls while slots move. */
    public boolean cluster() {
        return commands instanceof RedisAdvancedClusterAsyncCommands;
    }

    /** Connects and loads the libraries unless that is done; a failed attempt is repeated at the next call. */
    public synchronized CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> ready() {
        if (ready == null || ready.isCompletedExceptionally()) {
            ready = connected().thenCompose(this::load).toCompletableFuture();
        }
        return ready;
    }

    /**
     * Makes a call; if its function was not found, loads the libraries and makes it once more. Never throws: a call that
     * cannot be made is a failed future, whose exception is Lettuce's; see {@link RedisFailure}.
     */
    public <T> CompletableFuture<T> call(
            Function<RedisClusterAsyncCommands<byte[], byte[]>, ? extends CompletionStage<T>> call) {
        return connected()
                .thenCompose(redis -> call.apply(redis)
                        .handle((answer, failure) -> {
                            if (failure == null) {
                                return CompletableFuture.completedStage(answer);
                            }
                            if (!RedisFailure.functionMissing(failure)) {
                                return CompletableFuture.<T>failedStage(failure);
                            }
                            functionsLost();
                            return ready().thenCompose(call);
                        })
                        .thenCompose(Function.identity()));
    }

    /** Reports that a function was not found: the next {@link #ready()} loads the libraries again. */
    public synchronized void functionsLost() {
        if (ready != null && ready.isDone()) {
            ready = null;
        }
    }

    private synchronized CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> connected() {
        if (connection == null || connection.isCompletedExceptionally()) {
            connection = connect().toCompletableFuture();
        }
        return connection;
    }

    private CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> connect() {
        CompletionStage<? extends RedisClusterAsyncCommands<byte[], byte[]>> opening;
        try {
            opening = connector.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
        return opening.thenApply(opened -> {
            commands = opened;
            return opened;
        });
    }

    private synchronized CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> load(
            RedisClusterAsyncCommands<byte[], byte[]> redis) {
        CompletionStage<?> loaded = CompletableFuture.completedStage(null);
        for (String source : sources) {
            loaded = loaded.thenCompose(before -> load(redis, source));
        }
        return loaded.thenApply(all -> redis);
    }

    /** Lettuce sends a command without a key to one node of a cluster, but functions must be on every master. */
    private static CompletionStage<?> load(RedisClusterAsyncCommands<byte[], byte[]> redis, String source) {
        return redis instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
                ? anyOf(cluster.upstream().commands().functionLoad(source, true).futures())
                : redis.functionLoad(source, true);
    }

    /** Completes when all have ended and one succeeded; a call that reaches a master without the function loads it there. */
    private static CompletionStage<?> anyOf(CompletableFuture<String>[] loading) {
        CompletableFuture<?> first = CompletableFuture.anyOf(loading);
        return CompletableFuture.allOf(loading)
                .handle((done, failure) ->
                        failure == null || Arrays.stream(loading).anyMatch(one -> !one.isCompletedExceptionally()))
                .thenCompose(some -> some ? CompletableFuture.completedStage(null) : first);
    }
}
