package io.millrace.worker;

import io.millrace.workerlink.Event;
import io.millrace.workerlink.WorkerSetup;
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
}
