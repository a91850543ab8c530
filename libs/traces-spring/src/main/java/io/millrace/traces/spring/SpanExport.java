package io.millrace.traces.spring;

import io.millrace.traces.Span;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Takes spans out of the cluster. Thread-safe; does not block. */
@FunctionalInterface
interface SpanExport extends AutoCloseable {

    /** Exports nothing. */
    SpanExport NONE = spans -> CompletableFuture.completedFuture(null);

    /** Completes when the spans are where they are exported to. */
    CompletableFuture<?> export(List<Span> spans);

    @Override
    default void close() {}
}
