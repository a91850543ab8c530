package io.millrace.eventing.delivery;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Origin;
import io.millrace.eventing.metrics.Counters;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.LogSink;
import io.millrace.workerprotocol.LogLine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Breaks cycles of functions that the check at deployment cannot see: suppresses changes at the end of a longer chain
 * of functions than the setting {@code hop_limit} allows. Thread-safe.
 */
final class LoopGuard {

    /** A cycle may run thousands of times a second; it is logged once in this time. */
    private static final long PAUSE_MILLIS = Duration.ofMinutes(1).toMillis();

    private final FunctionSpec spec;
    private final LogSink log;
    private final InstantSource clock;
    private final LongAdder stopped;
    private final AtomicLong silentUntil = new AtomicLong(Long.MIN_VALUE);

    LoopGuard(FunctionSpec spec, LogSink log, InstantSource clock, Counters counters) {
        this.spec = spec;
        this.log = log;
        this.clock = clock;
        this.stopped = counters.of("hop_limit_counter");
    }

    /** Returns whether a change must not be handled; if so, counts it. */
    boolean stops(Document document) {
        Origin origin = document.origin();
        if (origin == null || origin.hops() <= spec.limits().hops()) {
            return false;
        }
        stopped.increment();
        long now = clock.millis();
        long silent = silentUntil.get();
        if (now >= silent && silentUntil.compareAndSet(silent, now + PAUSE_MILLIS)) {
            String text =
                    "Changes like that of '%s' are not handled: they are at the end of a chain of more than %d functions (setting hop_limit)"
                            .formatted(document.key().id(), spec.limits().hops());
            DocumentKey key = document.key();
            var about =
                    new LogLine.About("", key.keyspace().scope(), key.keyspace().collection(), key.id());
            log.append(spec.name(), List.of(new LogLine("ERROR", now, text, about)));
        }
        return true;
    }
}
