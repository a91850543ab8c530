package io.millrace.worker.bindings;

import io.millrace.handler.host.HostFailure;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TracesLimits;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the invocation for an event or a request that is traced has done. Belongs to the thread of the invocation, but its steps may be ended
 * by any.
 */
public final class Trail {

    private static final long NANOS_PER_MICRO = 1000;
    private static final long MICROS_PER_MILLI = 1000;

    /** What the store counts in the low bits of a CAS, which is a time otherwise. */
    private static final long CAS_COUNTER = 0xffff;

    private final String entryPoint;
    private final Map<String, String> about;
    private final long sinceMicros;
    private final TraceContext cause;
    private final TraceContext queue;
    private final TraceContext handler;
    private final long beganMicros = System.currentTimeMillis() * MICROS_PER_MILLI;
    private final long beganNanos = System.nanoTime();
    private final List<Step> steps = new ArrayList<>();
    private int leftOut;

    private Trail(String entryPoint, Map<String, String> about, long sinceMicros, TraceContext cause) {
        this.entryPoint = entryPoint;
        this.about = about;
        this.sinceMicros = sinceMicros;
        this.cause = cause;
        this.queue = cause.next();
        this.handler = cause.next();
    }

    /** Returns an empty trail for an event that is traced, null for another one. */
    static @Nullable Trail of(Event event) {
        if (event.trace().isEmpty()) {
            return null;
        }
        TraceContext cause = TraceContext.parse(event.trace());
        Map<String, String> document = Map.of(Attribute.DOCUMENT, event.id());
        long written = (event.cas() & ~CAS_COUNTER) / NANOS_PER_MICRO; // a CAS is a time in nanoseconds
        return switch (event.kind()) {
            case MUTATION -> new Trail("OnUpdate", document, written, cause);
            case DELETION, EXPIRATION -> new Trail("OnDelete", document, written, cause);
            case TIMER ->
                new Trail(event.scope(), Map.of("reference", event.id()), event.cas() * MICROS_PER_MILLI, cause);
            case APPENDED ->
                new Trail(
                        "OnEvent",
                        Map.of(Attribute.STREAM, event.id(), Attribute.INDEX, Long.toString(event.cas())),
                        appendedMicros(event),
                        cause);
        };
    }

    /** Returns when an event was appended, in microseconds since 1970. */
    private static long appendedMicros(Event event) {
        String time = JsonMapper.shared()
                .readTree(Objects.requireNonNull(event.userXattrs()))
                .path("time")
                .asString();
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time));
    }

    /** Returns an empty trail for a request that is traced, null for another one. */
    static @Nullable Trail ofRequest(String trace, long sinceMicros) {
        return trace.isEmpty() ? null : new Trail("OnRequest", Map.of(), sinceMicros, TraceContext.parse(trace));
    }

    /** Returns the id of the trace. */
    public String traceId() {
        return cause.traceId();
    }

    /** Begins an effect of the handler. */
    Step begin(Span.Kind kind, String name, Map<String, String> attributes) {
        Step step = new Step(kind, name, attributes, handler.next());
        if (steps.size() < TracesLimits.MAX_EFFECTS) {
            steps.add(step);
        } else {
            leftOut++;
        }
        return step;
    }

    /**
     * Takes an effect and ends its step with it.
     *
     * @param step null if the invocation is not traced
     */
    static <T> T traced(@Nullable Step step, Effect<T> effect) throws HostFailure {
        if (step == null) {
            return effect.take();
        }
        try {
            T result = effect.take();
            step.end(null);
            return result;
        } catch (HostFailure e) {
            step.end(e);
            throw e;
        }
    }

    /** Ends a step, null if the invocation is not traced, with an answer that is awaited elsewhere. */
    static void follow(@Nullable Step step, CompletableFuture<?> answer) {
        if (step != null) {
            answer.whenComplete((result, failure) -> step.end(failure));
        }
    }

    /** What a handler does outside of its code. */
    interface Effect<T> {
        T take() throws HostFailure;
    }

    private long micros(long nanos) {
        return beganMicros + (nanos - beganNanos) / NANOS_PER_MICRO;
    }

    /**
     * Returns all of it as spans, in the order in which they began.
     *
     * @param version the number of the version that ran
     */
    public List<Span> spans(Outcome outcome, long version) {
        Map<String, String> attributes = new HashMap<>(about);
        if (version > 0) {
            attributes.put(Attribute.VERSION, Long.toString(version));
        }
        List<Span> spans = new ArrayList<>();
        long since = Math.min(sinceMicros, beganMicros);
        spans.add(span(queue, cause, Span.Kind.QUEUE, "queue", since, beganMicros - since, "", attributes));
        if (leftOut > 0) {
            attributes.put("effects_left_out", Integer.toString(leftOut));
        }
        spans.add(span(
                handler,
                queue,
                Span.Kind.HANDLER,
                entryPoint,
                beganMicros,
                outcome.micros(),
                outcome.ok() ? "" : outcome.message(),
                attributes));
        steps.forEach(step -> spans.add(step.span()));
        return spans;
    }

    private static Span span(
            TraceContext self,
            TraceContext parent,
            Span.Kind kind,
            String name,
            long start,
            long micros,
            String error,
            Map<String, String> attributes) {
        return new Span(
                self.traceId(),
                self.spanId(),
                parent.spanId(),
                kind,
                name,
                start,
                micros,
                TracesLimits.cut(error),
                attributes);
    }

    /** One effect of a handler. */
    final class Step {

        private final Span.Kind kind;
        private final String name;
        private final Map<String, String> attributes;
        private final TraceContext context;
        private final long began = System.nanoTime();
        private volatile long ended = began;
        private volatile String error = "";

        private Step(Span.Kind kind, String name, Map<String, String> attributes, TraceContext context) {
            this.kind = kind;
            this.name = name;
            this.attributes = new HashMap<>(attributes);
            this.context = context;
        }

        /** Returns what is handed on to whatever the effect leads to. */
        TraceContext context() {
            return context;
        }

        /** Adds an attribute. To be called by the thread of the invocation. */
        void add(String attribute, String value) {
            attributes.put(attribute, TracesLimits.cut(value));
        }

        /** @param failure null if there was none */
        void end(@Nullable Throwable failure) {
            if (failure != null) {
                error = String.valueOf(failure.getMessage());
            }
            ended = System.nanoTime();
        }

        private Span span() {
            long start = micros(began);
            return Trail.span(context, handler, kind, name, start, micros(ended) - start, error, attributes);
        }
    }
}
