package io.millrace.eventing.producer;

import static io.millrace.eventing.producer.EventSources.assertInOrder;
import static io.millrace.eventing.producer.EventSources.drained;
import static io.millrace.eventing.producer.EventSources.handled;
import static io.millrace.eventing.producer.EventSources.json;
import static io.millrace.eventing.producer.EventSources.letters;
import static io.millrace.eventing.producer.EventSources.replay;
import static io.millrace.eventing.producer.EventSources.withSource;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.eventing.runtime.Membership;
import io.millrace.rebalance.Layout;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.testkit.RedisFixture;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Functions on event streams: real workers on a real Redis. */
@Timeout(300)
class EventStreamsIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int STREAMS = NumberedStreams.COUNT;
    private static final int EVENTS = 200;

    /** Keeps the indexes of each stream in the order in which they were handled. */
    static final String LIST = """
            function OnEvent(event, meta) {
              const before = target[meta.stream];
              const seen = before ? before.seen : [];
              seen.push(meta.index);
              target[meta.stream] = {seen};
            }
            """;

    private final NumberedStreams streams = new NumberedStreams();
    private final String category = streams.category();

    @Test
    void handler_getsDataAndWhatIsKnownAboutTheEvent() {
        try (RealWorkers workers = workers()) {
            Instant time = Instant.parse("2026-05-04T03:02:01Z");
            EncodedEvent event = new EncodedEvent(
                    "Added",
                    "{\"sku\":\"pen\",\"n\":2}",
                    "{\"by\":\"ann\"}",
                    EncodedEvent.Encoding.JSON,
                    EncodedEvent.Encoding.JSON,
                    time,
                    "conversation",
                    "cause");
            append(workers, "7", List.of(EncodedEvent.of("Opened", "null", time), event));

            run(workers, """
                    function OnEvent(event, meta) {
                      target[meta.type] = {event, meta, year: meta.time.getUTCFullYear()};
                    }
                    """);

            drained(workers);
            JsonNode shown = json(workers, "Added");
            assertThat(shown.path("event").toString()).isEqualTo("{\"sku\":\"pen\",\"n\":2}");
            assertThat(shown.path("year").asInt()).isEqualTo(2026);
            JsonNode meta = shown.path("meta");
            assertThat(meta.path("seq").asLong()).isPositive();
            assertThat(meta.toString())
                    .startsWith("{\"stream\":\"%s-7\",\"category\":\"%s\",\"id\":\"7\",\"index\":1,"
                            .formatted(category, category))
                    .endsWith("\"type\":\"Added\",\"time\":\"2026-05-04T03:02:01.000Z\",\"meta\":{\"by\":\"ann\"},"
                            + "\"correlationId\":\"conversation\",\"causationId\":\"cause\"}");
            JsonNode opened = json(workers, "Opened");
            assertThat(opened.path("event").isNull()).isTrue();
            assertThat(opened.path("meta").has("correlationId")).isFalse();
            assertThat(workers.stats().execution().get("on_event_success")).isEqualTo(2);
        }
    }

    @Test
    void eventWithTraceparent_isTracedToItsEffects() {
        List<Span> spans = new CopyOnWriteArrayList<>();
        TraceContext sender = TraceContext.random();
        try (RealWorkers workers = workers()) {
            workers.spans(spans::addAll);
            append(workers, "7", List.of(event("{}"), event("{\"traceparent\":\"%s\"}".formatted(sender.header()))));

            run(workers, LIST);

            drained(workers);
            await().atMost(PATIENCE).until(() -> spans.size() >= 4);
        }
        assertThat(spans).extracting(Span::trace).containsOnly(sender.traceId());
        assertThat(spans).extracting(Span::name).containsExactly("append", "queue", "OnEvent", "upsert");
        assertThat(spans)
                .extracting(Span::parent)
                .startsWith(sender.spanId(), spans.get(0).span());
        assertThat(spans.get(2).attributes())
                .containsEntry(Attribute.STREAM, category + "-7")
                .containsEntry(Attribute.INDEX, "1")
                .containsKey(Attribute.FUNCTION)
                .doesNotContainKey(Attribute.DOCUMENT);
        assertThat(spans.get(1).startMicros()).isEqualTo(spans.get(0).startMicros());
    }

    private static EncodedEvent event(String meta) {
        return new EncodedEvent(
                "Added",
                "1",
                meta,
                EncodedEvent.Encoding.JSON,
                EncodedEvent.Encoding.JSON,
                Instant.parse("2026-05-04T03:02:01Z"),
                null,
                null);
    }

    @Test
    void workerKilledInTheMiddle_handlesEveryEventInTheOrderOfItsStream() {
        try (RealWorkers workers = workers()) {
            run(workers, LIST);
            CompletableFuture<Void> writing =
                    CompletableFuture.runAsync(() -> streams.write(workers, EVENTS), Thread::startVirtualThread);

            await().atMost(PATIENCE).until(() -> handled(workers) > 300);
            long pid = workers.pid();
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            await().atMost(PATIENCE).until(() -> workers.pid() != pid && workers.pid() != 0);
            writing.join();

            drained(workers);
            for (int stream = 0; stream < STREAMS; stream++) {
                assertInOrder(seen(workers, stream), EVENTS);
            }
        }
    }

    @Test
    void pausedAndResumed_continuesBehindTheLastEventOfEachStream() {
        try (RealWorkers workers = workers()) {
            streams.write(workers, 5);
            run(workers, LIST);
            drained(workers);
            workers.supervisor().stop("f").join();
            streams.write(workers, 5);
            run(workers, LIST);

            drained(workers);
            assertThat(handled(workers)).as("only what came meanwhile").isEqualTo(5L * STREAMS);
            for (int stream = 0; stream < STREAMS; stream++) {
                assertThat(seen(workers, stream)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            }
        }
    }

    @Test
    void fromNow_leavesOutWhatWasThere_alsoOfStreamsThatChangeLater() {
        try (RealWorkers workers = workers()) {
            append(workers, "0", NumberedStreams.events(0, 3));
            append(workers, "1", NumberedStreams.events(0, 3));
            UnaryOperator<FunctionSpec> fromNow = spec -> withSource(spec, source(spec, FeedBoundary.FROM_NOW, 0));
            workers.supervisor().start(fromNow.apply(spec(workers, LIST))).join();
            append(workers, "0", NumberedStreams.events(3, 2));
            drained(workers);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(seen(workers, 0)).containsExactly(3, 4));
            workers.supervisor().stop("f").join();
            append(workers, "1", NumberedStreams.events(3, 1));
            workers.supervisor().start(fromNow.apply(spec(workers, LIST))).join();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(seen(workers, 1)).containsExactly(3));
        }
    }

    @Test
    void position_leavesOutEventsUpToIt() {
        try (RealWorkers workers = workers()) {
            append(workers, "0", NumberedStreams.events(0, 2));
            append(workers, "1", NumberedStreams.events(0, 1));
            long position = documentsSeqno(workers);
            append(workers, "0", NumberedStreams.events(2, 2));
            FunctionSpec spec = spec(workers, LIST);

            workers.supervisor()
                    .start(withSource(spec, source(spec, FeedBoundary.EVERYTHING, position)))
                    .join();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(seen(workers, 0)).containsExactly(2, 3));
            drained(workers);
            assertThat(handled(workers)).isEqualTo(2);
        }
    }

    @Test
    void eventThatFails_holdsUpItsStreamUntilItIsADeadLetter_whichCanBeReplayed() {
        try (RealWorkers workers = workers()) {
            streams.write(workers, 4);
            FunctionSpec spec = spec(workers, """
                    function OnEvent(event, meta) {
                      const fixed = target.fixed;
                      const counts = target.counts || {n: 0};
                      if (meta.id === '3' && meta.index === 1 && !fixed) {
                        target.counts = {n: counts.n + 1};
                        throw new Error('not yet');
                      }
                      if (meta.id === '3' && meta.index === 2) {
                        target.next = counts;
                      }
                      const before = target[meta.stream];
                      target[meta.stream] = {seen: [...(before ? before.seen : []), meta.index]};
                    }
                    """)
                    .withHandling(new Handling(2, Duration.ofMillis(300), Duration.ofSeconds(1), 10, false, false));
            workers.supervisor().start(spec).join();

            await().atMost(PATIENCE)
                    .until(() -> !letters(workers, spec.checkpoints()).isEmpty());
            drained(workers);
            assertThat(seen(workers, 3)).containsExactly(0, 2, 3);
            assertThat(seen(workers, 4)).containsExactly(0, 1, 2, 3);
            assertThat(json(workers, "counts").path("n").asInt()).as("attempts").isEqualTo(3);
            assertThat(json(workers, "next").path("n").asInt())
                    .as("attempts before the next one")
                    .isEqualTo(3);
            DeadLetter letter = letters(workers, spec.checkpoints()).getFirst();
            assertThat(letter.entryPoint()).isEqualTo("OnEvent");
            assertThat(letter.change().id()).isEqualTo(category + "-3");
            assertThat(letter.change().cas()).isEqualTo(1);
            assertThat(letter.content().document()).isEqualTo("{\"n\":1}");

            workers.putTarget("fixed", "true");
            replay(workers, spec.checkpoints(), letter);

            assertThat(seen(workers, 3)).containsExactly(0, 2, 3, 1);
        }
    }

    @Test
    void eventThatIsTriedAgain_isHandledBeforeTheNextOneOfItsStream() {
        try (RealWorkers workers = workers()) {
            streams.write(workers, 4);
            FunctionSpec spec = spec(workers, """
                    function OnEvent(event, meta) {
                      const tried = target['tried-' + meta.stream + meta.index];
                      if (meta.index % 2 === 1 && !tried) {
                        target['tried-' + meta.stream + meta.index] = {};
                        throw new Error('not yet');
                      }
                      const before = target[meta.stream];
                      target[meta.stream] = {seen: [...(before ? before.seen : []), meta.index]};
                    }
                    """)
                    .withHandling(new Handling(3, Duration.ofMillis(50), Duration.ofSeconds(1), 10, false, false));
            workers.supervisor().start(spec).join();

            drained(workers);
            for (int stream = 0; stream < STREAMS; stream++) {
                assertThat(seen(workers, stream)).containsExactly(0, 1, 2, 3);
            }
            assertThat(workers.stats().processing().get("retry_counter")).isEqualTo(2L * STREAMS);
        }
    }

    @Test
    void secondNode_takesOverWithoutRepeatingOrLosingEvents() {
        String name = "events-" + UUID.randomUUID();
        AtomicReference<Layout> layout = new AtomicReference<>(Layout.contiguous("1", List.of("a")));
        Membership shared = () -> Objects.requireNonNull(layout.get());
        try (RealWorkers a = new RealWorkers(RedisFixture.url(), name, "a", shared);
                RealWorkers b = new RealWorkers(RedisFixture.url(), name, "b", shared)) {
            run(a, LIST);
            run(b, LIST);
            CompletableFuture<Void> writing =
                    CompletableFuture.runAsync(() -> streams.write(a, EVENTS), Thread::startVirtualThread);
            await().atMost(PATIENCE).until(() -> handled(a) > 300);
            layout.set(Layout.contiguous("2", List.of("a", "b")));
            await().atMost(PATIENCE).until(() -> a.owners().contains("b") && handled(b) > 100);
            layout.set(Layout.contiguous("3", List.of("b")));
            writing.join();

            await().atMost(PATIENCE).until(() -> a.owners().equals(Set.of("b")));
            drained(b);
            for (int stream = 0; stream < STREAMS; stream++) {
                assertInOrder(seen(b, stream), EVENTS);
            }
        }
    }

    @Test
    void projectionThatIsRebuiltNextToTheOldOne_getsAllEvents_andTheOldOneNoneAgain() {
        String name = "events-" + UUID.randomUUID();
        String rebuilding = LIST.replace("target[meta.stream]", "target['new-' + meta.stream]");
        try (RealWorkers old = new RealWorkers(RedisFixture.url(), name, "a", name + "-old");
                RealWorkers rebuilt = new RealWorkers(RedisFixture.url(), name, "b", name + "-new")) {
            streams.write(old, 5);
            run(old, LIST);
            drained(old);
            CompletableFuture<Void> writing =
                    CompletableFuture.runAsync(() -> streams.write(old, 5), Thread::startVirtualThread);
            run(rebuilt, rebuilding);
            writing.join();

            for (RealWorkers each : List.of(old, rebuilt)) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(handled(each)).isEqualTo(10L * STREAMS));
            }
            old.supervisor().remove(spec(old, LIST)).join();
            streams.write(rebuilt, 1);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(handled(rebuilt)).isEqualTo(11L * STREAMS));
            for (int stream = 0; stream < STREAMS; stream++) {
                assertThat(seen(old, stream)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
                assertThat(EventSources.seen(rebuilt, "new-" + category + '-' + stream))
                        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
            }
        }
    }

    private RealWorkers workers() {
        return new RealWorkers(RedisFixture.url(), "events-" + UUID.randomUUID());
    }

    private FunctionSpec spec(RealWorkers workers, String code) {
        FunctionSpec spec = workers.spec(code);
        return withSource(spec, source(spec, FeedBoundary.EVERYTHING, 0));
    }

    private FunctionSpec.Source source(FunctionSpec spec, FeedBoundary boundary, long after) {
        return new FunctionSpec.Source(Keyspace.of("_streams"), boundary, "", category, after);
    }

    private void run(RealWorkers workers, String code) {
        workers.supervisor().start(spec(workers, code)).join();
    }

    private static long documentsSeqno(RealWorkers workers) {
        return workers.documents
                .with(SystemHandle.STREAMS)
                .highSeqno("_streams", 0)
                .join();
    }

    private List<Integer> seen(RealWorkers workers, int stream) {
        return streams.seen(workers, stream);
    }

    private void append(RealWorkers workers, String id, List<EncodedEvent> events) {
        streams.append(workers, id, events);
    }
}
