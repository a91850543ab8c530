package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.eventing.producer.OtlpReceiver.ReceivedSpan;
import io.millrace.eventing.runtime.Membership;
import io.millrace.rebalance.Layout;
import io.millrace.testkit.RedisFixture;
import io.millrace.traces.SpanSink;
import io.millrace.traces.TraceContext;
import io.millrace.traces.spring.MemoryTraceStore;
import io.millrace.traces.spring.TraceStore;
import io.millrace.traces.spring.TracesAutoConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A chain of three functions on two nodes with real workers, and a published receiver of OpenTelemetry that has their spans. */
@Timeout(600)
class TracesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int TRACED = 40;
    private static final int OTHERS = 1000;
    private static final byte[] BODY = {'{', '}'};
    private static final List<String> CODE = List.of(
            "function OnUpdate(doc, meta) { next[meta.id + '-1'] = {n: 1}; }",
            "function OnUpdate(doc, meta) { createTimer(Later, new Date(), meta.id, {id: meta.id}); }"
                    + " function Later(context) { next[context.id + '-2'] = {n: 2}; }",
            "function OnUpdate(doc, meta) { target[meta.id + '-3'] = {n: 3}; }");

    /** From the last effect back to the write. */
    private static final List<String> CHAIN = List.of(
            "upsert",
            "OnUpdate",
            "queue",
            "upsert",
            "Later",
            "queue",
            "createTimer",
            "OnUpdate",
            "queue",
            "upsert",
            "OnUpdate",
            "queue");

    /** What the receiver has, by the ids of the traces; empty until it is asked. */
    private Map<String, Collection<ReceivedSpan>> received = Map.of();

    @Test
    void chainOfFunctions_onTwoNodesAndUnderLoad_isOneTraceInOrder() throws Exception {
        Optional<OtlpReceiver> started = OtlpReceiver.start();
        if (started.isEmpty()) {
            return;
        }
        try (OtlpReceiver receiver = started.get()) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(TracesAutoConfiguration.class))
                    .withBean(TraceStore.class, () -> new MemoryTraceStore(TRACED))
                    .withPropertyValues("millrace.traces.otlp-endpoint=" + receiver.address())
                    .run(context -> follow(context.getBean(SpanSink.class), receiver));
        }
    }

    private void follow(SpanSink sink, OtlpReceiver receiver) {
        Membership shared = () -> Layout.contiguous("1", List.of("a", "b"));
        String name = "traces-" + UUID.randomUUID();
        List<RealWorkers> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < CODE.size(); i++) {
                for (String node : List.of("a", "b")) {
                    RealWorkers workers = new RealWorkers(RedisFixture.url(), name + i, node, shared);
                    workers.spans(sink);
                    nodes.add(workers);
                }
            }
            for (int i = nodes.size() - 1; i >= 0; i--) {
                RealWorkers workers = nodes.get(i);
                workers.alias(
                        "next", nodes.get(Math.min(i + 2, nodes.size() - 1)).source());
                workers.start(CODE.get(i / 2));
            }
            CompletableFuture<?> load = CompletableFuture.runAsync(
                    () -> nodes.getFirst().create("load", OTHERS), Thread::startVirtualThread);
            List<TraceContext> traces = IntStream.range(0, TRACED)
                    .mapToObj(i -> write(nodes.getFirst(), "d" + i))
                    .toList();
            load.join();

            await().atMost(PATIENCE).until(() -> nodes.getLast().results().size(), size -> size == TRACED + OTHERS);
            await().atMost(PATIENCE).untilAsserted(() -> {
                received = receiver.traces();
                traces.forEach(trace -> assertThat(chain(trace)).isEqualTo(CHAIN));
            });
            assertThat(received).as("only what is followed").hasSize(TRACED);
            assertThat(traces)
                    .as("traces over both nodes")
                    .anyMatch(trace -> nodesOf(trace).size() == 2);
        } finally {
            nodes.forEach(RealWorkers::close);
        }
    }

    private static TraceContext write(RealWorkers node, String id) {
        TraceContext trace = TraceContext.random();
        node.documents
                .write(Write.upsert(new DocumentKey(Keyspace.of(node.source()), id), BODY)
                        .withOrigin(Origin.ofClient(trace)))
                .join();
        return trace;
    }

    /** Returns the names of the spans from the last effect back to the write, which is the parent of the first. */
    private List<String> chain(TraceContext trace) {
        Map<String, ReceivedSpan> spans = spansOf(trace).stream()
                .collect(Collectors.toMap(ReceivedSpan::spanId, span -> span, (one, same) -> one));
        List<ReceivedSpan> chain = new ArrayList<>();
        spans.values().stream()
                .filter(span -> span.attribute("millrace.document").endsWith("-1-2-3"))
                .findFirst()
                .ifPresent(last -> {
                    for (ReceivedSpan span = last; span != null; span = spans.get(span.parentSpanId())) {
                        chain.add(span);
                    }
                });
        if (!chain.isEmpty()) {
            assertThat(chain.getLast().parentSpanId()).isEqualTo(trace.spanId());
        }
        return chain.stream().map(ReceivedSpan::name).toList();
    }

    private List<String> nodesOf(TraceContext trace) {
        return spansOf(trace).stream()
                .map(span -> span.attribute("millrace.node"))
                .distinct()
                .toList();
    }

    private Collection<ReceivedSpan> spansOf(TraceContext trace) {
        return received.getOrDefault(trace.traceId(), List.of());
    }
}
