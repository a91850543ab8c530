package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.InvocationResult;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HostFailure;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.traces.Span;
import io.millrace.traces.TraceContext;
import io.millrace.worker.bindings.StoreQueue;
import io.millrace.worker.bindings.Time;
import io.millrace.worker.bindings.WriteBehind;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.WorkerProtocolLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HandlerLoopRequestsTest extends LoopFixture {

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
        public InvocationResult request(HttpRequest request, Duration timeout, Code.Answer answer) {
            try {
                host.upsert("target", "r", document("1"));
                firstCall.complete(null);
            } catch (HostFailure e) {
                return new InvocationResult.Threw(String.valueOf(e.getMessage()), 3, 5, "", 10);
            }
            answer.whole(new HttpResponse(200, List.of(), new HttpBody(HttpBody.Kind.BYTES, request.head())));
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

    /** Answers a request with so many parts, after a write for each. */
    private static final class Streaming implements Code.Loaded {

        private final HandlerHost host;
        private final int parts;
        private final int bytes;
        private final CompletableFuture<Integer> given;

        private Streaming(HandlerHost host, int parts, int bytes, CompletableFuture<Integer> given) {
            this.host = host;
            this.parts = parts;
            this.bytes = bytes;
            this.given = given;
        }

        @Override
        public InvocationResult handle(Event event) {
            return new InvocationResult.Success(10);
        }

        @Override
        public InvocationResult request(HttpRequest request, Duration timeout, Code.Answer answer) {
            int n = 0;
            try {
                host.upsert("target", "r", document("0"));
                boolean wanted = answer.begin(
                        new HttpResponse(200, List.of(), new HttpBody(HttpBody.Kind.BYTES, new byte[bytes])));
                for (n = 1; n < parts && wanted; n++) {
                    host.upsert("target", "r", document(Integer.toString(n)));
                    wanted = answer.part(new byte[bytes]);
                }
                given.complete(n);
                return new InvocationResult.Success(10);
            } catch (HostFailure e) {
                given.complete(n);
                return new InvocationResult.Threw(String.valueOf(e.getMessage()), 3, 5, "", 10);
            }
        }
    }

    private HandlerLoop startStreaming(int parts, int bytes, CompletableFuture<Integer> given) {
        WriteBehind writes = new WriteBehind(
                new StoreQueue(store, new MemoryTimerStore(), Runnable::run),
                Time.SYSTEM,
                Duration.ofSeconds(30),
                counters);
        return start(Samples.setup(1), writes, host -> new Streaming(host, parts, bytes, given));
    }

    @Test
    void partOfAResponse_isSentWhenWhatWasWrittenBeforeItIsStored() throws IOException {
        HandlerLoop loop = startStreaming(2, 3, new CompletableFuture<>());
        store.hold();

        loop.submit(request(7, 60_000, 0));
        Awaitility.await().until(() -> store.sent() == 1);
        outbox.done(new Frame.Done(99, 0, List.of())); // whatever was reported before would come before this

        assertThat(next()).isEqualTo(new Frame.Done(99, 0, List.of()));
        store.release();
        assertThat(next()).isInstanceOf(Frame.Begun.class);
        assertThat(next())
                .isInstanceOfSatisfying(
                        Frame.Part.class, part -> assertThat(part.bytes()).hasSize(3));
        assertThat(next()).isInstanceOfSatisfying(Frame.Response.class, end -> {
            assertThat(end.outcome().ok()).isTrue();
            assertThat(end.response().status()).isZero();
        });
    }

    @Test
    void partsThatTheClientDoesNotTake_letTheHandlerWait_untilItTakesThem() throws IOException {
        CompletableFuture<Integer> given = new CompletableFuture<>();
        int bytes = WorkerProtocolLimits.STREAM_WINDOW_BYTES;
        HandlerLoop loop = startStreaming(3, bytes, given);

        loop.submit(request(7, 60_000, 0));
        assertThat(next()).isInstanceOf(Frame.Begun.class);
        assertThat(given).isNotDone();
        loop.taken(new Frame.Taken(7, 0, bytes));
        assertThat(next()).isInstanceOf(Frame.Part.class);
        assertThat(given).isNotDone();
        loop.taken(new Frame.Taken(7, 0, bytes));

        assertThat(next()).isInstanceOf(Frame.Part.class);
        assertThat(given.join()).isEqualTo(3);
        assertThat(next()).isInstanceOf(Frame.Response.class);
    }

    @Test
    void emptyParts_areNotSent() throws IOException {
        HandlerLoop loop = startStreaming(1_000, 0, new CompletableFuture<>());

        loop.submit(request(7, 60_000, 0));

        assertThat(next()).isInstanceOf(Frame.Begun.class);
        assertThat(next()).isInstanceOf(Frame.Response.class);
    }

    @Test
    void clientThatIsGone_endsTheResponse() throws IOException {
        CompletableFuture<Integer> given = new CompletableFuture<>();
        HandlerLoop loop = startStreaming(1_000, WorkerProtocolLimits.STREAM_WINDOW_BYTES, given);

        loop.submit(request(7, 60_000, 0));
        assertThat(next()).isInstanceOf(Frame.Begun.class);
        loop.abandoned(new Frame.Abandoned(7, 0));

        assertThat(given.join()).isLessThan(1_000);
        assertThat(next())
                .isInstanceOfSatisfying(
                        Frame.Response.class,
                        end -> assertThat(end.outcome().ok()).isTrue());
    }

    @Test
    void partsBeyondTheLimits_areFailures() throws IOException {
        int tooLarge = WorkerProtocolLimits.MAX_HTTP_BODY_BYTES + 1;
        HandlerLoop loop = startStreaming(1, tooLarge, new CompletableFuture<>());

        loop.submit(request(7, 60_000, 0));

        assertThat(next())
                .isInstanceOfSatisfying(
                        Frame.Response.class,
                        end -> assertThat(end.outcome().message())
                                .contains("a part of 2097153 bytes, more than the limit of 2097152"));
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
}
