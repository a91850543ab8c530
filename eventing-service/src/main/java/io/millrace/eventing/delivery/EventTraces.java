package io.millrace.eventing.delivery;

import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.SpanSink;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TraceSampler;
import io.millrace.workerprotocol.Event;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Begins the traces of events of streams that are followed: those whose metadata has {@code traceparent}, and of the others a
 * few per second and category. They begin here because an event keeps nothing of the request that appended it but its
 * metadata. Thread-safe.
 */
final class EventTraces {

    private final TraceSampler sampler;
    private final SpanSink spans;
    private final String category;
    private final Map<String, String> here;

    EventTraces(FunctionSpec spec, RuntimeEnvironment environment) {
        this.sampler = environment.sampler();
        this.spans = environment.spans();
        this.category = spec.source().category();
        this.here = Map.of(Attribute.FUNCTION, spec.name(), Attribute.NODE, environment.node());
    }

    /** Returns an event, with a trace if it is followed. */
    Event follow(Event event, EncodedEvent stored) {
        Optional<TraceContext> parent = parent(event, stored);
        TraceContext trace = sampler.follow(category, parent);
        if (trace == null) {
            return event;
        }
        Span appended = new Span(
                trace.traceId(),
                trace.spanId(),
                parent.map(TraceContext::spanId).orElse(""),
                Span.Kind.WRITE,
                "append",
                ChronoUnit.MICROS.between(Instant.EPOCH, stored.time()),
                0,
                "",
                Map.of(
                        Attribute.STREAM,
                        event.id(),
                        Attribute.INDEX,
                        Long.toString(event.cas()),
                        "type",
                        stored.type()));
        spans.accept(List.of(appended.with(here)));
        return event.withTrace(trace.text());
    }

    private static Optional<TraceContext> parent(Event event, EncodedEvent stored) {
        if (stored.meta() == null) {
            return Optional.empty();
        }
        String about = new String(Objects.requireNonNull(event.userXattrs()), StandardCharsets.UTF_8);
        if (!about.contains(TraceContext.HEADER)) {
            return Optional.empty();
        }
        JsonNode header = JsonMapper.shared().readTree(about).path("meta").path(TraceContext.HEADER);
        return TraceContext.ofHeader(header.asString(""));
    }
}
