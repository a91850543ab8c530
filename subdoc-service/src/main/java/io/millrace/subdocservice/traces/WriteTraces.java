package io.millrace.subdocservice.traces;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.redis.RedisFailure;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.SpanSink;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TraceSampler;
import io.millrace.traces.TracesLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Begins the trace of a change of a client if it is one that is followed: the change carries the trace as its origin, and its
 * span says who made it. Thread-safe.
 */
public final class WriteTraces {

    /** Follows nothing. */
    public static final WriteTraces NONE = new WriteTraces(new TraceSampler(0, 0, System::nanoTime), SpanSink.NONE);

    private static final long MICROS_PER_MILLI = 1000;

    private final TraceSampler sampler;
    private final SpanSink sink;

    public WriteTraces(TraceSampler sampler, SpanSink sink) {
        this.sampler = sampler;
        this.sink = sink;
    }

    /**
     * Does one write.
     *
     * @param parent the span that led to it, if its sender records the trace
     * @param client asked only if the write is followed
     */
    public CompletableFuture<WriteResult> write(
            Write write,
            Optional<TraceContext> parent,
            Supplier<Client> client,
            Function<Write, CompletableFuture<WriteResult>> store) {
        TraceContext trace = sampler.follow(write.key().keyspace().bucket(), parent);
        return trace == null
                ? store.apply(write)
                : traced(
                        write.key(),
                        trace,
                        parent,
                        client.get(),
                        () -> store.apply(write.withOrigin(Origin.ofClient(trace))),
                        WriteTraces::problem);
    }

    /**
     * Does work that changes a document.
     *
     * @param parent the span that led to it, if its sender records the trace
     * @param client asked only if the work is followed
     * @param work does it with the origin of the change, null for none
     * @param problem returns why the result is not a change, "" if it is
     */
    public <T> CompletableFuture<T> follow(
            DocumentKey key,
            Optional<TraceContext> parent,
            Supplier<Client> client,
            Function<@Nullable Origin, CompletableFuture<T>> work,
            Function<T, String> problem) {
        TraceContext trace = sampler.follow(key.keyspace().bucket(), parent);
        return trace == null
                ? work.apply(null)
                : traced(key, trace, parent, client.get(), () -> work.apply(Origin.ofClient(trace)), problem);
    }

    private <T> CompletableFuture<T> traced(
            DocumentKey key,
            TraceContext trace,
            Optional<TraceContext> parent,
            Client client,
            Supplier<CompletableFuture<T>> work,
            Function<T, String> problem) {
        long startMicros = System.currentTimeMillis() * MICROS_PER_MILLI;
        long startNanos = System.nanoTime();
        return work.get().whenComplete((result, failure) -> {
            String error = failure == null
                    ? problem.apply(result)
                    : String.valueOf(RedisFailure.unwrap(failure).getMessage());
            long micros = (System.nanoTime() - startNanos) / 1000;
            sink.accept(List.of(new Span(
                    trace.traceId(),
                    trace.spanId(),
                    parent.map(TraceContext::spanId).orElse(""),
                    Span.Kind.WRITE,
                    client.action(),
                    startMicros,
                    micros,
                    TracesLimits.cut(error),
                    attributes(key, client))));
        });
    }

    private static Map<String, String> attributes(DocumentKey key, Client by) {
        Map<String, String> attributes = new HashMap<>();
        attributes.put(Attribute.KEYSPACE, key.keyspace().toString());
        attributes.put(Attribute.DOCUMENT, key.id());
        attributes.put(Attribute.DOOR, by.door());
        attributes.put(Attribute.REQUEST, by.request());
        attributes.put(Attribute.USER, by.user());
        return attributes;
    }

    private static String problem(WriteResult result) {
        return switch (result) {
            case WriteResult.Written ignored -> "";
            case WriteResult.CasMismatch ignored -> "the document has another version";
            case WriteResult.AlreadyExists ignored -> "the document exists";
            case WriteResult.NotFound ignored -> "there is no such document";
            case WriteResult.Locked ignored -> "the document is locked";
        };
    }
}
