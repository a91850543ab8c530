package io.millrace.worker;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.WorkerSetup;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A setup and events for tests. */
final class Samples {

    private Samples() {}

    static WorkerSetup setup(int threads) {
        return new WorkerSetup(
                "f",
                "instance1",
                "function OnUpdate(doc, meta) {}",
                List.of("'use strict';"),
                List.of(),
                threads,
                10_000,
                64 << 20,
                false,
                "7.2.0",
                "INFO",
                "source",
                "redis://127.0.0.1:6379",
                List.of(
                        new WorkerSetup.Alias("target", "target", "_default", "_default", true),
                        new WorkerSetup.Alias("gone", "gone", "_default", "_default", true)));
    }

    static Event event(String id, long seqno, int hops) {
        byte[] body = {'{', '}'};
        return new Event(
                Event.Kind.MUTATION, "_default", "_default", id, seqno, seqno, 7, 0, 0, false, hops, body, null);
    }

    static Event update(String id, long seqno, String body) {
        return event(Event.Kind.MUTATION, id, seqno, body.getBytes(StandardCharsets.UTF_8));
    }

    static Event deletion(String id, long seqno) {
        return event(Event.Kind.DELETION, id, seqno, new byte[0]);
    }

    private static Event event(Event.Kind kind, String id, long seqno, byte[] body) {
        return new Event(kind, "_default", "_default", id, seqno, seqno, 7, 0, 0, false, 0, body, null);
    }

    static DocumentKey key(String bucket, String id) {
        return new DocumentKey(Keyspace.of(bucket), id);
    }
}
