package io.millrace.traces.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TracesLimits;
import io.millrace.traces.spring.TraceStore.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What every store of traces does. */
abstract class TraceStoreContract {

    static final int KEPT = 3;

    private final String function = "f" + UUID.randomUUID();
    private final String document = "d" + UUID.randomUUID();
    private final String request = "r" + UUID.randomUUID();

    /** Returns a store that keeps {@link #KEPT} traces of each function. */
    abstract TraceStore store();

    private Span span(TraceContext context, Span.Kind kind, Map<String, String> attributes) {
        return new Span(context.traceId(), context.spanId(), "", kind, "step", 1, 2, "", attributes);
    }

    private String handled(String by, String of) {
        TraceContext context = TraceContext.random();
        store().add(
                        context.traceId(),
                        List.of(span(
                                context, Span.Kind.HANDLER, Map.of(Attribute.FUNCTION, by, Attribute.DOCUMENT, of))))
                .join();
        return context.traceId();
    }

    private List<String> newest(Reference reference) {
        return store().newest(reference, 10).join();
    }

    @Test
    void add_isFoundByWhatItIsAbout() {
        TraceContext context = TraceContext.random();
        Span write = span(
                context,
                Span.Kind.WRITE,
                Map.of(Attribute.DOCUMENT, document, Attribute.REQUEST, request, "more", "\"ü\n"));
        Span handler = span(context.next(), Span.Kind.HANDLER, Map.of(Attribute.FUNCTION, function));

        store().add(context.traceId(), List.of(write)).join();
        store().add(context.traceId(), List.of(handler)).join();

        assertThat(store().spans(context.traceId()).join()).containsExactly(write, handler);
        for (Reference reference :
                List.of(Reference.function(function), Reference.document(document), Reference.request(request))) {
            assertThat(newest(reference)).as(reference.text()).containsExactly(context.traceId());
        }
        assertThat(newest(Reference.document("other " + document))).isEmpty();
        assertThat(store().spans("0").join()).isEmpty();
    }

    @Test
    void add_moreThanAreKept_deletesTheOldest() {
        String first = handled(function, document);
        List<String> later = new ArrayList<>();
        for (int i = 0; i < KEPT; i++) {
            later.addFirst(handled(function, document));
        }

        assertThat(newest(Reference.function(function))).containsExactlyElementsOf(later);
        assertThat(newest(Reference.document(document))).containsExactlyElementsOf(later);
        assertThat(store().spans(first).join()).isEmpty();
        assertThat(store().newest(Reference.function(function), 1).join()).containsExactly(later.getFirst());
    }

    @Test
    void traceOfTwoFunctions_isKeptAsLongAsOneKeepsIt() {
        String other = "g" + function;
        TraceContext both = TraceContext.random();
        store().add(
                        both.traceId(),
                        List.of(
                                span(both, Span.Kind.HANDLER, Map.of(Attribute.FUNCTION, function)),
                                span(both.next(), Span.Kind.HANDLER, Map.of(Attribute.FUNCTION, other))))
                .join();
        for (int i = 0; i < KEPT; i++) {
            handled(function, document);
        }

        assertThat(store().spans(both.traceId()).join()).hasSize(2);
        assertThat(newest(Reference.function(function))).doesNotContain(both.traceId());
        assertThat(newest(Reference.function(other))).containsExactly(both.traceId());

        for (int i = 0; i < KEPT; i++) {
            handled(other, document);
        }

        assertThat(store().spans(both.traceId()).join()).isEmpty();
    }

    @Test
    void add_moreSpansThanATraceHas_leavesOutTheRest() {
        TraceContext context = TraceContext.random();
        List<Span> many = new ArrayList<>();
        for (int i = 0; i < TracesLimits.MAX_SPANS + 10; i++) {
            many.add(span(context.next(), Span.Kind.EFFECT, Map.of(Attribute.FUNCTION, function)));
        }

        store().add(context.traceId(), many).join();
        store().add(context.traceId(), many.subList(0, 1)).join();

        assertThat(store().spans(context.traceId()).join())
                .containsExactlyElementsOf(many.subList(0, TracesLimits.MAX_SPANS));
    }
}
