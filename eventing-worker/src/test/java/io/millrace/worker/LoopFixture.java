package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.InvocationResult;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import io.millrace.handler.host.HostFailure;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.worker.bindings.BucketHost;
import io.millrace.worker.bindings.FaultyStore;
import io.millrace.worker.bindings.StoreQueue;
import io.millrace.worker.bindings.Time;
import io.millrace.worker.bindings.WriteBehind;
import io.millrace.worker.report.Counters;
import io.millrace.worker.report.InsightBook;
import io.millrace.worker.report.LogBuffer;
import io.millrace.worker.report.Outbox;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A loop over a real link, whose store can be held and fail. */
abstract class LoopFixture {

    final FaultyStore store = new FaultyStore();
    final Counters counters = new Counters();
    final LogBuffer log = new LogBuffer(InstantSource.system(), LogLevel.INFO, counters);
    final Queue<WorkerExit> exits = new ConcurrentLinkedQueue<>();

    LinkServer server;
    Link worker;
    Link service;
    Outbox outbox;

    @BeforeEach
    void connect() throws IOException {
        server = LinkServer.listen();
        worker = Link.connect(server.socket());
        service = server.accept(Duration.ofSeconds(60));
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
    interface Body {
        InvocationResult run(Event event, HandlerHost host) throws HostFailure;
    }

    HandlerLoop start(Body body) {
        return start(Samples.setup(1), writes(), host -> event -> {
            try {
                return body.run(event, host);
            } catch (HostFailure e) {
                return new InvocationResult.Threw(e.kind() + " " + e.name() + ": " + e.getMessage(), 3, 5, "at f", 10);
            }
        });
    }

    WriteBehind writes() {
        return new WriteBehind(
                new StoreQueue(store, new MemoryTimerStore(), Runnable::run),
                Time.SYSTEM,
                Duration.ofSeconds(30),
                counters);
    }

    HandlerLoop start(WorkerSetup setup, WriteBehind writes, Code code) {
        HandlerLoop loop = startUnloaded(setup, writes, code);
        loop.load().join();
        return loop;
    }

    /** Starts a loop that loads its code when it has something to do. */
    HandlerLoop startUnloaded(WorkerSetup setup, WriteBehind writes, Code code) {
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
        return loop;
    }

    static Frame.Batch batch(long number, long... seqnos) {
        return new Frame.Batch(
                number,
                0,
                LongStream.of(seqnos)
                        .mapToObj(n -> Samples.event("e" + n, n, 0))
                        .toList());
    }

    /** Returns the next frame that answers something. */
    Frame next() throws IOException {
        while (true) {
            Frame frame = service.receive().orElseThrow();
            if (!(frame instanceof Frame.Log || frame instanceof Frame.Counters || frame instanceof Frame.Insight)) {
                return frame;
            }
        }
    }

    Frame.Done nextDone(long batch) throws IOException {
        while (true) {
            if (service.receive().orElseThrow() instanceof Frame.Done done) {
                assertThat(done.batch()).isEqualTo(batch);
                return done;
            }
        }
    }

    static StoredDocument document(String body) {
        return new StoredDocument(body.getBytes(StandardCharsets.UTF_8), false);
    }
}
