package io.millrace.worker.host;

import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.worker.Exit;
import io.millrace.worker.ProcessResources;
import io.millrace.worker.Worker;
import io.millrace.worker.bindings.StoreQueue;
import io.millrace.worker.bindings.WorkerStore;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/**
 * The whole life of a worker with a built-in function and a store in memory, before the process says that it is warm. What a first
 * worker costs, classes that are loaded and code that is interpreted, is paid here and not by the functions that wait for one.
 */
final class Rehearsal {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String NAME = "rehearsal";

    /** Batches of a rehearsal, and documents of each. */
    private record Length(int batches, int documents) {}

    private static final Length SHORT = new Length(3, 1);

    /** In all so many that the compilers find what runs with every event. */
    private static final Length PRACTICE = new Length(6, 25);

    /**
     * With a function of its own for each: more than the call of a handler keeps apart. From then on its compiled code calls any
     * handler, and is not compiled again for each function that starts.
     */
    private static final int PRACTICES = 5;

    private static final String CODE = """
            function OnUpdate(doc, meta) {
                log('rehearsal', meta.id);
                copies[meta.id] = doc;
                copies[meta.id].n += copies.none ? 1 : 2;
                delete copies[meta.id];
                createTimer(later, new Date(Date.now() + 3600000), meta.id, { id: meta.id });
            }
            function later(context) {}
            function OnDelete(meta) {
                delete copies[meta.id];
            }
            """;

    private static final HandlerSettings.TimerSettings TIMERS =
            new HandlerSettings.TimerSettings(NAME, 1, NAME, 1, 1_024, 1, 0, "", List.of());

    private static final byte[] DOCUMENT = """
            {"n": 1, "name": "Rehearsal", "open": true, "at": null, "price": 12.5,
             "lines": [{"item": "a", "amount": 1}, {"item": "b", "amount": 20}], "address": {"city": "Zürich", "zip": "8001"}}
            """.getBytes(StandardCharsets.UTF_8);

    private final ProcessResources resources;
    private final Exit exit;
    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicInteger functions = new AtomicInteger();

    /** @param exit ends the process when the worker fails, as with any other */
    Rehearsal(ProcessResources resources, Exit exit) {
        this.resources = resources;
        this.exit = exit;
    }

    /** Returns when the worker has ended. Without a rehearsal functions run as well, so one that is not possible is only reported. */
    void run() {
        run(SHORT);
    }

    /**
     * Has the life repeated with many events, in parts, each when no function is starting: what is not compiled by then is compiled
     * while the first events of functions wait.
     */
    void practise() {
        for (int n = 0; n < PRACTICES; n++) {
            resources.afterLoads(() -> run(PRACTICE));
        }
    }

    /** Returns how many events the built-in function has handled. */
    int handled() {
        return handled.get();
    }

    private void run(Length length) {
        try {
            rehearse(length);
        } catch (IOException | RuntimeException e) {
            System.out.printf("event=rehearsal_failed reason=\"%s\"%n", e);
        }
    }

    private static WorkerStore store() {
        MemoryDocumentStore documents = new MemoryDocumentStore(InstantSource.system());
        documents.catalog().createBucket(NAME, 1).join();
        MemoryTimerStore timers = new MemoryTimerStore();
        timers.open(new TimerGroup(NAME, 1, NAME, NAME, 1)).join();
        return new WorkerStore() {
            @Override
            public MemoryDocumentStore documents() {
                return documents;
            }

            @Override
            public StoreQueue queue() {
                return new StoreQueue(documents, timers, ForkJoinPool.commonPool());
            }

            @Override
            public void close() {
                // nothing but memory
            }
        };
    }

    private void rehearse(Length length) throws IOException {
        try (LinkServer server = LinkServer.listen()) {
            Worker worker = new Worker(NAME, Link.connect(server.socket()), resources.with(store()), exit);
            Thread.ofVirtual().name(NAME).start(() -> worker.serve(""));
            try (Link service = server.accept(PATIENCE)) {
                play(service, length);
            }
            worker.ended().join();
        }
    }

    private void play(Link service, Length length) throws IOException {
        await(service, Frame.Hello.class);
        service.send(new Frame.Init(setup(), false));
        await(service, Frame.Ready.class);
        for (int batch = 1; batch <= length.batches(); batch++) {
            service.send(new Frame.Batch(batch, 0, events(batch * 2L * length.documents(), length.documents())));
            Frame.Done done = (Frame.Done) await(service, Frame.Done.class);
            requireSuccess(done);
            handled.addAndGet(done.outcomes().size());
        }
        service.send(new Frame.Shutdown());
        while (service.receive().isPresent()) {
            // its last counts
        }
    }

    private static Frame await(Link service, Class<? extends Frame> kind) throws IOException {
        Optional<Frame> frame = service.receive();
        while (frame.isPresent() && !kind.isInstance(frame.get())) {
            if (frame.get() instanceof Frame.Rejected rejected) {
                throw new IOException("The built-in function was rejected: " + rejected.message());
            }
            frame = service.receive();
        }
        if (frame.isEmpty()) {
            throw new IOException("The built-in function ended without " + kind.getSimpleName());
        }
        return frame.get();
    }

    private static void requireSuccess(Frame.Done done) throws IOException {
        Optional<Outcome> failed =
                done.outcomes().stream().filter(outcome -> !outcome.ok()).findFirst();
        if (failed.isPresent()) {
            throw new IOException(
                    "The built-in function failed: " + failed.get().message());
        }
    }

    /** Returns that documents were written and deleted, each with two of the numbers from {@code first} on. */
    private static List<Event> events(long first, int documents) {
        return LongStream.range(0, 2L * documents)
                .mapToObj(n ->
                        event(n % 2 == 0 ? Event.Kind.MUTATION : Event.Kind.DELETION, "document" + n / 2, first + n))
                .toList();
    }

    private static Event event(Event.Kind kind, String key, long number) {
        return new Event(
                kind,
                new Event.Key("_default", "_default", key, 0),
                new Event.Version(number, number, 0),
                new Event.Content(0, 0, false, DOCUMENT, null, null));
    }

    private WorkerSetup setup() {
        return new WorkerSetup(
                NAME,
                NAME,
                new WorkerSetup.Source(code(), List.of("'use strict';"), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(1, 60_000, 64L << 20),
                "INFO",
                NAME,
                "",
                List.of(new WorkerSetup.Alias("copies", NAME, "_default", "_default", true)),
                HandlerSettings.STANDARD.withTimers(TIMERS));
    }

    /** Returns code that differs from that of all functions before: the engine takes equal code for one function. */
    private String code() {
        return CODE + "// " + functions.incrementAndGet() + '\n';
    }
}
