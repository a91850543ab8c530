package io.millrace.worker.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Origin;
import io.millrace.handler.host.DocumentCall;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import io.millrace.handler.host.HostFailure;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TracesLimits;
import io.millrace.worker.Samples;
import io.millrace.worker.report.Counters;
import io.millrace.worker.report.LogBuffer;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerSetup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TrailTest {

    private static final TraceContext CAUSE = TraceContext.random();
    private static final long WRITTEN_NANOS = 1_790_000_000_123_000_000L;

    private final FaultyStore store = new FaultyStore();
    private final Counters counters = new Counters();
    private final LogBuffer log =
            new LogBuffer(InstantSource.system(), io.millrace.handler.host.HandlerHost.LogLevel.INFO, counters);
    private final BucketHost host = host();

    private BucketHost host() {
        WorkerSetup setup = Samples.setup(1);
        StoreQueue queue = new StoreQueue(store, new MemoryTimerStore(), Runnable::run);
        return new BucketHost(
                setup,
                new WriteBehind(queue, Time.SYSTEM, Duration.ofSeconds(30), counters),
                log,
                counters,
                BucketHost.Shared.of(setup, counters, queue));
    }

    private Invocation begin(String trace) {
        Event plain = Samples.event("a", 3, 1);
        Event event =
                new Event(plain.kind(), plain.key(), new Event.Version(3, WRITTEN_NANOS, 1, trace), plain.content());
        Invocation invocation =
                new Invocation(event, System.nanoTime() + Duration.ofSeconds(60).toNanos());
        host.begin(invocation);
        return invocation;
    }

    private static StoredDocument document() {
        return new StoredDocument("1".getBytes(StandardCharsets.UTF_8), false);
    }

    private static List<Span> spans(Invocation invocation) {
        return Objects.requireNonNull(invocation.trail()).spans(Outcome.success(10), 7);
    }

    private Origin originOf(String id) {
        return Objects.requireNonNull(
                store.getWithTombstone(FaultyStore.key(id)).join().orElseThrow().origin());
    }

    @Test
    void spans_areTheQueueTheHandlerAndItsEffectsInOrder() throws HostFailure {
        Invocation invocation = begin(CAUSE.text());

        host.upsert("target", "b", document());
        host.access(access(DocumentCall.Operation.INSERT, "c"));
        host.access(access(DocumentCall.Operation.GET, "c"));
        host.delete("target", "b", true);

        List<Span> spans = spans(invocation);
        assertThat(spans).extracting(Span::name).containsExactly("queue", "OnUpdate", "upsert", "insert", "delete");
        assertThat(spans).extracting(Span::trace).containsOnly(CAUSE.traceId());
        assertThat(spans)
                .extracting(Span::parent)
                .containsExactly(
                        CAUSE.spanId(),
                        spans.get(0).span(),
                        spans.get(1).span(),
                        spans.get(1).span(),
                        spans.get(1).span());
        assertThat(spans.getFirst().startMicros()).isBetween(WRITTEN_NANOS / 1000 - 66, WRITTEN_NANOS / 1000);
        assertThat(spans.get(1).attribute(Attribute.DOCUMENT)).isEqualTo("a");
        assertThat(spans.get(1).attribute(Attribute.VERSION)).isEqualTo("7");
        assertThat(spans.get(2).attributes())
                .containsEntry(Attribute.KEYSPACE, "target._default._default")
                .containsEntry(Attribute.DOCUMENT, "b");
    }

    @Test
    void write_isTheCauseOfWhatItWakes() throws HostFailure {
        Invocation invocation = begin(CAUSE.text());

        host.upsert("target", "b", document());
        host.access(access(DocumentCall.Operation.UPSERT, "c"));

        List<Span> spans = spans(invocation);
        for (String id : List.of("b", "c")) {
            TraceContext trace = Objects.requireNonNull(originOf(id).trace());
            assertThat(trace.traceId()).isEqualTo(CAUSE.traceId());
            assertThat(spans)
                    .filteredOn(span -> span.attribute(Attribute.DOCUMENT).equals(id))
                    .extracting(Span::span)
                    .containsExactly(trace.spanId());
        }
        assertThat(originOf("b").hops()).isEqualTo(2);
    }

    @Test
    void nothingIsTraced_afterwards() throws HostFailure {
        begin(CAUSE.text());
        host.log(io.millrace.handler.host.HandlerHost.LogLevel.INFO, "traced");

        Invocation next = begin("");
        host.upsert("target", "b", document());
        host.log(io.millrace.handler.host.HandlerHost.LogLevel.INFO, "not traced");

        assertThat(next.trail()).isNull();
        assertThat(originOf("b").trace()).isNull();
    }

    @Test
    void effects_beyondTheLimit_areCounted() throws HostFailure {
        Invocation invocation = begin(CAUSE.text());

        for (int i = 0; i < TracesLimits.MAX_EFFECTS + 3; i++) {
            host.upsert("target", "b" + i, document());
        }

        assertThat(spans(invocation)).hasSize(2 + TracesLimits.MAX_EFFECTS);
        assertThat(spans(invocation).get(1).attribute("effects_left_out")).isEqualTo("3");
    }

    @Test
    void effect_thatFails_saysWhy() {
        Invocation invocation = begin(CAUSE.text());

        try {
            host.createTimer(new io.millrace.handler.host.TimerCall("cb", 0, "r", null, 0, ""));
        } catch (HostFailure e) {
            assertThat(spans(invocation).getLast().error()).isEqualTo(e.getMessage());
            return;
        }
        throw new AssertionError("There is no metadata bucket, but a timer was created");
    }

    private static DocumentCall access(DocumentCall.Operation operation, String id) {
        @Nullable StoredDocument document = operation == DocumentCall.Operation.GET ? null : document();
        return new DocumentCall(operation, "target", null, null, id, document, 0, null, false, false, List.of());
    }
}
