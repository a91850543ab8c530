package io.millrace.timers.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.redis.FunctionLibrary;
import io.millrace.redis.RedisFailure;
import io.millrace.redis.RedisLink;
import io.millrace.timers.TimersException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Calls to Redis for timers. They fail with {@link TimersException}. */
final class TimerFunctions {

    /** The Redis functions, each a file of Lua of the same name in lower case. */
    enum Operation {
        CREATE,
        CANCEL,
        TAKE,
        CLAIM,
        DUE,
        DENSITY,
        SEARCH,
        CONFIRM,
        AGAIN,
        BURY,
        MOVE,
        REPLAY,
        RESTORE,
        MARK
    }

    private static final FunctionLibrary<Operation> LIBRARY = FunctionLibrary.of(
            "millrace_timers", Operation.class, FunctionLibrary.read(TimerFunctions.class, "shared"));

    private final RedisLink link;

    TimerFunctions(Supplier<? extends CompletionStage<? extends RedisClusterAsyncCommands<byte[], byte[]>>> connector) {
        link = new RedisLink(connector, LIBRARY);
    }

    /** Calls a function that answers with a number. */
    CompletableFuture<Long> number(Operation operation, byte[][] keys, byte[]... arguments) {
        return command(redis -> LIBRARY.number(redis, operation, keys, arguments));
    }

    /** Calls a function that answers with a list, or with a number in it alone. */
    CompletableFuture<List<Object>> list(Operation operation, byte[][] keys, byte[]... arguments) {
        return command(redis -> LIBRARY.list(redis, operation, keys, arguments));
    }

    /** Sends a plain command. */
    <T> CompletableFuture<T> command(
            Function<RedisClusterAsyncCommands<byte[], byte[]>, ? extends CompletionStage<T>> command) {
        return link.call(command)
                .exceptionallyCompose(
                        failure -> CompletableFuture.failedFuture(TimersException.of(RedisFailure.of(failure))));
    }
}
