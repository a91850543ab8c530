package io.millrace.worker;

import io.millrace.handler.InvocationResult;
import io.millrace.handler.NotLoaded;
import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.handler.host.HostFailure;
import io.millrace.traces.Span;
import io.millrace.worker.bindings.BucketHost;
import io.millrace.worker.bindings.Invocation;
import io.millrace.worker.bindings.StoreOutage;
import io.millrace.worker.bindings.Time;
import io.millrace.worker.bindings.Trail;
import io.millrace.worker.bindings.WriteBehind;
import io.millrace.worker.report.Counters;
import io.millrace.worker.report.LogBuffer;
import io.millrace.worker.report.Outbox;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * One thread of the worker: takes its batches in order, runs the handler on their events in order, and reports a batch
 * when every write made for it and before it is settled. Requests are answered in the same way, between events: one does
 * not wait for the end of a batch.
 */
final class HandlerLoop implements Runnable {

    private sealed interface Task permits Run, Deploy, Swap, Signal {}

    private record Run(Frame.Batch batch) implements Task {}

    private record Deploy(Frame.Deploy frame) implements Task {}

    private record Swap(Code code, long version, CompletableFuture<@Nullable Void> done) implements Task {}

    private enum Signal implements Task {
        /** The code is to be loaded. */
        LOAD,
        /** Writes have been answered. */
        ANSWERED,
        /** A request waits. */
        REQUESTED,
        /** Nothing comes after this. */
        FINISH
    }

    private record Request(Frame.Request frame, long dueNanos, long sinceMicros) {}

    /** Something whose handlers have run; reported when so many writes of the thread are settled. */
    private record Handled(Runnable report, long writes) {}

    /** What OnDeploy is called with in place of an event. */
    private static final Event NO_EVENT = noEvent("OnDeploy");

    /** Likewise OnRequest. */
    private static final Event NO_REQUEST_EVENT = noEvent("OnRequest");

    private final Code code;
    private final WriteBehind writes;
    private final BucketHost host;
    private final LogBuffer log;
    private final Outcomes outcomes;
    private final Outbox outbox;
    private final Time time;
    private final Exit exit;
    private final long storePatienceNanos;

    private final CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();

    /** Bounded by what the service sends before it waits for outcomes. */
    private final LinkedBlockingQueue<Task> tasks = new LinkedBlockingQueue<>();

    /** Bounded likewise. */
    private final ConcurrentLinkedQueue<Request> requests = new ConcurrentLinkedQueue<>();

    /** The request that runs, by its number. */
    private final Map<Long, Reply> replies = new ConcurrentHashMap<>();

    private final ArrayDeque<Handled> handled = new ArrayDeque<>();
    private long version;
    private boolean signalAsked;
    private volatile boolean tried;
    private volatile boolean halted;
    private volatile Code.@Nullable Loaded running;

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
        this.version = setup.source().version();
        this.log = log;
        this.writes = writes;
        this.host = new BucketHost(setup, writes, log, counters, shared);
        host.onExit(exit);
        this.outcomes = new Outcomes(
                log, setup.limits().executionTimeoutMillis(), setup.limits().allocationLimitBytes());
        this.outbox = outbox;
        this.time = time;
        this.exit = exit;
        this.storePatienceNanos = Invocation.patienceNanos(setup.limits().executionTimeoutMillis());
    }

    private static Event noEvent(String id) {
        return new Event(
                Event.Kind.MUTATION, new Event.Key("", "", id, 0), new Event.Version(0, 0, 0), Event.Content.none());
    }

    /**
     * Has the code loaded now, instead of when there is something to do. Completes when it is loaded, or will not be because the loop
     * ends.
     */
    CompletableFuture<@Nullable Void> load() {
        tasks.add(Signal.LOAD);
        return ready;
    }

    /** As {@link #load}; fails with {@link NotLoaded} when the code cannot be loaded, which is a defect otherwise. */
    CompletableFuture<@Nullable Void> tryCode() {
        tried = true;
        return load();
    }

    void submit(Frame.Batch batch) {
        tasks.add(new Run(batch));
    }

    /** Calls OnDeploy and reports its outcome when its writes are done. */
    void submit(Frame.Deploy deploy) {
        tasks.add(new Deploy(deploy));
    }

    /** Calls OnRequest and reports its outcome when its writes are done. */
    void submit(Frame.Request request) {
        long now = System.currentTimeMillis() * 1000;
        requests.add(new Request(request, time.nanos() + request.timeoutMillis() * 1_000_000, now));
        tasks.add(Signal.REQUESTED);
    }

    /** Lets a response in parts go on. */
    void taken(Frame.Taken frame) {
        Reply reply = replies.get(frame.call());
        if (reply != null) {
            reply.taken(frame.bytes());
        }
    }

    /** Ends a response in parts. */
    void abandoned(Frame.Abandoned frame) {
        Reply reply = replies.get(frame.call());
        if (reply != null) {
            reply.abandon();
        }
    }

    /** Runs other code after the batches that were submitted before. Completes then, and never when the loop ends before. */
    CompletableFuture<@Nullable Void> swap(Code next, long nextVersion) {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        tasks.add(new Swap(next, nextVersion, done));
        return done;
    }

    /** Lets {@link #run} return when it has reported what was submitted before. */
    void finish() {
        tasks.add(Signal.FINISH);
    }

    /** What is not reported by now will not be. */
    void reportNothing() {
        halted = true;
    }

    /** Lets {@link #run} return without another invocation and without a report. To be repeated until it has. */
    void halt() {
        reportNothing();
        tasks.add(Signal.FINISH);
        Code.Loaded loaded = running;
        if (loaded != null) {
            loaded.interrupt();
        }
    }

    @Override
    public void run() {
        try (host) {
            Task first = first();
            if (first != Signal.FINISH) {
                begin(first);
            }
        } catch (RuntimeException | Error e) {
            boolean reported = ready.completeExceptionally(e) && tried && e instanceof NotLoaded;
            if (!reported && (!halted || e instanceof VirtualMachineError)) {
                exit.now(WorkerExit.DEFECT, "A handler thread failed", e);
            }
        } finally {
            running = null;
            ready.complete(null);
        }
    }

    /** Waits for something to do, or for {@link Signal#LOAD}: code that is not loaded holds no memory. */
    private Task first() {
        while (true) {
            try {
                return tasks.take();
            } catch (InterruptedException e) {
                // the loop is being halted, and FINISH follows
            }
        }
    }

    private void begin(Task first) {
        log.runs(version);
        outbox.begin();
        try {
            serve(code.open(host), first);
        } finally {
            outbox.end();
        }
    }

    private void serve(Code.Loaded opened, Task first) {
        Code.Loaded loaded = opened;
        try {
            running = loaded;
            host.runs(loaded.statements());
            ready.complete(null);
            for (Task task = first; task != Signal.FINISH; task = next()) {
                switch (task) {
                    case Run run -> handle(run.batch(), loaded);
                    case Deploy deploy -> deploy(deploy.frame(), loaded);
                    case Swap swap -> loaded = swapped(loaded, swap);
                    case Signal ignored -> answerNext(loaded);
                }
            }
            if (!halted) {
                settleAll();
                report();
            }
        } finally {
            loaded.close();
        }
    }

    private Code.Loaded swapped(Code.Loaded before, Swap swap) {
        version = swap.version();
        log.runs(version); // the new code may log while it is loaded
        Code.Loaded next = swap.code().open(host);
        running = next;
        host.runs(next.statements());
        before.close();
        swap.done().complete(null);
        return next;
    }

    /** Waits for a batch, or the end; takes answers meanwhile. */
    private Task next() {
        while (true) {
            settle();
            if (halted) {
                return Signal.FINISH;
            }
            report();
            try {
                outbox.end();
                Task task;
                try {
                    task = tasks.take();
                } finally {
                    outbox.begin();
                }
                if (task != Signal.ANSWERED) {
                    return task;
                }
                signalAsked = false;
                settle();
                askForSignal();
            } catch (InterruptedException e) {
                // the interrupt was meant for an invocation that has ended
            }
        }
    }

    private void handle(Frame.Batch batch, Code.Loaded loaded) {
        List<Invocation> invocations = new ArrayList<>(batch.events().size());
        for (Event event : batch.events()) {
            if (halted) {
                return;
            }
            answerNext(loaded);
            settle();
            if (halted) {
                return;
            }
            Invocation invocation = new Invocation(event, time.nanos() + storePatienceNanos);
            host.begin(invocation);
            InvocationResult ended = loaded.handle(event);
            if (ended instanceof InvocationResult.InternalError broken) {
                if (halted) {
                    return;
                }
                exit.now(WorkerExit.ENGINE_FAILED, broken.message() + " at '" + event.id() + "'", broken.cause());
            }
            host.finish(invocation, ended instanceof InvocationResult.Success);
            var outcome = outcomes.of(ended, event);
            invocation.ended(outcome);
            host.ended(outcome);
            StoreOutage met = outcome.ok() ? null : writes.metBy(invocation);
            if (met != null) {
                stop(met);
                return;
            }
            invocations.add(invocation);
            report();
        }
        long ran = version;
        handled.addLast(new Handled(() -> done(batch, invocations, ran), writes.made()));
        askForSignal();
    }

    private void done(Frame.Batch batch, List<Invocation> invocations, long ran) {
        List<Outcome> ended = invocations.stream().map(Invocation::outcome).toList();
        List<Span> spans = new ArrayList<>(0);
        for (int i = 0; i < ended.size(); i++) {
            spans.addAll(spans(invocations.get(i), ended.get(i), ran));
        }
        report(spans);
        outbox.done(new Frame.Done(batch.batch(), batch.thread(), ended, ran));
    }

    private static List<Span> spans(Invocation invocation, Outcome outcome, long ran) {
        Trail trail = invocation.trail();
        return trail == null ? List.of() : trail.spans(outcome, ran);
    }

    private void report(List<Span> spans) {
        if (!spans.isEmpty()) {
            outbox.spans(new Frame.Spans(Span.json(spans)));
        }
    }

    /** Answers the request that has waited longest, if there is one. */
    private void answerNext(Code.Loaded loaded) {
        Request next = requests.poll();
        if (next == null || halted) {
            return;
        }
        Frame.Request frame = next.frame();
        long leftMillis = (next.dueNanos() - time.nanos()) / 1_000_000;
        if (leftMillis <= 0) {
            Outcome late = outcomes.notStarted(frame.timeoutMillis());
            outbox.responded(new Frame.Response(frame.call(), late, HttpResponse.NONE));
            return;
        }
        long giveUpNanos = time.nanos() + Invocation.patienceNanos(leftMillis);
        Invocation invocation =
                Invocation.ofRequest(NO_REQUEST_EVENT, frame.request(), next.sinceMicros(), giveUpNanos);
        Reply reply = new Reply(frame.call(), outbox, () -> store(invocation), time, giveUpNanos);
        replies.put(frame.call(), reply);
        host.begin(invocation);
        InvocationResult ended = loaded.request(frame.request(), Duration.ofMillis(leftMillis), reply);
        replies.remove(frame.call());
        if (ended instanceof InvocationResult.InternalError broken) {
            if (halted) {
                return;
            }
            exit.now(WorkerExit.ENGINE_FAILED, broken.message() + " in OnRequest", broken.cause());
        }
        host.finish(invocation, ended instanceof InvocationResult.Success);
        HttpResponse response = reply.atTheEnd();
        Outcome outcome = outcomes.ofRequest(ended, leftMillis, response);
        invocation.ended(outcome);
        host.ended(outcome);
        long ran = version;
        handled.addLast(new Handled(() -> respond(frame.call(), invocation, response, ran), writes.made()));
        askForSignal();
    }

    /** Waits for what an invocation wrote so far, and reports what has waited for the same. */
    private void store(Invocation invocation) throws HostFailure {
        writes.store(invocation);
        report();
    }

    private void respond(long call, Invocation invocation, HttpResponse returned, long ran) {
        Outcome outcome = invocation.outcome();
        report(spans(invocation, outcome, ran));
        boolean succeeded = outcome.result() == Outcome.Result.SUCCESS;
        outbox.responded(new Frame.Response(call, outcome, succeeded ? returned : HttpResponse.NONE));
    }

    private void deploy(Frame.Deploy frame, Code.Loaded loaded) {
        long patience = Invocation.patienceNanos(frame.timeoutMillis());
        Invocation invocation = new Invocation(NO_EVENT, time.nanos() + patience);
        host.begin(invocation);
        InvocationResult ended = loaded.deploy(frame);
        if (ended instanceof InvocationResult.InternalError broken) {
            if (halted) {
                return;
            }
            exit.now(WorkerExit.ENGINE_FAILED, broken.message() + " in OnDeploy", broken.cause());
        }
        invocation.ended(outcomes.ofDeploy(ended, frame.timeoutMillis()));
        settleAll();
        if (!halted) {
            outbox.deployed(new Frame.Deployed(invocation.outcome()));
        }
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
        settle();
        for (CompletableFuture<?> answer = writes.nextAnswer();
                answer != null && !halted;
                answer = writes.nextAnswer()) {
            answer.handle((result, failure) -> true).join();
            settle();
        }
    }

    private void settle() {
        if (halted) {
            return;
        }
        writes.settle();
        StoreOutage outage = writes.outage();
        if (outage != null) {
            stop(outage);
        }
    }

    /** Ends the worker and leaves what is not settled to its successor: no event is to blame. */
    private void stop(StoreOutage outage) {
        report();
        reportNothing();
        log.add(LogLevel.WARNING, "Ends and begins again from the last settled events: " + outage.message());
        exit.now(outage.exit(), outage.message(), null);
    }

    /** Reports the batches and requests whose writes are settled. */
    private void report() {
        if (halted) {
            return;
        }
        for (Handled first = handled.peekFirst();
                first != null && writes.settled() >= first.writes();
                first = handled.peekFirst()) {
            handled.removeFirst();
            first.report().run();
        }
    }
}
