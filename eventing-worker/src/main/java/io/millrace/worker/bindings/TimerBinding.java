package io.millrace.worker.bindings;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.TimerCall;
import io.millrace.timers.NewTimer;
import io.millrace.timers.References;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.Change;
import io.millrace.timers.TimersException;
import io.millrace.worker.report.Counters;
import io.millrace.workerprotocol.HandlerSettings.TimerSettings;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Creates and cancels timers for the handler threads of a worker. A timer is stored when the call returns. */
final class TimerBinding {

    private final TimerSettings settings;
    private final TimerGroup group;
    private final StoreQueue store;
    private final Counters counters;

    TimerBinding(WorkerSetup setup, StoreQueue store, Counters counters) {
        this.settings = setup.handler().timers();
        this.group = new TimerGroup(
                settings.bucket(), settings.shards(), settings.functionId(), setup.instance(), settings.partitions());
        this.store = store;
        this.counters = counters;
    }

    /**
     * Returns the timer's reference.
     *
     * @param trace the span that creates it, as text; "" if it is not traced
     */
    String create(TimerCall call, String trace, Invocation by) throws HostFailure {
        try {
            NewTimer timer = timer(call).trace(trace);
            Change change = answer(timers -> timers.create(group, timer), by);
            if (change != Change.DONE) {
                throw HostFailure.eventingError("The function is being undeployed and cannot create timers");
            }
            counters.add(Counters.TIMERS_CREATED, 1);
            return timer.id().reference();
        } catch (HostFailure e) {
            counters.add(Counters.TIMERS_NOT_CREATED, 1);
            throw e;
        }
    }

    private NewTimer timer(TimerCall call) throws HostFailure {
        if (settings.bucket().isEmpty()) {
            throw HostFailure.eventingError("The function has no metadata bucket; timers need one");
        }
        try {
            NewTimer timer = NewTimer.of(
                            call.callback(),
                            Instant.ofEpochMilli(call.dueMillis()),
                            call.reference(),
                            call.context(),
                            settings.contextBytes(),
                            References.RANDOM)
                    .opaque(call.opaque());
            return call.skipAfterMillis() == TimerCall.NEVER
                    ? timer
                    : timer.staleAfter(Instant.ofEpochMilli(call.skipAfterMillis()));
        } catch (TimersException e) {
            if (e.code() == TimersException.Code.CONTEXT_TOO_LARGE) {
                counters.add(Counters.TIMER_CONTEXTS_TOO_LARGE, 1);
            }
            throw HostFailure.eventingError(String.valueOf(e.getMessage()));
        }
    }

    boolean cancel(String callback, String reference, Invocation by) throws HostFailure {
        TimerId id;
        try {
            id = new TimerId(callback, reference);
        } catch (TimersException e) {
            throw HostFailure.eventingError(String.valueOf(e.getMessage()));
        }
        boolean cancelled = answer(timers -> timers.cancel(group, id), by) == Change.DONE;
        if (cancelled) {
            counters.add(Counters.TIMERS_CANCELLED, 1);
        }
        return cancelled;
    }

    /**
     * Makes a call and repeats it while the store is away, until the invocation has to be told that there is no answer.
     */
    private Change answer(Function<TimerStore, CompletableFuture<Change>> call, Invocation by) throws HostFailure {
        RepairPauses pauses = new RepairPauses();
        StoreOutage outage = null;
        while (true) {
            Duration pause = pauses.next();
            CompletableFuture<Change> answer = store.timers(call);
            try {
                return answer.get(Math.max(1, left(by)), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                outage = StoreOutage.of(e);
                if (outage == null || left(by) <= pause.toNanos()) {
                    WriteBehind.note(outage, by);
                    throw counted(HostFailure.kvError(207, "LCB_ERR_TEMPORARY_FAILURE", String.valueOf(e.getCause())));
                }
            } catch (TimeoutException e) {
                WriteBehind.note(outage, by);
                by.missed(answer);
                throw counted(KvErrors.timeout("The timer store did not answer in time"));
            } catch (InterruptedException e) {
                throw counted(KvErrors.timeout("The invocation was stopped"));
            }
            rest(pause);
        }
    }

    private static long left(Invocation by) {
        return by.giveUpNanos() - System.nanoTime();
    }

    private void rest(Duration pause) throws HostFailure {
        try {
            Time.SYSTEM.sleep(pause);
        } catch (InterruptedException e) {
            throw counted(KvErrors.timeout("The invocation was stopped"));
        }
    }

    private HostFailure counted(HostFailure failure) {
        counters.bucketException(failure.code());
        return failure;
    }
}
