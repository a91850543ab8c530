package io.millrace.worker;

import io.millrace.handler.InvocationResult;
import io.millrace.worker.report.Counters;
import io.millrace.worker.report.LogBuffer;
import io.millrace.worker.report.Outbox;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerSetup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * One thread of the worker: takes its batches in order, runs the handler on their events in order, and reports a batch
 * when every write made for it and before it is settled.
 */
final class HandlerLoop implements Runnable {

    private sealed interface Task permits Run, Deploy, Signal {}

    private record Run(Frame.Batch batch) implements Task {}

    private record Deploy(Frame.Deploy frame) implements Task {}

    private enum Signal implements Task {
        /** Writes have been answered. */
        ANSWERED,
        /** Nothing comes after this. */
        FINISH
    }

    /** A batch whose handlers have run; done when so many writes of the thread are settled. */
    private record Handled(Frame.Batch batch, List<Invocation> invocations, long writes) {}

    /** What OnDeploy is called with in place of an event. */
    private static final Event NO_EVENT = new Event(
            Event.Kind.MUTATION,
            new Event.Key("", "", "OnDeploy", 0),
            new Event.Version(0, 0, 0),
            Event.Content.none());

    private final Code code;
    private final WriteBehind writes;
    private final BucketHost host;
    private final Outcomes outcomes;
    private final Outbox outbox;
    private final Time time;
    private final Exit exit;
    private final long storePatienceNanos;

    private final CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();

    /** Bounded by what the service sends before it waits for outcomes. */
    private final LinkedBlockingQueue<Task> tasks = new LinkedBlockingQueue<>();

    private final ArrayDeque<Handled> handled = new ArrayDeque<>();
    private boolean signalAsked;

    HandlerLoop(
            WorkerSetup setup,
            Code code,
            WriteBehind writes,
            LogBuffer log,
            Counters counters,
            Outbox outbox,
            Time time,
            Exit exit,
            BucketHost.Shared shared) {
        this.code = code;
        this.writes = writes;
        this.host = new BucketHost(setup, writes, log, counters, shared);
        this.outcomes = new Outcomes(
                log, setup.limits().executionTimeoutMillis(), setup.limits().allocationLimitBytes());
        this.outbox = outbox;
        this.time = time;
        this.exit = exit;
        this.storePatienceNanos = storePatienceNanos(setup.limits().executionTimeoutMillis());
    }

    /**
     * How long the store may keep an invocation waiting: long enough to help, short enough that the handler can still
     * react.
     */
    private static long storePatienceNanos(long timeoutMillis) {
        long margin = Math.min(WorkerLimits.HANDLER_MARGIN.toMillis(), timeoutMillis / 5);
        return (timeoutMillis - margin) * 1_000_000;
    }

    /** Completes when the code is loaded. */
    CompletableFuture<@Nullable Void> ready() {
        return ready;
    }

    void submit(Frame.Batch batch) {
        tasks.add(new Run(batch));
    }

    /** Calls OnDeploy and reports its outcome when its writes are done. */
    void submit(Frame.Deploy deploy) {
        tasks.add(new Deploy(deploy));
    }

    /** Lets {@link #run} return when it has reported what was submitted before. */
    void finish() {
        tasks.add(Signal.FINISH);
    }

    @Override
    public void run() {
        try (Code.Loaded loaded = code.open(host)) {
            ready.complete(null);
            for (Task task = next(); task != Signal.FINISH; task = next()) {
                switch (task) {
                    case Run run -> handle(run.batch(), loaded);
                    case Deploy deploy -> deploy(deploy.frame(), loaded);
                    case Signal ignored -> {}
                }
            }
            settleAll();
            report();
        } catch (RuntimeException | Error e) {
            ready.completeExceptionally(e);
            exit.now(WorkerExit.DEFECT, "A handler thread failed", e);
        }
    }

    /** Waits for a batch, or the end; takes answers meanwhile. */
    private Task next() {
        while (true) {
            writes.settle();
            report();
            try {
                Task task = tasks.take();
                if (task != Signal.ANSWERED) {
                    return task;
                }
                signalAsked = false;
                writes.settle();
                askForSignal();
            } catch (InterruptedException e) {
                // the interrupt was meant for an invocation that has ended
            }
        }
    }

    private void handle(Frame.Batch batch, Code.Loaded loaded) {
        List<Invocation> invocations = new ArrayList<>(batch.events().size());
        for (Event event : batch.events()) {
            writes.settle();
            Invocation invocation = new Invocation(event, time.nanos() + storePatienceNanos);
            host.begin(invocation);
            InvocationResult ended = loaded.handle(event);
            if (ended instanceof InvocationResult.InternalError broken) {
                exit.now(WorkerExit.ENGINE_FAILED, broken.message() + " at '" + event.id() + "'", broken.cause());
            }
            host.finish(invocation, ended instanceof InvocationResult.Success);
            var outcome = outcomes.of(ended, event);
            invocation.ended(outcome);
            host.ended(outcome);
            invocations.add(invocation);
            report();
        }
        handled.addLast(new Handled(batch, invocations, writes.made()));
        askForSignal();
    }

    private void deploy(Frame.Deploy frame, Code.Loaded loaded) {
        long patience = storePatienceNanos(frame.timeoutMillis());
        Invocation invocation = new Invocation(NO_EVENT, time.nanos() + patience);
        host.begin(invocation);
        InvocationResult ended = loaded.deploy(frame);
        if (ended instanceof InvocationResult.InternalError broken) {
            exit.now(WorkerExit.ENGINE_FAILED, broken.message() + " in OnDeploy", broken.cause());
        }
        invocation.ended(outcomes.ofDeploy(ended, frame.timeoutMillis()));
        settleAll();
        outbox.deployed(new Frame.Deployed(invocation.outcome()));
    }

    /**
     * Has {@link Signal#ANSWERED} sent when the next writes have been answered, so that an idle thread reports them.
     */
    private void askForSignal() {
        CompletableFuture<?> answer = writes.nextAnswer();
        if (answer != null && !signalAsked) {
            signalAsked = true;
            answer.whenComplete((result, failure) -> tasks.add(Signal.ANSWERED));
        }
    }

    private void settleAll() {
        writes.settle();
        for (CompletableFuture<?> answer = writes.nextAnswer(); answer != null; answer = writes.nextAnswer()) {
            answer.handle((result, failure) -> true).join();
            writes.settle();
        }
    }

    /** Reports the batches whose writes are settled. */
    private void report() {
        for (Handled first = handled.peekFirst();
                first != null && writes.settled() >= first.writes();
                first = handled.peekFirst()) {
            handled.removeFirst();
            List<io.millrace.workerprotocol.Outcome> ended =
                    first.invocations().stream().map(Invocation::outcome).toList();
            outbox.done(new Frame.Done(first.batch().batch(), first.batch().thread(), ended));
        }
    }
}
