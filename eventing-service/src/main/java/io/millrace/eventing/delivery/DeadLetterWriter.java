package io.millrace.eventing.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.TraceContext;
import io.millrace.traces.TracesLimits;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes and drops the dead letters of one function for the vbuckets of one delivery. Thread-safe. */
final class DeadLetterWriter {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterWriter.class);

    private final FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final DeadLetterStore store;
    private final CheckpointGroup group;
    private final IntToLongFunction epochs;
    private final StopSignal stop;
    private final LongAdder letters;
    private final LongAdder overflows;
    private final AtomicInteger pending = new AtomicInteger();
    private volatile CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /** @param epochs returns the epoch of an owned vbucket */
    DeadLetterWriter(
            FunctionSpec spec,
            RuntimeEnvironment environment,
            FunctionCounts counts,
            IntToLongFunction epochs,
            StopSignal stop) {
        this.spec = spec;
        this.environment = environment;
        this.store = environment.deadLetters();
        this.group = spec.checkpoints();
        this.epochs = epochs;
        this.stop = stop;
        this.letters = counts.counters().of("dead_letter_counter");
        this.overflows = counts.counters().of("dead_letter_overflow_counter");
    }

    /**
     * Keeps a change as a dead letter if the function keeps any. A write that fails is repeated until the delivery
     * ends.
     *
     * @param replayed the letter whose replay failed, or null when this was no replay
     * @param written called when the letter is stored; not called when the vbucket belongs to another node by now
     */
    void bury(
            Event event,
            Outcome outcome,
            int attempts,
            long firstFailed,
            @Nullable DeadLetter replayed,
            Runnable written) {
        if (spec.handling().deadLetters() == 0) {
            written.run();
            return;
        }
        String name = replayed != null ? replayed.name() : name(event);
        boolean text = (event.kind() == Event.Kind.MUTATION || event.kind() == Event.Kind.APPENDED)
                && !event.binary()
                && event.body().length <= HandlingLimits.MAX_LETTER_DOCUMENT_BYTES;
        DeadLetter letter = new DeadLetter(
                name,
                entryPoint(event),
                version(outcome),
                traceId(event),
                new DeadLetter.Change(
                        event.scope(), event.collection(), event.id(), event.vbucket(), event.seqno(), event.cas()),
                new DeadLetter.Failure(
                        outcome.result().name().toLowerCase(Locale.ROOT),
                        outcome.message(),
                        outcome.line(),
                        outcome.column(),
                        outcome.stack()),
                new DeadLetter.Attempts(
                        attempts, firstFailed, environment.clock().millis()),
                new DeadLetter.Content(event.body().length, text ? new String(event.body(), UTF_8) : null));
        pending.incrementAndGet();
        traced(event, outcome, name);
        write(letter, written);
    }

    private static String name(Event event) {
        return event.kind() == Event.Kind.APPENDED
                ? DeadLetter.name(event.vbucket(), event.seqno(), event.cas())
                : DeadLetter.name(event.vbucket(), event.seqno());
    }

    private static String entryPoint(Event event) {
        return switch (event.kind()) {
            case MUTATION -> "OnUpdate";
            case DELETION, EXPIRATION -> "OnDelete";
            case APPENDED -> event.ofTopic() ? DeadLetter.ON_MESSAGE : DeadLetter.ON_EVENT;
            case TIMER -> event.scope();
        };
    }

    private long version(Outcome outcome) {
        return outcome.version() == 0 ? spec.version() : outcome.version();
    }

    private static @Nullable String traceId(Event event) {
        return event.trace().isEmpty()
                ? null
                : TraceContext.parse(event.trace()).traceId();
    }

    /**
     * Says in the trace of a change or a timer, if it has one, that it becomes a dead letter.
     *
     * @param letter its name, "" if that is not known yet
     */
    void traced(Event event, Outcome outcome, String letter) {
        if (event.trace().isEmpty()) {
            return;
        }
        TraceContext cause = TraceContext.parse(event.trace());
        boolean timer = event.kind() == Event.Kind.TIMER;
        environment
                .spans()
                .accept(List.of(new Span(
                        cause.traceId(),
                        cause.next().spanId(),
                        cause.spanId(),
                        Span.Kind.DEAD_LETTER,
                        "dead letter",
                        environment.clock().millis() * 1000,
                        0,
                        TracesLimits.cut(outcome.message()),
                        Map.of(
                                Attribute.FUNCTION,
                                spec.name(),
                                Attribute.NODE,
                                environment.node(),
                                Attribute.VERSION,
                                Long.toString(version(outcome)),
                                timer ? "reference" : Attribute.DOCUMENT,
                                event.id(),
                                "letter",
                                letter))));
    }

    private void write(DeadLetter letter, Runnable written) {
        CompletableFuture<Integer> write = store.bury(
                group,
                epochs.applyAsLong(letter.vbucket()),
                letter,
                spec.handling().deadLetters());
        last = write;
        write.whenComplete((dropped, failure) -> {
            if (failure != null && !stop.stopped()) {
                LOG.warn("event=dead_letter_failed function={} reason=\"{}\"", spec.name(), failure.toString());
                later(environment.settings().longestRetry(), () -> write(letter, written));
                return;
            }
            pending.decrementAndGet();
            if (failure == null && dropped != DeadLetterStore.FENCED) {
                written.run();
                letters.increment();
                overflows.add(dropped);
                say(letter);
            }
        });
    }

    private static void later(Duration pause, Runnable what) {
        CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread)
                .execute(what);
    }

    private void say(DeadLetter letter) {
        String text = "%s of '%s' (vb %d, seq %d) failed for the last time, attempt %d, and is kept as dead letter %s"
                .formatted(
                        letter.entryPoint(),
                        letter.change().id(),
                        letter.vbucket(),
                        letter.change().seqno(),
                        letter.tries().attempts(),
                        letter.name());
        environment
                .log()
                .append(
                        spec.name(),
                        List.of(new LogLine(
                                "ERROR", environment.clock().millis(), text, letter.version(), about(letter))));
    }

    private static LogLine.About about(DeadLetter letter) {
        String trace = letter.trace() == null ? "" : letter.trace();
        DeadLetter.Change change = letter.change();
        if (letter.ofMessage()) {
            return new LogLine.About(trace, "", "", "");
        }
        return letter.ofEvent()
                ? new LogLine.About(trace, "", "", change.id())
                : new LogLine.About(trace, change.scope(), change.collection(), change.id());
    }

    /** Drops a letter that was replayed. If the store does not answer, the letter stays and is replayed once more. */
    void drop(DeadLetter letter) {
        last = store.drop(group, List.of(letter.name())).whenComplete((dropped, failure) -> {
            if (failure != null) {
                LOG.warn("event=dead_letter_not_dropped function={} name={}", spec.name(), letter.name(), failure);
            }
        });
    }

    /** Returns how many letters are being written. */
    int pending() {
        return pending.get();
    }

    /** Waits for pending writes; the store answers calls in their order. */
    void awaitEnd() throws InterruptedException {
        try {
            last.get(environment.settings().lastSaveTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("event=dead_letter_lost_at_end function={} reason=\"{}\"", spec.name(), e.toString());
        }
    }
}
