package io.millrace.worker.bindings;

import io.millrace.handler.host.DocumentCall;
import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.handler.host.HostFailure;
import io.millrace.worker.report.Counters;
import io.millrace.worker.report.LogBuffer;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Runs once, before there is a handler, every step of a handler's access to a bucket. Opens the
 * connection, so that the first event need not wait for it, and initializes classes, which must not happen for the
 * first time at the end of a stack: a class whose initialization was interrupted stays unusable.
 */
public final class StoreWarmUp {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private StoreWarmUp() {}

    /** Reads and deletes a document that does not exist. It has no effect, and failures are ignored. */
    public static void of(WorkerSetup setup, StoreQueue store, BucketHost.Shared shared) {
        Optional<String> alias = setup.aliases().stream()
                .filter(WorkerSetup.Alias::writable)
                .filter(candidate -> !candidate.collection().equals("*"))
                .map(WorkerSetup.Alias::name)
                .findFirst();
        if (alias.isEmpty()) {
            return;
        }
        String absent = "millrace warm-up " + UUID.randomUUID();
        Counters counters = new Counters();
        WriteBehind writes = new WriteBehind(store, Time.SYSTEM, PATIENCE, counters);
        LogBuffer log = new LogBuffer(InstantSource.system(), LogLevel.ERROR, counters);
        BucketHost host = new BucketHost(setup, writes, log, counters, shared);
        Event event = new Event(
                Event.Kind.DELETION,
                new Event.Key("", "", absent, 0),
                new Event.Version(0, 0, 0),
                Event.Content.none());
        host.begin(new Invocation(event, System.nanoTime() + PATIENCE.toNanos()));
        try {
            host.get(alias.get(), absent);
            host.delete(alias.get(), absent, false);
            host.delete(alias.get(), absent, true);
            host.access(new DocumentCall(
                    DocumentCall.Operation.MUTATE_IN,
                    alias.get(),
                    null,
                    null,
                    absent,
                    null,
                    0,
                    null,
                    false,
                    false,
                    List.of()));
        } catch (HostFailure e) {
            // the bucket is missing, or Redis is away: the handler gets the error when it accesses the bucket
        }
    }
}
