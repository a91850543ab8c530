package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.InvocationResult;
import io.millrace.handler.host.DocumentCall;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import io.millrace.handler.host.HostFailure;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.traces.Span;
import io.millrace.traces.TraceContext;
import io.millrace.worker.bindings.BucketHost;
import io.millrace.worker.bindings.FaultyStore;
import io.millrace.worker.bindings.FaultyStore.Fate;
import io.millrace.worker.bindings.StoreQueue;
import io.millrace.worker.bindings.Time;
import io.millrace.worker.bindings.WriteBehind;
import io.millrace.worker.report.Counters;
import io.millrace.worker.report.InsightBook;
import io.millrace.worker.report.LogBuffer;
import io.millrace.worker.report.Outbox;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerProtocolLimits;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class HandlerLoopTest {

    private final FaultyStore store = new FaultyStore();
    private final Counters counters = new Counters();
    private final LogBuffer log = new LogBuffer(InstantSource.system(), LogLevel.INFO, counters);
    private final Queue<WorkerExit> exits = new ConcurrentLinkedQueue<>();

    private LinkServer server;
    private Link worker;
    private Link service;
    private Outbox outbox;

    @BeforeEach
    void connect() throws IOException {
        server = LinkServer.listen();
        worker = Link.connect(server.socket());
        service = server.accept(Duration.ofSeconds(5));
        outbox = new Outbox(worker, log, counters, new InsightBook(false), System::nanoTime);
        Thread.ofVirtual().start(() -> {
            try {
                outbox.run();
            } catch (IOException | InterruptedException e) {
                exits.add(WorkerExit.PEER_GONE);
            }
        });
    }

    @AfterEach
    void close() throws IOException {
        outbox.finish();
        worker.close();
        service.close();
        server.close();
    }

    /** Handles an event with a host: what JavaScript does in the real one. */
    private interface Body {
        InvocationResult run(Event event, HandlerHost host) throws HostFailure;
    }

    private HandlerLoop start(Body body) {
        WorkerSetup setup = Samples.setup(1);
        WriteBehind writes = new WriteBehind(
                new StoreQueue(store, new MemoryTimerStore(), Runnable::run),
                Time.SYSTEM,
                Duration.ofSeconds(30),
                counters);
        return start(setup, writes, host -> event -> {
            try {
                return body.run(event, host);
            } catch (HostFailure e) {
                return new InvocationResult.Threw(e.kind() + " " + e.name() + ": " + e.getMessage(), 3, 5, "at f", 10);
            }
        });
    }

    private HandlerLoop start(WorkerSetup setup, WriteBehind writes, Code code) {
        HandlerLoop loop = new HandlerLoop(
                setup,
                code,
                writes,
                log,
                counters,
                outbox,
                Time.SYSTEM,
                (why, message, cause) -> {
                    exits.add(why);
                    throw new IllegalStateException(message, cause);
                },
                BucketHost.Shared.of(setup, counters, new StoreQueue(store, new MemoryTimerStore(), Runnable::run)));
        Thread.ofPlatform().daemon().uncaughtExceptionHandler((t, e) -> {}).start(loop);
        loop.ready().join();
        return loop;
    }

    @Test
    void batches_areAnsweredInOrderWithOneOutcomePerEvent() throws IOException {
        HandlerLoop loop = start((event, host) -> {
            if (event.id().equals("e3")) {
                return new InvocationResult.Threw("TypeError: no", 7, 9, "", 20);
            }
            return event.id().equals("e4")
                    ? new InvocationResult.Skipped(InvocationResult.Skipped.Cause.NO_ENTRY_POINT)
                    : new InvocationResult.Success(10);
        });

        loop.submit(batch(1, 1, 2, 3));
        loop.submit(batch(2, 4, 5));

        List<io.millrace.workerprotocol.Outcome> first = nextDone(1).outcomes();
        assertThat(first).extracting(outcome -> outcome.result().name()).containsExactly("SUCCESS", "SUCCESS", "THREW");
        assertThat(first.getLast().line()).isEqualTo(7);
        assertThat(nextDone(2).outcomes())
                .extracting(outcome -> outcome.result().name())
                .containsExactly("SKIPPED", "SUCCESS");
    }

    @Test
    void otherCode_isTakenBetweenBatches() throws IOException, InterruptedException {
        CountDownLatch handling = new CountDownLatch(1);
        HandlerLoop loop = start((event, host) -> {
            try {
                handling.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            host.log(LogLevel.INFO, "old");
            return new InvocationResult.Threw("old", 1, 1, "", 10);
        });

        loop.submit(batch(1, 1, 2));
        CompletableFuture<?> swapped = loop.swap(
                host -> event -> {
                    host.log(LogLevel.INFO, "new");
                    return new InvocationResult.Threw("new", 1, 1, "", 10);
                },
                8);
        loop.submit(batch(2, 3));
        assertThat(swapped).isNotDone();
        handling.countDown();

        Frame.Done before = nextDone(1);
        Frame.Done after = nextDone(2);
        assertThat(before.outcomes()).extracting(outcome -> outcome.message()).containsExactly("old", "old");
        assertThat(before.version()).isEqualTo(Samples.setup(1).source().version());
        assertThat(after.outcomes()).extracting(outcome -> outcome.message()).containsExactly("new");
        assertThat(after.version()).isEqualTo(8);
        assertThat(swapped).isCompleted();
    }

    /** Answers requests with their own heads, after a write, and events at once. */
    private record Echo(HandlerHost host, CountDownLatch events, CompletableFuture<Void> firstCall)
            implements Code.Loaded {
        @Override
        public InvocationResult handle(Event event) {
            firstCall.complete(null);
            try {
                events.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new InvocationResult.Success(10);
        }

        @Override
        public InvocationResult request(HttpRequest request, Duration timeout, Consumer<HttpResponse> response) {
            try {
                host.upsert("target", "r", document("1"));
                firstCall.complete(null);
            } catch (HostFailure e) {
                return new InvocationResult.Threw(String.valueOf(e.getMessage()), 3, 5, "", 10);
            }
            response.accept(new HttpResponse(200, List.of(), new HttpBody(HttpBody.Kind.BYTES, request.head())));
            return new InvocationResult.Success(10);
        }
    }

    private HandlerLoop startEcho(CountDownLatch events, CompletableFuture<Void> firstEvent) {
        WriteBehind writes = new WriteBehind(
                new StoreQueue(store, new MemoryTimerStore(), Runnable::run),
                Time.SYSTEM,
                Duration.ofSeconds(30),
                counters);
        return start(Samples.setup(1), writes, host -> new Echo(host, events, firstEvent));
    }

    private static Frame.Request request(long call, long timeoutMillis, int headBytes) {
        HttpBody none = new HttpBody(HttpBody.Kind.NONE, new byte[0]);
        return new Frame.Request(call, 0, timeoutMillis, new HttpRequest(new byte[headBytes], none));
    }

    @Test
    void request_isAnsweredBetweenEventsOnceItsWritesAreDone() throws IOException {
        CountDownLatch events = new CountDownLatch(1);
        CompletableFuture<Void> firstEvent = new CompletableFuture<>();
        HandlerLoop loop = startEcho(events, firstEvent);

        loop.submit(batch(1, 1, 2, 3));
        firstEvent.join();
        loop.submit(request(7, 60_000, 3));
        events.countDown();

        // the batch is reported when its last event is handled, so the response can come first only from between them
        assertThat(next()).isInstanceOfSatisfying(Frame.Response.class, response -> {
            assertThat(response.call()).isEqualTo(7);
            assertThat(response.outcome().ok()).isTrue();
            assertThat(response.response().body().bytes()).hasSize(3);
        });
        assertThat(store.stored("r")).isEqualTo("1");
        assertThat(nextDone(1).outcomes()).hasSize(3);
    }

    @Test
    void tracedRequest_isTheCauseOfItsWrites_andItsSpansComeFirst() throws IOException {
        HandlerLoop loop = startEcho(new CountDownLatch(0), new CompletableFuture<>());
        TraceContext call = TraceContext.random();

        loop.submit(
                new Frame.Request(7, 0, 60_000, request(7, 60_000, 3).request().withTrace(call.text())));

        List<Span> spans = Span.listOfJson(((Frame.Spans) next()).spans());
        assertThat(next()).isInstanceOf(Frame.Response.class);
        assertThat(spans).extracting(Span::name).containsExactly("queue", "OnRequest", "upsert");
        assertThat(spans)
                .extracting(Span::parent)
                .startsWith(call.spanId(), spans.get(0).span(), spans.get(1).span());
    }

    @Test
    void responseOfARequest_waitsForItsWrites() throws IOException {
        CompletableFuture<Void> called = new CompletableFuture<>();
        HandlerLoop loop = startEcho(new CountDownLatch(0), called);
        store.hold();

        loop.submit(request(7, 60_000, 3));
        called.join();
        loop.submit(new Frame.Batch(1, 0, List.of()));
        outbox.done(new Frame.Done(99, 0, List.of())); // whatever was reported before would come before this

        assertThat(next()).isEqualTo(new Frame.Done(99, 0, List.of()));
        store.release();
        assertThat(next()).isInstanceOf(Frame.Response.class);
    }

    @Test
    void requestWhoseTimeIsOver_isNotCalled_andTooLargeABodyIsAFailure() throws IOException {
        HandlerLoop loop = startEcho(new CountDownLatch(0), new CompletableFuture<>());

        loop.submit(request(1, 0, 3));
        loop.submit(request(2, 60_000, WorkerProtocolLimits.MAX_HTTP_BODY_BYTES + 1));

        Frame.Response late = (Frame.Response) next();
        Frame.Response large = (Frame.Response) next();
        assertThat(late.outcome().result().name()).isEqualTo("TIMED_OUT");
        assertThat(large.outcome().result().name()).isEqualTo("THREW");
        assertThat(large.outcome().message()).contains("more than the limit of 2097152");
        assertThat(large.response().status()).isZero();
    }

    @Test
    void done_waitsForTheAnswersOfTheWrites() throws IOException {
        store.hold();
        CompletableFuture<Void> handled = new CompletableFuture<>();
        HandlerLoop loop = start((event, host) -> {
            host.upsert("target", event.id(), document("1"));
            handled.complete(null);
            return new InvocationResult.Success(10);
        });

        loop.submit(batch(1, 1));
        handled.join();
        loop.submit(new Frame.Batch(2, 0, List.of()));

        outbox.done(new Frame.Done(99, 0, List.of())); // whatever was reported before would come before this
        assertThat(nextDone(99).outcomes()).isEmpty();
        store.release();
        assertThat(nextDone(1).outcomes()).hasSize(1);
        assertThat(nextDone(2).outcomes()).isEmpty();
    }

    @Test
    void writesThatWereLost_areRepeatedBeforeTheNextEvent() throws IOException {
        Queue<Fate> fates = new ConcurrentLinkedQueue<>(List.of(Fate.LOST, Fate.LOST));
        store.fates(() -> fates.isEmpty() ? Fate.DONE : fates.remove());
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        HandlerLoop loop = start((event, host) -> {
            seen.add(store.stored("e" + (event.seqno() - 1)));
            host.upsert("target", event.id(), document("1"));
            return new InvocationResult.Success(10);
        });

        loop.submit(batch(1, 1, 2, 3));

        assertThat(nextDone(1).outcomes()).allMatch(io.millrace.workerprotocol.Outcome::ok);
        assertThat(seen).containsExactly("absent", "1", "1");
    }

    @Test
    void finish_answersEverythingThatCameBefore() throws IOException {
        store.hold();
        HandlerLoop loop = start((event, host) -> {
            host.upsert("target", event.id(), document("1"));
            return new InvocationResult.Success(10);
        });

        loop.submit(batch(1, 1));
        loop.submit(batch(2, 2));
        loop.finish();
        Awaitility.await().until(() -> store.sent() == 2);
        store.release();

        nextDone(1);
        nextDone(2);
        assertThat(exits).isEmpty();
    }

    @Test
    void engineThatFailed_endsTheProcess() {
        HandlerLoop loop = start(
                (event, host) -> new InvocationResult.InternalError("broken", new IllegalStateException("broken"), 1));

        loop.submit(batch(1, 1));

        Awaitility.await().until(() -> exits.peek() == WorkerExit.ENGINE_FAILED);
    }

    @Test
    void writes_carryTheirOriginWithOneHopMore() throws IOException {
        HandlerLoop loop = start((event, host) -> {
            host.upsert("target", event.id(), document("1"));
            host.delete("target", "gone", false);
            return new InvocationResult.Success(10);
        });
        store.write(FaultyStore.upsert("gone", "1"));

        loop.submit(new Frame.Batch(1, 0, List.of(Samples.event("a", 1, 0), Samples.event("b", 2, 4))));

        nextDone(1);
        assertThat(store.getWithTombstone(FaultyStore.key("a"))
                        .join()
                        .orElseThrow()
                        .origin())
                .extracting(io.millrace.documents.Origin::instance, io.millrace.documents.Origin::hops)
                .containsExactly("instance1", 1);
        assertThat(store.getWithTombstone(FaultyStore.key("b"))
                        .join()
                        .orElseThrow()
                        .origin())
                .extracting(io.millrace.documents.Origin::hops)
                .isEqualTo(5);
        assertThat(store.getWithTombstone(FaultyStore.key("gone"))
                        .join()
                        .orElseThrow()
                        .origin())
                .isNotNull();
    }

    @Test
    void badArguments_throwInTheHandler() throws IOException {
        HandlerLoop loop = start((event, host) -> {
            switch (event.id()) {
                case "e1" -> host.upsert("target", "", document("1"));
                case "e2" -> host.upsert("target", "ü".repeat(126), document("1"));
                case "e3" ->
                    host.upsert(
                            "target",
                            "a",
                            new StoredDocument(new byte[io.millrace.documents.Limits.MAX_DOCUMENT_BYTES + 1], true));
                case "e4" -> host.upsert("gone", "a", document("1"));
                default -> host.upsert("target", "ü".repeat(125), document("1"));
            }
            return new InvocationResult.Success(10);
        });

        loop.submit(batch(1, 1, 2, 3, 4, 5));

        List<io.millrace.workerprotocol.Outcome> outcomes = nextDone(1).outcomes();
        assertThat(outcomes.subList(0, 4))
                .extracting(io.millrace.workerprotocol.Outcome::message)
                .satisfiesExactly(
                        m -> assertThat(m).contains("LCB_ERR_INVALID_ARGUMENT"),
                        m -> assertThat(m).contains("LCB_ERR_INVALID_ARGUMENT"),
                        m -> assertThat(m).contains("LCB_ERR_VALUE_TOO_LARGE"),
                        m -> assertThat(m).contains("There is no bucket 'gone'"));
        assertThat(outcomes.getLast().ok()).isTrue();
        assertThat(counters.takeDeltas())
                .containsEntry(Counters.BUCKET_EXCEPTIONS, 4L)
                .containsEntry(Counters.EXCEPTIONS_BY_CODE + "203", 2L)
                .containsEntry(Counters.EXCEPTIONS_BY_CODE + "210", 1L);
    }

    @Test
    void logLines_comeBeforeTheOutcomeOfTheirInvocation() throws IOException {
        HandlerLoop loop = start((event, host) -> {
            host.log(LogLevel.INFO, "hello " + event.id());
            host.log(LogLevel.DEBUG, "not asked for");
            return new InvocationResult.Threw("Error: no", 1, 2, "at OnUpdate", 10);
        });

        loop.submit(batch(1, 1));

        Frame.Log lines = (Frame.Log) service.receive().orElseThrow();
        assertThat(lines.lines())
                .extracting(line -> line.level() + " " + line.text())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("INFO hello e1"),
                        line -> assertThat(line)
                                .startsWith(
                                        "ERROR OnUpdate of 'e1' (vb 7, seq 1) failed at line 1, column 2: Error: no"));
        nextDone(1);
    }

    private static StoredDocument document(String body) {
        return new StoredDocument(body.getBytes(StandardCharsets.UTF_8), false);
    }

    private static Frame.Batch batch(long number, long... seqnos) {
        return new Frame.Batch(
                number,
                0,
                LongStream.of(seqnos)
                        .mapToObj(n -> Samples.event("e" + n, n, 0))
                        .toList());
    }

    /** Returns the next frame that answers something. */
    private Frame next() throws IOException {
        Frame frame = service.receive().orElseThrow();
        return frame instanceof Frame.Log || frame instanceof Frame.Counters ? next() : frame;
    }

    private Frame.Done nextDone(long batch) throws IOException {
        while (true) {
            if (service.receive().orElseThrow() instanceof Frame.Done done) {
                assertThat(done.batch()).isEqualTo(batch);
                return done;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"other, _default", "_default, secret", "*, *"})
    void binding_doesNotReachFurther(String scope, String collection) throws IOException {
        HandlerLoop loop = start((event, host) -> {
            host.access(new DocumentCall(
                    DocumentCall.Operation.GET,
                    "target",
                    scope,
                    collection,
                    "x",
                    null,
                    0,
                    null,
                    false,
                    false,
                    List.of()));
            return new InvocationResult.Success(1);
        });

        loop.submit(new Frame.Batch(1, 0, List.of(Samples.event("e1", 1, 0))));

        assertThat(nextDone(1).outcomes().getFirst().message())
                .contains("The binding 'target' does not cover " + scope + "." + collection);
    }
}
