package io.millrace.eventing.delivery;

import io.millrace.documents.Document;
import io.millrace.eventing.metrics.Counters;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.LogSink;
import io.millrace.n1ql.DocumentCondition;
import io.millrace.n1ql.DocumentCondition.Result;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1qldocuments.DocumentValues;
import io.millrace.workerprotocol.LogLine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out changes by the setting {@code filter}, before anything is looked up or sent for them. An update is handled if
 * the condition is true for the document. A deletion has no document any more: it is left out only if the condition is
 * false without it. Thread-safe.
 */
final class ChangeFilter {

    /** A condition that cannot be computed is logged once in this time. */
    private static final long PAUSE_MILLIS = Duration.ofMinutes(1).toMillis();

    private final String function;
    private final DocumentCondition condition;
    private final LogSink log;
    private final InstantSource clock;
    private final LongAdder updates;
    private final LongAdder deletions;
    private final LongAdder failures;
    private final AtomicLong silentUntil = new AtomicLong(Long.MIN_VALUE);

    private ChangeFilter(FunctionSpec spec, LogSink log, InstantSource clock, Counters counters) {
        this.function = spec.name();
        this.condition = DocumentCondition.of(spec.source().filter());
        this.log = log;
        this.clock = clock;
        this.updates = counters.of("dcp_mutation_unmatched_counter");
        this.deletions = counters.of("dcp_deletion_unmatched_counter");
        this.failures = counters.of("filter_failure_counter");
    }

    /** Returns the filter of a function, or null if it handles all changes. */
    static @Nullable ChangeFilter of(FunctionSpec spec, LogSink log, InstantSource clock, Counters counters) {
        return spec.source().filter().isBlank() ? null : new ChangeFilter(spec, log, clock, counters);
    }

    /** Returns whether the filter compares a change with the state before it. */
    boolean comparesStates() {
        return condition.readsOld();
    }

    /** Returns whether a change is to be handled; counts it if not. */
    boolean accepts(Document document) {
        return accepts(document, null);
    }

    /**
     * Returns whether a change is to be handled; counts it if not.
     *
     * @param old the document before the change, null if it is not known
     */
    boolean accepts(Document document, byte @Nullable [] old) {
        Result result;
        try {
            result = condition.test(DocumentValues.body(document), () -> meta(document, old));
        } catch (RuntimeException e) { // also of bytes that are not the JSON that they are said to be
            failed(document, e);
            return true; // a change that is handled in vain does less harm than one that is lost
        }
        if (document.live() ? result == Result.TRUE : result != Result.FALSE) {
            return true;
        }
        (document.live() ? updates : deletions).increment();
        return false;
    }

    private static Value meta(Document document, byte @Nullable [] old) {
        ObjectValue meta = DocumentValues.meta(document);
        return old == null ? meta : meta.with("old", Json.trusted(old));
    }

    private void failed(Document document, RuntimeException reason) {
        failures.increment();
        long now = clock.millis();
        long silent = silentUntil.get();
        if (now >= silent && silentUntil.compareAndSet(silent, now + PAUSE_MILLIS)) {
            String text = "The filter cannot be computed for changes like that of '%s', which are handled: %s"
                    .formatted(document.key().id(), reason.getMessage());
            log.append(function, List.of(new LogLine("WARNING", now, text)));
        }
    }
}
