package io.millrace.eventing.metrics;

import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.Outcome;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts the events that consumers send and their outcomes, and logs failures. Thread-safe. */
public final class DeliveryMetrics {

    /** The outcome of an event that ended too many workers. */
    public static final Outcome WORKER_KILLER = new Outcome(
            Outcome.Result.WORKER_ENDED, 0, "the worker process ended repeatedly while it handled this event", 0, 0);

    private final Counters counters;
    private final Histogram latencyMicros;
    private final FunctionInsight insight = new FunctionInsight();
    private final FunctionLog log;
    private final InstantSource clock;
    private final LongAdder updateSuccess;
    private final LongAdder updateFailure;
    private final LongAdder eventSuccess;
    private final LongAdder eventFailure;
    private final LongAdder deleteSuccess;
    private final LongAdder deleteFailure;
    private final LongAdder skipped;
    private final LongAdder timeouts;
    private final LongAdder parsed;
    private final LongAdder mutations;
    private final LongAdder deletes;
    private final LongAdder processed;
    private final LongAdder processedBytes;
    private final LongAdder mutationsSent;
    private final LongAdder deletionsSent;
    private final LongAdder expirationsSent;
    private final LongAdder timersSent;
    private final LongAdder timersAnswered;
    private final LongAdder timerCalls;
    private final LongAdder timerSuccess;
    private final LongAdder timerFailure;
    private final LongAdder timerMissing;
    private final LongAdder requestSuccess;
    private final LongAdder requestFailure;

    public DeliveryMetrics(Counters counters, Histogram latencyMicros, FunctionLog log, InstantSource clock) {
        this.counters = counters;
        this.latencyMicros = latencyMicros;
        this.log = log;
        this.clock = clock;
        this.updateSuccess = counters.of("on_update_success");
        this.updateFailure = counters.of("on_update_failure");
        this.eventSuccess = counters.of("on_event_success");
        this.eventFailure = counters.of("on_event_failure");
        this.deleteSuccess = counters.of("on_delete_success");
        this.deleteFailure = counters.of("on_delete_failure");
        this.skipped = counters.of("no_op_counter");
        this.timeouts = counters.of("timeout_count");
        this.parsed = counters.of("messages_parsed");
        this.mutations = counters.of("dcp_mutation_msg_counter");
        this.deletes = counters.of("dcp_delete_msg_counter");
        this.processed = counters.of("num_processed_events");
        this.processedBytes = counters.of("processed_events_size");
        this.mutationsSent = counters.of("dcp_mutation_sent_to_worker");
        this.deletionsSent = counters.of("dcp_deletion_sent_to_worker");
        this.expirationsSent = counters.of("dcp_expiry_sent_to_worker");
        this.timersSent = counters.of("timer_events");
        this.timersAnswered = counters.of("timer_responses_received");
        this.timerCalls = counters.of("timer_msg_counter");
        this.timerSuccess = counters.of("timer_callback_success");
        this.timerFailure = counters.of("timer_callback_failure");
        this.timerMissing = counters.of("timer_callback_missing_counter");
        this.requestSuccess = counters.of("on_request_success");
        this.requestFailure = counters.of("on_request_failure");
    }

    FunctionInsight insight() {
        return insight;
    }

    /** Adds the insight that a worker has reported. */
    public void seen(Frame.Insight seen) {
        insight.add(seen.version(), seen.lines());
    }

    public void sent(Frame.Batch batch) {
        int deletions = 0;
        int expirations = 0;
        int timers = 0;
        for (Event event : batch.events()) {
            switch (event.kind()) {
                case MUTATION, APPENDED -> {}
                case DELETION -> deletions++;
                case EXPIRATION -> expirations++;
                case TIMER -> timers++;
            }
        }
        mutationsSent.add(batch.events().size() - deletions - expirations - timers);
        deletionsSent.add(deletions);
        expirationsSent.add(expirations);
        timersSent.add(timers);
    }

    public void done(List<Event> events, List<Outcome> outcomes) {
        int updates = 0;
        int updatesOk = 0;
        int deletesOk = 0;
        int eventsOk = 0;
        int skips = 0;
        int timers = 0;
        long bytes = 0;
        List<LogLine> lines = new ArrayList<>(0);
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            Outcome outcome = outcomes.get(i);
            if (event.kind() == Event.Kind.TIMER) {
                timers++;
                timerDone(event, outcome, lines);
                continue;
            }
            boolean update = event.kind() == Event.Kind.MUTATION;
            boolean appended = event.kind() == Event.Kind.APPENDED;
            updates += update || appended ? 1 : 0;
            bytes += event.weightBytes();
            if (outcome.result() == Outcome.Result.SKIPPED) {
                skips++;
                continue;
            }
            latencyMicros.record(outcome.micros(), 1);
            if (outcome.ok()) {
                updatesOk += update ? 1 : 0;
                eventsOk += appended ? 1 : 0;
                deletesOk += update || appended ? 0 : 1;
            } else {
                failed(event, outcome, lines);
            }
        }
        parsed.add(events.size());
        mutations.add(updates);
        deletes.add(events.size() - updates - timers);
        updateSuccess.add(updatesOk);
        eventSuccess.add(eventsOk);
        deleteSuccess.add(deletesOk);
        skipped.add(skips);
        processed.add(events.size());
        processedBytes.add(bytes);
        if (!lines.isEmpty()) {
            log.append(lines);
        }
    }

    private void timerDone(Event event, Outcome outcome, List<LogLine> lines) {
        timersAnswered.increment();
        timerCalls.increment();
        if (outcome.result() == Outcome.Result.SKIPPED) {
            timerMissing.increment();
            return;
        }
        latencyMicros.record(outcome.micros(), 1);
        if (outcome.ok()) {
            timerSuccess.increment();
        } else {
            failed(event, outcome, lines);
        }
    }

    /** Counts a call of OnRequest. The worker has logged a failure, unless it happened after the handler had returned. */
    public void requested(Outcome outcome) {
        switch (outcome.result()) {
            case SKIPPED -> {}
            case SUCCESS -> requestSuccess.increment();
            case TIMED_OUT -> {
                requestFailure.increment();
                timeouts.increment();
            }
            case WRITE_FAILED, WORKER_ENDED -> requestFailed(outcome.message());
            case THREW, OUT_OF_MEMORY -> requestFailure.increment();
        }
        if (outcome.micros() > 0) {
            latencyMicros.record(outcome.micros(), 1);
        }
    }

    /** Counts and logs a call of OnRequest that failed although the handler did not. */
    public void requestFailed(String why) {
        requestFailure.increment();
        log.append(List.of(error(LogLine.About.NOTHING, "OnRequest failed: " + why)));
    }

    /** Counts a failure. The worker has logged it with the stack, unless it happened after the handler had returned. */
    private void failed(Event event, Outcome outcome, List<LogLine> lines) {
        count(event);
        switch (outcome.result()) {
            case TIMED_OUT -> timeouts.increment();
            case WRITE_FAILED ->
                lines.add(error(
                        LogLine.About.of(event, ""),
                        "%s of '%s' (vb %d, seq %d) failed: %s"
                                .formatted(
                                        entryPoint(event),
                                        event.id(),
                                        event.vbucket(),
                                        event.seqno(),
                                        outcome.message())));
            case THREW, OUT_OF_MEMORY, WORKER_ENDED, SUCCESS, SKIPPED -> {}
        }
    }

    /** Counts and logs an event that ended too many workers. */
    public void givenUp(Event event, int deaths) {
        count(event);
        counters.of("poison_events_skipped").increment();
        processed.increment();
        log.append(List.of(error(
                LogLine.About.of(event, ""),
                "%s of '%s' (vb %d, seq %d) was given up: the worker process ended %d times in a row while it handled this document"
                        .formatted(entryPoint(event), event.id(), event.vbucket(), event.seqno(), deaths))));
    }

    public void workerDied(String worker, String reason) {
        counters.of("worker_death_counter").increment();
        log.append(List.of(new LogLine(
                "WARNING", clock.millis(), "%s ended and is being restarted: %s".formatted(worker, reason))));
    }

    private void count(Event event) {
        switch (event.kind()) {
            case MUTATION -> updateFailure.increment();
            case APPENDED -> eventFailure.increment();
            case DELETION, EXPIRATION -> deleteFailure.increment();
            case TIMER -> timerFailure.increment();
        }
    }

    private LogLine error(LogLine.About about, String text) {
        return new LogLine("ERROR", clock.millis(), text, about);
    }

    private static String entryPoint(Event event) {
        return switch (event.kind()) {
            case MUTATION -> "OnUpdate";
            case APPENDED -> event.ofTopic() ? "OnMessage" : "OnEvent";
            case DELETION, EXPIRATION -> "OnDelete";
            case TIMER -> "Timer callback " + event.scope();
        };
    }
}
