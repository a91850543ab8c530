package io.millrace.eventing.delivery;

import io.millrace.eventing.consumer.DocumentName;
import io.millrace.eventing.consumer.Rejoined;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.metrics.Counters;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Retries changes that could not be handled after growing pauses, and turns them into dead letters after the last
 * attempt. Until then they count as unhandled, so that checkpoints stay behind them.
 *
 * <pre>
 *            failed                    pause over                     failed for the last time
 *  handled ---------> WAITING ------------------------> ON ITS WAY ----------------------------> dead letter
 *                        |   ^                           |      |
 *                        |   +---------- failed ---------+      +--> handled
 *                        +--> superseded by a later change of the document, which is handled in its place
 * </pre>
 *
 * <p>Replays of dead letters take the same path, without pauses. Thread-safe.
 */
final class Failures {

    /** A change that waits for a retry, or a letter that is being replayed. */
    private static final class Failed {
        final long seqno;
        final @Nullable DeadLetter letter;

        @Nullable
        Event event;

        int failures;
        long firstFailed;
        boolean onItsWay;

        Failed(long seqno, @Nullable DeadLetter letter, @Nullable Event event) {
            this.seqno = seqno;
            this.letter = letter;
            this.event = event;
        }

        /** Returns whether it is a replay, behind a change in its lane, of the state that this change brings or of a later one. */
        boolean repeats(Event change) {
            return onItsWay && letter != null && event != null && event.seqno() >= change.seqno();
        }
    }

    private final Handling handling;
    private final DeadLetterWriter letters;
    private final BiFunction<Event, BooleanSupplier, Rejoined> lanes;
    private final BiConsumer<Event, Boolean> handled;
    private final InstantSource clock;
    private final LongAdder retries;
    private final LongAdder superseded;
    private final LongAdder replays;

    private final Map<DocumentName, Failed> failed = new HashMap<>();
    private long bytes;
    private boolean closed;

    /** The size of the map; read without the lock, so that functions without failures pay nothing. */
    private volatile int open;

    /**
     * @param lanes sends an event to its worker once more, if it is still wanted at that moment
     * @param handled receives events that need not be delivered again, and whether they were handled successfully
     */
    Failures(
            Handling handling,
            DeadLetterWriter letters,
            BiFunction<Event, BooleanSupplier, Rejoined> lanes,
            BiConsumer<Event, Boolean> handled,
            InstantSource clock,
            Counters counters) {
        this.handling = handling;
        this.letters = letters;
        this.lanes = lanes;
        this.handled = handled;
        this.clock = clock;
        this.retries = counters.of("retry_counter");
        this.superseded = counters.of("retry_superseded_counter");
        this.replays = counters.of("dead_letter_replay_counter");
    }

    /** Takes the outcome of any change. */
    void acknowledged(Event event, Outcome outcome) {
        if (outcome.ok() ? open == 0 : handling.forgetful()) {
            handled.accept(event, outcome.ok());
        } else {
            settle(event, outcome);
        }
    }

    private synchronized void settle(Event event, Outcome outcome) {
        DocumentName document = DocumentName.of(event);
        Failed known = failed.get(document);
        if (known != null && known.event == event) {
            if (outcome.ok()) {
                forget(document, known);
                over(known, true);
            } else {
                failed(document, known, event, outcome);
            }
            return;
        }
        if (known != null && !known.onItsWay && event.seqno() > known.seqno) {
            supersede(document, known);
        }
        if (outcome.ok()) {
            handled.accept(event, true);
        } else if (known != null && known.repeats(event)) {
            superseded.increment();
            handled.accept(event, false);
        } else {
            failed(document, new Failed(event.seqno(), null, event), event, outcome);
        }
    }

    private void failed(DocumentName document, Failed change, Event event, Outcome outcome) {
        change.failures++;
        change.onItsWay = false;
        if (change.failures == 1) {
            change.firstFailed = clock.millis();
        }
        boolean retry = change.letter == null
                && change.failures <= handling.retries()
                && outcome.result() != Outcome.Result.WORKER_ENDED;
        if (!retry) {
            forget(document, change);
            letters.bury(event, outcome, change.failures, change.firstFailed, change.letter, () -> {
                if (change.letter == null) {
                    handled.accept(event, false);
                }
            });
        } else if (!closed) { // otherwise it stays unhandled and is delivered again
            remember(document, change);
            long pause = handling.pauseAfter(change.failures).toMillis();
            CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS, Thread::startVirtualThread)
                    .execute(() -> send(document, change, event, retries));
        }
    }

    /** Must not hold the lock: lanes wait until outcomes are acknowledged. */
    private void send(DocumentName document, Failed change, Event event, LongAdder counter) {
        switch (lanes.apply(event, () -> begin(document, change))) {
            case TAKEN -> counter.increment();
            case SUPERSEDED -> {
                synchronized (this) {
                    if (failed.get(document) == change) {
                        supersede(document, change);
                    }
                }
            }
            case REFUSED -> {}
        }
    }

    private synchronized boolean begin(DocumentName document, Failed change) {
        change.onItsWay = !closed && failed.get(document) == change;
        return change.onItsWay;
    }

    private void supersede(DocumentName document, Failed change) {
        superseded.increment();
        forget(document, change);
        over(change, false);
    }

    private void over(Failed change, boolean well) {
        if (change.letter != null) {
            letters.drop(change.letter);
        } else if (change.event != null) {
            handled.accept(change.event, well);
        }
    }

    private void remember(DocumentName document, Failed change) {
        if (failed.putIfAbsent(document, change) == null) {
            bytes += weight(change);
            open = failed.size();
        }
    }

    private void forget(DocumentName document, Failed change) {
        if (failed.remove(document, change)) {
            bytes -= weight(change);
            open = failed.size();
        }
    }

    private static DocumentName document(DeadLetter letter) {
        if (letter.ofEvent()) {
            return DocumentName.ofEvent(
                    letter.change().scope(),
                    letter.change().collection(),
                    letter.change().id(),
                    letter.change().cas());
        }
        return new DocumentName(
                letter.change().scope(),
                letter.change().collection(),
                letter.change().id());
    }

    private static long weight(Failed change) {
        return change.letter != null || change.event == null ? 0 : change.event.weightBytes();
    }

    /**
     * Announces the replay of a letter; a change of its document that is handled from now on takes its place. Returns
     * false when a replay is announced already, or a change of the document waits for a retry.
     */
    synchronized boolean announce(DeadLetter letter) {
        DocumentName document = document(letter);
        if (closed || failed.containsKey(document)) {
            return false;
        }
        Failed change = new Failed(letter.change().seqno(), letter, null);
        change.failures = letter.tries().attempts();
        change.firstFailed = letter.tries().firstFailed();
        remember(document, change);
        return true;
    }

    /**
     * Replays a letter that was announced.
     *
     * @param event the current state of the document; null when it does not exist or cannot be read
     */
    void replay(DeadLetter letter, @Nullable Event event) {
        DocumentName document = document(letter);
        Failed change;
        synchronized (this) {
            change = failed.get(document);
            if (change == null || change.letter != letter) {
                return;
            }
            if (event == null) {
                forget(document, change);
                return;
            }
            change.event = event;
        }
        send(document, change, event, replays);
    }

    /** Returns how many changes wait. */
    int waiting() {
        return open + letters.pending();
    }

    /** Returns whether more changes may be handed out. */
    synchronized boolean room() {
        return waiting() < HandlingLimits.MAX_CHANGES_AWAITING_RETRY && bytes < HandlingLimits.MAX_BYTES_AWAITING_RETRY;
    }

    /** Retries nothing from now on. Changes that wait stay unhandled and are delivered again. */
    synchronized void close() {
        closed = true;
        failed.values().removeIf(change -> !change.onItsWay);
        open = failed.size();
    }
}
