package io.millrace.traces;

import java.util.List;

/** Takes spans that have ended. Thread-safe; neither blocks nor throws. */
@FunctionalInterface
public interface SpanSink {

    /** Forgets spans. */
    SpanSink NONE = spans -> {};

    void accept(List<Span> spans);
}
