package io.millrace.traces.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TraceRecorderTest {

    private final MemoryTraceStore store = new MemoryTraceStore(10);

    private static Span span(String trace, String id) {
        return new Span(trace, id, "", Span.Kind.HANDLER, "OnUpdate", 1, 2, "", Map.of(Attribute.FUNCTION, "f"));
    }

    @Test
    void spans_areStoredAndExportedBeforeItCloses() {
        List<Span> exported = new ArrayList<>();
        TraceRecorder recorder = new TraceRecorder(store, spans -> {
            exported.addAll(spans);
            return CompletableFuture.completedFuture(null);
        });

        recorder.accept(List.of(span("t1", "1"), span("t2", "2")));
        recorder.accept(List.of(span("t1", "3")));
        recorder.close();

        assertThat(store.spans("t1").join()).extracting(Span::span).containsExactly("1", "3");
        assertThat(store.spans("t2").join()).hasSize(1);
        assertThat(exported).extracting(Span::span).containsExactly("1", "2", "3");
    }

    @Test
    void exportThatFails_costsTheStoreNothing() {
        TraceRecorder recorder = new TraceRecorder(
                store, spans -> CompletableFuture.failedFuture(new IllegalStateException("no collector")));

        recorder.accept(List.of(span("t1", "1")));
        recorder.close();

        assertThat(store.spans("t1").join()).hasSize(1);
    }

    @Test
    void accept_fasterThanTheStore_leavesOutSpans() {
        CompletableFuture<Void> slow = new CompletableFuture<>();
        TraceRecorder recorder = new TraceRecorder(store, spans -> slow);

        for (int i = 0; i < 3 * TraceRecorder.MAX_WAITING; i++) {
            recorder.accept(List.of(span("t1", String.valueOf(i))));
        }
        slow.complete(null);
        recorder.close();

        assertThat(store.spans("t1").join()).isNotEmpty();
    }
}
