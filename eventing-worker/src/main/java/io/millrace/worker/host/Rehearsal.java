package io.millrace.worker.host;

import io.millrace.documents.memory.MemoryDocumentStore;
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
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;

/**
 * The whole life of a worker with a built-in function and a store in memory, before the process says that it is warm. What a first
 * worker costs, classes that are loaded and code that is interpreted, is paid here and not by the functions that wait for one.
 */
final class Rehearsal {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String BUCKET = "rehearsal";
    private static final int ROUNDS = 3;
    private static final String CODE = """
            function OnUpdate(doc, meta) {
                log('rehearsal', meta.id);
                copies[meta.id] = doc;
                copies[meta.id].n += copies.none ? 1 : 2;
                delete copies[meta.id];
            }
            function OnDelete(meta) {
                delete copies[meta.id];
            }
            """;

    private Rehearsal() {}

    /**
     * Returns when the worker has ended. Without a rehearsal functions run as well, so one that is not possible is only reported.
     *
     * @param exit ends the process when the worker fails, as with any other
     */
    static void run(ProcessResources resources, Exit exit) {
        try {
            rehearse(resources.with(store()), exit);
        } catch (IOException e) {
            System.out.printf("event=rehearsal_failed reason=\"%s\"%n", e.getMessage());
        }
    }

    private static WorkerStore store() {
        MemoryDocumentStore documents = new MemoryDocumentStore(InstantSource.system());
        documents.catalog().createBucket(BUCKET, 1).join();
        MemoryTimerStore timers = new MemoryTimerStore();
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

    private static void rehearse(ProcessResources resources, Exit exit) throws IOException {
        try (LinkServer server = LinkServer.listen()) {
            Worker worker = new Worker("rehearsal", Link.connect(server.socket()), resources, exit);
            Thread.ofVirtual().name("rehearsal").start(() -> worker.serve(""));
            try (Link service = server.accept(PATIENCE)) {
                play(service);
            }
            worker.ended().join();
        }
    }

    private static void play(Link service) throws IOException {
        await(service, Frame.Hello.class);
        service.send(new Frame.Init(setup(), false));
        await(service, Frame.Ready.class);
        for (int round = 1; round <= ROUNDS; round++) {
            service.send(new Frame.Batch(
                    round, 0, List.of(event(Event.Kind.MUTATION, round), event(Event.Kind.DELETION, round))));
            await(service, Frame.Done.class);
        }
        service.send(new Frame.Shutdown());
        while (service.receive().isPresent()) {
            // its last counts
        }
    }

    private static void await(Link service, Class<? extends Frame> kind) throws IOException {
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
    }

    private static Event event(Event.Kind kind, int number) {
        return new Event(
                kind,
                new Event.Key("_default", "_default", "document", 0),
                new Event.Version(number, number, 0),
                new Event.Content(0, 0, false, "{\"n\":1}".getBytes(StandardCharsets.UTF_8), null, null));
    }

    private static WorkerSetup setup() {
        return new WorkerSetup(
                "rehearsal",
                "rehearsal",
                new WorkerSetup.Source(CODE, List.of("'use strict';"), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(1, 60_000, 64L << 20),
                "INFO",
                BUCKET,
                "",
                List.of(new WorkerSetup.Alias("copies", BUCKET, "_default", "_default", true)),
                HandlerSettings.STANDARD);
    }
}
