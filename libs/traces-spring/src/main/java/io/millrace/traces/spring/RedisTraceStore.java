package io.millrace.traces.spring;

import static io.millrace.redis.Bytes.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.redis.FunctionLibrary;
import io.millrace.redis.RedisLink;
import io.millrace.traces.Span;
import io.millrace.traces.TracesLimits;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Traces on Redis, all in one slot: a trace belongs to several functions, and few are followed. See {@code add.lua}. */
final class RedisTraceStore implements TraceStore {

    /** The Redis functions, each a file of Lua of the same name in lower case. */
    private enum Operation {
        ADD
    }

    private static final FunctionLibrary<Operation> LIBRARY = FunctionLibrary.of("millrace_traces", Operation.class);

    private static final String PREFIX = "mr:{traces}:";

    private final RedisLink redis;
    private final int kept;
    private final InstantSource clock;

    /**
     * @param redis asked at the first call, so that construction does not connect
     * @param kept how many traces of each function, and of writes
     */
    RedisTraceStore(
            Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis, int kept, InstantSource clock) {
        this.redis = new RedisLink(redis, LIBRARY);
        this.kept = kept;
        this.clock = clock;
    }

    private static byte[] list(String trace) {
        return bytes(PREFIX + "t:" + trace);
    }

    private static byte[] index(Reference reference) {
        return bytes(PREFIX + "i:" + reference.text());
    }

    @Override
    public CompletableFuture<Void> add(String trace, List<Span> spans) {
        Set<Reference> references = References.of(spans);
        List<byte[]> arguments = new ArrayList<>(List.of(
                bytes(PREFIX),
                bytes(trace),
                bytes(clock.millis()),
                bytes(kept),
                bytes(TracesLimits.MAX_SPANS),
                bytes(LONGEST.toSeconds()),
                bytes(references.size())));
        references.forEach(reference -> arguments.add(bytes(reference.text())));
        spans.forEach(span -> arguments.add(span.json()));
        byte[][] keys = {list(trace), bytes(PREFIX + "x:" + trace)};
        return redis.call(commands -> LIBRARY.number(commands, Operation.ADD, keys, arguments.toArray(byte[][]::new)))
                .thenApply(done -> null);
    }

    @Override
    public CompletableFuture<List<Span>> spans(String trace) {
        return redis.call(commands -> commands.lrange(list(trace), 0, -1))
                .thenApply(found -> found.stream().map(Span::ofJson).toList());
    }

    @Override
    public CompletableFuture<List<String>> newest(Reference reference, int most) {
        return redis.call(commands -> commands.zrevrange(index(reference), 0, most - 1L))
                .thenApply(
                        found -> found.stream().map(id -> new String(id, UTF_8)).toList());
    }
}
