package io.millrace.eventing.http.requests;

import io.millrace.access.Subject;
import io.millrace.accessspring.GateAudit;
import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.SpanSink;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TraceSampler;
import io.millrace.traces.TracesLimits;
import io.millrace.workerprotocol.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;

/** Begins the trace of a request that is followed, as the other ways in do for changes of documents. Thread-safe. */
@Component
final class RequestTraces {

    private static final long MICROS_PER_MILLI = 1000;

    private final TraceSampler sampler;
    private final SpanSink spans;

    RequestTraces(TraceSampler sampler, SpanSink spans) {
        this.sampler = sampler;
        this.spans = spans;
    }

    /**
     * Makes a call.
     *
     * @param path what is called, behind the name of the function
     * @param call makes it with the span of the request as text, "" if it is not followed
     */
    CompletableFuture<RequestResult> follow(
            ServerHttpRequest request,
            FunctionName function,
            Subject caller,
            String path,
            Function<String, CompletableFuture<RequestResult>> call) {
        Optional<TraceContext> parent =
                TraceContext.ofHeader(request.getHeaders().getFirst(TraceContext.HEADER));
        TraceContext trace = sampler.follow(RequestController.ROOT + function, parent);
        if (trace == null) {
            return call.apply("");
        }
        Map<String, String> about = new HashMap<>();
        about.put(Attribute.FUNCTION, function.toString());
        about.put(Attribute.PATH, TracesLimits.cut(path));
        about.put(Attribute.DOOR, "http");
        about.put(Attribute.REQUEST, GateAudit.requestId(request));
        about.put(Attribute.USER, caller.name());
        long startMicros = System.currentTimeMillis() * MICROS_PER_MILLI;
        long startNanos = System.nanoTime();
        return call.apply(trace.text())
                .whenComplete((result, failure) -> problem(result, failure)
                        .ifPresent(ended -> ended.thenAccept(problem -> spans.accept(List.of(new Span(
                                trace.traceId(),
                                trace.spanId(),
                                parent.map(TraceContext::spanId).orElse(""),
                                Span.Kind.CALL,
                                request.getMethod().name(),
                                startMicros,
                                (System.nanoTime() - startNanos) / 1000,
                                TracesLimits.cut(problem),
                                about))))));
    }

    /** Completes when the function has ended, with "" if all is well; nothing if it was not called here. */
    private static Optional<CompletableFuture<String>> problem(
            @Nullable RequestResult result, @Nullable Throwable failure) {
        return switch (result) {
            case null -> known(failure == null ? "" : String.valueOf(failure.getMessage()));
            case RequestResult.NoWorker() -> Optional.empty();
            case RequestResult.WorkerEnded() -> known("the worker ended before it answered");
            case RequestResult.Answered(var outcome, var response) -> known(problem(outcome));
            case RequestResult.Streamed(var response) ->
                Optional.of(response.ended().thenApply(RequestTraces::problem));
        };
    }

    private static Optional<CompletableFuture<String>> known(String problem) {
        return Optional.of(CompletableFuture.completedFuture(problem));
    }

    private static String problem(Outcome outcome) {
        return outcome.ok() ? "" : outcome.message();
    }
}
