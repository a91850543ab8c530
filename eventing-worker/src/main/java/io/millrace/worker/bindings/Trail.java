package io.millrace.worker.bindings;

import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TracesLimits;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the invocation for an event that is traced has done. Belongs to the thread of the invocation, but its steps may be ended
 * by any.
 */
public final class Trail {

    private static final long NANOS_PER_MICRO = 1000;
    private static final long MICROS_PER_MILLI = 1000;

    /** What the store counts in the low bits of a CAS, which is a time otherwise. */
    private static final long CAS_COUNTER = 0xffff;

    private final Event event;
    private final TraceContext cause;
    private final TraceContext queue;
    private final TraceContext handler;
    private final long beganMicros = System.currentTimeMillis() * MICROS_PER_MILLI;
    private final long beganNanos = System.nanoTime();
    private final List<Step> steps = new ArrayList<>();
    private int leftOut;

    private Trail(Event event, TraceContext cause) {
        this.event = event;
        this.cause = cause;
        this.queue = cause.next();
        this.handler = cause.next();
    }

    /** Returns an empty trail for an event that is traced, null for another one. */
    static @Nullable Trail of(Event event) {
        return event.trace().isEmpty() ? null : new Trail(event, TraceContext.parse(event.trace()));
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

    private long micros(long nanos) {
        return beganMicros + (nanos - beganNanos) / NANOS_PER_MICRO;
    }

    /**
     * Returns all of it as spans, in the order in which they began.
     *
     * @param version the number of the version that ran
     */
    public List<Span> spans(Outcome outcome, long version) {
        Map<String, String> about = new HashMap<>();
        if (version > 0) {
            about.put(Attribute.VERSION, Long.toString(version));
        }
        boolean timer = event.kind() == Event.Kind.TIMER;
        about.put(timer ? "reference" : Attribute.DOCUMENT, event.id());
        List<Span> spans = new ArrayList<>();
        long since = Math.min(since(timer), beganMicros);
        spans.add(span(queue, cause, Span.Kind.QUEUE, "queue", since, beganMicros - since, "", about));
        if (leftOut > 0) {
            about.put("effects_left_out", Integer.toString(leftOut));
        }
        spans.add(span(
                handler,
                queue,
                Span.Kind.HANDLER,
                timer ? event.scope() : event.kind() == Event.Kind.MUTATION ? "OnUpdate" : "OnDelete",
                beganMicros,
                outcome.micros(),
                outcome.ok() ? "" : outcome.message(),
                about));
        steps.forEach(step -> spans.add(step.span()));
        return spans;
    }

    /** Returns when the event happened: a CAS is a time in nanoseconds, that of a timer is its millisecond. */
    private long since(boolean timer) {
        return timer ? event.cas() * MICROS_PER_MILLI : (event.cas() & ~CAS_COUNTER) / NANOS_PER_MICRO;
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
