package io.millrace.traces.spring;

import io.millrace.traces.Span;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;

/** A span as OpenTelemetry sees it; its attributes begin with {@code millrace.}. */
final class ExportedSpan implements SpanData {

    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("io.millrace");
    private static final long NANOS_PER_MICRO = 1000;

    private final Span span;
    private final Resource resource;
    private final Attributes attributes;

    ExportedSpan(Span span, Resource resource) {
        this.span = span;
        this.resource = resource;
        AttributesBuilder all = Attributes.builder();
        span.attributes().forEach((name, value) -> all.put("millrace." + name, value));
        this.attributes = all.build();
    }

    @Override
    public String getName() {
        return span.name();
    }

    @Override
    public SpanKind getKind() {
        return switch (span.kind()) {
            case WRITE, CALL -> SpanKind.SERVER;
            case HANDLER -> SpanKind.CONSUMER;
            case EFFECT -> SpanKind.PRODUCER;
            case REQUEST -> SpanKind.CLIENT;
            case QUEUE, DEAD_LETTER -> SpanKind.INTERNAL;
        };
    }

    @Override
    public SpanContext getSpanContext() {
        return SpanContext.create(span.trace(), span.span(), TraceFlags.getSampled(), TraceState.getDefault());
    }

    @Override
    public SpanContext getParentSpanContext() {
        return SpanContext.create(
                span.trace(),
                span.parent().isEmpty() ? SpanId.getInvalid() : span.parent(),
                TraceFlags.getSampled(),
                TraceState.getDefault());
    }

    @Override
    public StatusData getStatus() {
        return span.error().isEmpty()
                ? StatusData.unset()
                : StatusData.create(io.opentelemetry.api.trace.StatusCode.ERROR, span.error());
    }

    @Override
    public long getStartEpochNanos() {
        return span.startMicros() * NANOS_PER_MICRO;
    }

    @Override
    public long getEndEpochNanos() {
        return span.endMicros() * NANOS_PER_MICRO;
    }

    @Override
    public Attributes getAttributes() {
        return attributes;
    }

    @Override
    public List<EventData> getEvents() {
        return List.of();
    }

    @Override
    public List<LinkData> getLinks() {
        return List.of();
    }

    @Override
    public boolean hasEnded() {
        return true;
    }

    @Override
    public int getTotalRecordedEvents() {
        return 0;
    }

    @Override
    public int getTotalRecordedLinks() {
        return 0;
    }

    @Override
    public int getTotalAttributeCount() {
        return attributes.size();
    }

    @Override
    @SuppressWarnings("deprecation") // the interface demands it
    public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
        return io.opentelemetry.sdk.common.InstrumentationLibraryInfo.create(SCOPE.getName(), null);
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return SCOPE;
    }

    @Override
    public Resource getResource() {
        return resource;
    }
}
