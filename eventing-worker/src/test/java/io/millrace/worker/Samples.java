package io.millrace.worker;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.WorkerSetup;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A setup and events for tests. */
public final class Samples {

    private Samples() {}

    public static WorkerSetup setup(int threads) {
        return new WorkerSetup(
                "f",
                "instance1",
                new WorkerSetup.Source(
                        "function OnUpdate(doc, meta) {}", List.of("'use strict';"), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(threads, 10_000, 64 << 20),
                "INFO",
                "source",
                "redis://127.0.0.1:6379",
                List.of(
                        new WorkerSetup.Alias("target", "target", "_default", "_default", true),
                        new WorkerSetup.Alias("gone", "gone", "_default", "_default", true)));
    }

    public static Event event(String id, long seqno, int hops) {
        byte[] body = {'{', '}'};
        return new Event(
                Event.Kind.MUTATION,
                new Event.Key("_default", "_default", id, 7),
                new Event.Version(seqno, seqno, hops),
                new Event.Content(0, 0, false, body, null, null));
    }

    static Event update(String id, long seqno, String body) {
        return event(Event.Kind.MUTATION, id, seqno, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the changes of a round for one thread: of every key that is its, {@code {"key": ..., "n": round}}. */
    static List<Event> round(int round, int thread, int threads, int keys) {
        List<Event> events = new ArrayList<>();
        for (int k = thread; k < keys; k += threads) {
            events.add(update("s" + k, round, "{\"key\":\"k%d\",\"n\":%d}".formatted(k, round)));
        }
        return events;
    }

    static Event deletion(String id, long seqno) {
        return event(Event.Kind.DELETION, id, seqno, new byte[0]);
    }

    private static Event event(Event.Kind kind, String id, long seqno, byte[] body) {
        return new Event(
                kind,
                new Event.Key("_default", "_default", id, 7),
                new Event.Version(seqno, seqno, 0),
                new Event.Content(0, 0, false, body, null, null));
    }

    static DocumentKey key(String bucket, String id) {
        return new DocumentKey(Keyspace.of(bucket), id);
    }
}
