package io.millrace.eventing.delivery;

import io.millrace.documents.Document;
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
 * Ends circles of functions that the check at deployment does not see: stops changes to which more functions in a row
 * have led than the setting {@code hop_limit} allows. Thread-safe.
 */
final class LoopGuard {

    /** A circle goes round thousands of times a second, and one line says it. */
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

    /** Returns whether a change must not be handled, and counts it then. */
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
                    "Changes such as that of '%s' are not handled: more than %d functions in a row have led to them"
                            .formatted(document.key().id(), spec.limits().hops());
            log.append(spec.name(), List.of(new LogLine("ERROR", now, text)));
        }
        return true;
    }
}
