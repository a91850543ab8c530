package io.millrace.subdocservice.traces;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore.AtomicResult;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
    public static final WriteTraces NONE = new WriteTraces(TraceSampler.NEVER, SpanSink.NONE);

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
     * Does writes of several documents, all or none. Each that is followed has a trace and a span of its own.
     *
     * @param parent the span that led to them, if its sender records the trace
     * @param client asked only if a write is followed
     */
    public CompletableFuture<AtomicResult> writeAtomically(
            List<Write> writes,
            Optional<TraceContext> parent,
            Supplier<Client> client,
            Function<List<Write>, CompletableFuture<AtomicResult>> store) {
        List<Write> marked = new ArrayList<>(writes.size());
        Map<DocumentKey, TraceContext> traces = new LinkedHashMap<>();
        for (Write write : writes) {
            TraceContext trace = sampler.follow(write.key().keyspace().bucket(), parent);
            marked.add(trace == null ? write : write.withOrigin(Origin.ofClient(trace)));
            if (trace != null) {
                traces.put(write.key(), trace);
            }
        }
        if (traces.isEmpty()) {
            return store.apply(writes);
        }
        Client by = client.get();
        Clock clock = new Clock();
        return store.apply(marked).whenComplete((result, failure) -> {
            List<Span> spans = new ArrayList<>(traces.size());
            traces.forEach((key, trace) -> spans.add(
                    span(key, trace, parent, by, clock, failure == null ? problem(key, result) : message(failure))));
            sink.accept(spans);
        });
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
        Clock clock = new Clock();
        return work.get()
                .whenComplete((result, failure) -> sink.accept(List.of(span(
                        key,
                        trace,
                        parent,
                        client,
                        clock,
                        failure == null ? problem.apply(result) : message(failure)))));
    }

    private static String message(Throwable failure) {
        return String.valueOf(RedisFailure.unwrap(failure).getMessage());
    }

    private static Span span(
            DocumentKey key,
            TraceContext trace,
            Optional<TraceContext> parent,
            Client by,
            Clock clock,
            String problem) {
        return new Span(
                trace.traceId(),
                trace.spanId(),
                parent.map(TraceContext::spanId).orElse(""),
                Span.Kind.WRITE,
                by.action(),
                clock.startMicros,
                clock.micros(),
                TracesLimits.cut(problem),
                attributes(key, by));
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

    private static String problem(DocumentKey key, AtomicResult result) {
        return switch (result) {
            case AtomicResult.Written ignored -> "";
            case AtomicResult.Refused refused ->
                refused.key().equals(key)
                        ? problem(refused.reason())
                        : "another document of the same transaction refused its change";
            case AtomicResult.Apart ignored -> "the documents of the transaction are in different shards";
        };
    }

    /** When work began, and how long ago that is. */
    private static final class Clock {
        final long startMicros = System.currentTimeMillis() * MICROS_PER_MILLI;
        private final long startNanos = System.nanoTime();

        long micros() {
            return (System.nanoTime() - startNanos) / 1000;
        }
    }
}
