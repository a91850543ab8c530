package io.millrace.worker;

import io.millrace.handler.Handler;
import io.millrace.handler.HandlerEngine;
import io.millrace.handler.HandlerRejected;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.NotLoaded;
import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.handler.host.NoHost;
import io.millrace.worker.bindings.BucketHost;
import io.millrace.worker.bindings.StoreQueue;
import io.millrace.worker.bindings.StoreWarmUp;
import io.millrace.worker.bindings.Time;
import io.millrace.worker.bindings.WriteBehind;
import io.millrace.worker.report.Counters;
import io.millrace.worker.report.LogBuffer;
import io.millrace.worker.report.Outbox;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkException;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerHeap;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One function in this process, and the conversation with the service about it: what the service sends is received on a
 * thread that never blocks on anything else, so that the end of the link is noticed at once and ends the worker.
 *
 * <pre>
 *            Init            Ready              Shutdown, or the link ends
 *  WAITING ------> STARTING ------> SERVING ------------------------------> ENDED
 *     |                |       Rejected                                       ^
 *     +----------------+------------------------------------------------------+
 * </pre>
 */
public final class Worker {

    private final String name;
    private final Link link;
    private final ProcessResources process;
    private final Exit exit;
    private final Exit processExit;
    private final Tryout tryout;
    private final Debugging debugging;
    private final CompletableFuture<WorkerExit> ended = new CompletableFuture<>();

    // guarded by this
    private boolean initialized;
    private boolean ending;
    private @Nullable Team team;

    /** The threads that run handlers, the one that reports for them, and what they share. */
    private record Team(
            List<HandlerLoop> loops,
            List<Thread> threads,
            Outbox outbox,
            Thread reporter,
            BucketHost.Shared shared,
            StoreQueue store,
            ProcessResources.Use stores) {}

    /**
     * @param name for its threads
     * @param exit ends the process for reasons that end it, and is ignored for others
     */
    public Worker(String name, Link link, ProcessResources process, Exit exit) {
        this.name = name;
        this.link = link;
        this.process = process;
        this.exit = this::leave;
        this.processExit = exit;
        this.tryout = new Tryout(process, link, exit);
        this.debugging = new Debugging(process, link, exit);
    }

    /** Ends the process, or this worker alone if the reason concerns no other. */
    private void leave(WorkerExit why, String message, @Nullable Throwable cause) {
        if (cause instanceof NotLoaded) {
            System.out.printf("event=code_not_loaded worker=%s reason=\"%s\"%n", name, cause.getMessage());
            end(WorkerExit.NOT_LOADED);
        } else if (why.endsTheHost()) {
            processExit.now(why, message, cause);
        } else {
            end(why);
        }
    }

    /** Serves the service until the link ends; {@link #ended} completes later. */
    public void serve(String runtime) {
        try {
            link.send(new Frame.Hello(ProcessHandle.current().pid(), runtime));
            for (Optional<Frame> next = link.receive(); next.isPresent(); next = link.receive()) {
                receive(next.get());
            }
            end(WorkerExit.PEER_GONE);
        } catch (LinkException e) {
            boolean closed = e.code() == LinkException.Code.TRUNCATED || e.code() == LinkException.Code.CLOSED;
            end(closed ? WorkerExit.PEER_GONE : WorkerExit.PROTOCOL);
        } catch (IOException e) {
            end(WorkerExit.PEER_GONE);
        }
    }

    /** Completes when no further write of this worker will leave and its threads have ended. */
    public CompletableFuture<WorkerExit> ended() {
        return ended;
    }

    private void receive(Frame frame) {
        Team current = team();
        switch (frame) {
            case Frame.Init init
            when initialize() ->
                HandlerEngine.newThread(name + "-starter", () -> start(fit(init.setup()), init.known()))
                        .start();
            case Frame.Try attempt
            when initialize() ->
                HandlerEngine.newThread(
                                name + "-trial", () -> attempt(attempt.setup(), fitted -> tryout.run(fitted, attempt)))
                        .start();
            case Frame.Debug debug
            when initialize() ->
                HandlerEngine.newThread(
                                name + "-debug", () -> attempt(debug.setup(), fitted -> debugging.run(fitted, debug)))
                        .start();
            case Frame.DebugMessage message -> debugging.receive(message.text());
            case Frame.Batch batch
            when current != null && batch.thread() < current.loops().size() ->
                current.loops().get(batch.thread()).submit(batch);
            case Frame.Deploy deploy
            when current != null -> current.loops().getFirst().submit(deploy);
            case Frame.Swap swap
            when current != null ->
                HandlerEngine.newThread(name + "-swap", () -> swap(current, fit(swap.setup())))
                        .start();
            case Frame.Request request
            when current != null && request.thread() < current.loops().size() ->
                current.loops().get(request.thread()).submit(request);
            case Frame.Taken taken
            when current != null && taken.thread() < current.loops().size() ->
                current.loops().get(taken.thread()).taken(taken);
            case Frame.Abandoned abandoned
            when current != null && abandoned.thread() < current.loops().size() ->
                current.loops().get(abandoned.thread()).abandoned(abandoned);
            case Frame.Shutdown ignored ->
                Thread.ofVirtual().name(name + "-finisher").start(() -> finish(current));
            default -> {
                System.out.printf(
                        "event=protocol_error worker=%s frame=%s%n",
                        name, frame.getClass().getSimpleName());
                end(WorkerExit.PROTOCOL);
            }
        }
    }

    private synchronized @Nullable Team team() {
        return team;
    }

    private synchronized boolean initialize() {
        boolean first = !initialized;
        initialized = true;
        return first;
    }

    private interface Attempt {
        void run(WorkerSetup setup) throws IOException;
    }

    private void attempt(WorkerSetup setup, Attempt attempt) {
        try {
            attempt.run(fit(setup));
        } catch (IOException e) {
            end(WorkerExit.PEER_GONE);
        } catch (RuntimeException | Error e) {
            if (!ending()) {
                exit.now(WorkerExit.DEFECT, "A trial of %s failed".formatted(setup.function()), e);
            }
        }
    }

    private synchronized boolean ending() {
        return ending;
    }

    /** Lowers the allocation limit to what the heap can hold, and logs that. */
    private WorkerSetup fit(WorkerSetup setup) {
        long limit = WorkerHeap.allocationLimit(setup, process.heapBytes());
        if (limit < setup.limits().allocationLimitBytes()) {
            System.out.printf(
                    "event=allocation_limit_lowered function=%s from_bytes=%d to_bytes=%d heap_bytes=%d threads=%d"
                            + " remedy=\"raise MILLRACE_WORKER_HEAP_MIB or use fewer threads\"%n",
                    setup.function(),
                    setup.limits().allocationLimitBytes(),
                    limit,
                    process.heapBytes(),
                    setup.limits().threads());
        }
        return setup.withAllocationLimitBytes(limit);
    }

    private void start(WorkerSetup setup, boolean known) {
        process.loads().begin();
        try {
            HandlerSpec spec = HandlerCode.spec(setup);
            if (known) {
                startKnown(setup, spec);
                return;
            }
            switch (process.engine().prepare(spec, new Trial())) {
                case HandlerRejected rejected -> reject(rejected);
                case Handler handler -> start(setup, spec, handler);
            }
        } catch (IOException e) {
            end(WorkerExit.PEER_GONE);
        } catch (RuntimeException | Error e) {
            exit.now(WorkerExit.DEFECT, "The worker of %s could not start".formatted(setup.function()), e);
        } finally {
            process.loads().end();
        }
    }

    private void start(WorkerSetup setup, HandlerSpec spec, Handler handler) throws IOException {
        List<HandlerLoop> loops = open(setup, new HandlerCode(handler, setup.sourceBucket()), handler.usesQueries());
        if (loops.isEmpty()) {
            return;
        }
        try {
            loops.getFirst().tryCode().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof NotLoaded
                    && process.engine().compile(spec, new Trial()) instanceof HandlerRejected rejected) {
                reject(rejected);
                return;
            }
            throw e;
        }
        link.send(new Frame.Ready());
        loadSoon(loops.subList(1, loops.size()));
    }

    /** Starts without reading the code: of two hundred functions that start at once most have nothing to do yet. */
    private void startKnown(WorkerSetup setup, HandlerSpec spec) throws IOException {
        Code code = new KnownCode(setup.sourceBucket(), () -> process.engine().prepare(spec, new Trial()));
        List<HandlerLoop> loops = open(setup, code, false);
        if (!loops.isEmpty()) {
            link.send(new Frame.Ready());
            loadSoon(loops);
        }
    }

    private void loadSoon(List<HandlerLoop> loops) {
        process.loads()
                .add(loops.stream().<LoadTurns.Load>map(loop -> loop::load).toList());
    }

    private void reject(HandlerRejected rejected) throws IOException {
        link.send(new Frame.Rejected(rejected.message(), rejected.line(), rejected.column()));
    }

    /** Lets the threads take other code if it can be loaded. */
    private void swap(Team current, WorkerSetup setup) {
        try {
            switch (process.engine().compile(HandlerCode.spec(setup), new Trial())) {
                case HandlerRejected rejected -> reject(rejected);
                case Handler handler -> {
                    if (handler.usesQueries()) {
                        current.shared().queries().warmUp();
                    }
                    HandlerCode code = new HandlerCode(handler, setup.sourceBucket());
                    CompletableFuture<?>[] swaps = current.loops().stream()
                            .map(loop -> loop.swap(code, setup.source().version()))
                            .toArray(CompletableFuture<?>[]::new);
                    CompletableFuture.allOf(swaps)
                            .thenRun(() -> current.outbox().swapped());
                }
            }
        } catch (IOException e) {
            end(WorkerExit.PEER_GONE);
        } catch (RuntimeException | Error e) {
            exit.now(WorkerExit.DEFECT, "The worker of %s could not take other code".formatted(setup.function()), e);
        }
    }

    /** The host of code that is loaded on trial. */
    private final class Trial extends NoHost {
        @Override
        public void stuck(String why) {
            exit.now(WorkerExit.STUCK, why, null);
        }
    }

    /** Starts the threads, which load the code when they are told to; returns none when the worker has been ended meanwhile. */
    private List<HandlerLoop> open(WorkerSetup setup, Code code, boolean usesQueries) {
        ProcessResources.Use stores = process.open(setup.redisUri());
        StoreQueue store = stores.queue();
        Counters counters = new Counters();
        BucketHost.Shared shared = BucketHost.Shared.of(setup, counters, store);
        StoreWarmUp.of(setup, store, shared);
        if (usesQueries) {
            shared.queries().warmUp();
        }
        LogBuffer log = new LogBuffer(InstantSource.system(), LogLevel.valueOf(setup.logLevel()), counters);
        Outbox outbox = new Outbox(link, log, counters, shared.insight(), System::nanoTime);
        Duration patience = Duration.ofMillis(setup.limits().writePatienceMillis());
        List<HandlerLoop> loops = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < setup.limits().threads(); n++) {
            WriteBehind writes = new WriteBehind(store, Time.SYSTEM, patience, counters);
            HandlerLoop loop = new HandlerLoop(setup, code, writes, log, counters, outbox, Time.SYSTEM, exit, shared);
            loops.add(loop);
            threads.add(HandlerEngine.newThread(name + "-" + n, loop));
        }
        Thread reporter = Thread.ofVirtual().name(name + "-reporter").unstarted(() -> report(outbox));
        synchronized (this) {
            if (ending) {
                shared.close();
                stores.close();
                return List.of();
            }
            team = new Team(loops, threads, outbox, reporter, shared, store, stores);
            reporter.start();
            threads.forEach(Thread::start);
        }
        return loops;
    }

    private void report(Outbox outbox) {
        try {
            outbox.run();
        } catch (IOException e) {
            end(WorkerExit.PEER_GONE);
        } catch (InterruptedException | RuntimeException e) {
            exit.now(WorkerExit.DEFECT, "The reporter failed", e);
        }
    }

    /** Answers what was received, and ends. */
    private void finish(@Nullable Team finishing) {
        try {
            if (finishing != null) {
                finishing.loops().forEach(HandlerLoop::finish);
                for (Thread thread : finishing.threads()) {
                    thread.join();
                }
                finishing.outbox().finish();
                finishing.reporter().join();
            }
            end(WorkerExit.DONE);
        } catch (InterruptedException e) {
            exit.now(WorkerExit.DEFECT, "Interrupted while finishing", e);
        }
    }

    /** Lets no further call to the store begin, and ends the worker on another thread. */
    public void end(WorkerExit why) {
        Team last;
        synchronized (this) {
            if (ending) {
                return;
            }
            ending = true;
            last = team;
            if (last != null) {
                last.loops().forEach(HandlerLoop::reportNothing); // not what the shut store refuses
                last.store().shut();
            }
        }
        tryout.end();
        Thread.ofVirtual().name(name + "-end").start(() -> end(last, why));
    }

    private void end(@Nullable Team last, WorkerExit why) {
        try {
            if (last != null) {
                halt(last);
            }
            // the link last: its end tells the service that this worker is gone
            link.close();
            ended.complete(why);
        } catch (InterruptedException | RuntimeException e) {
            exit.now(WorkerExit.DEFECT, "The worker could not be ended", e);
        }
    }

    private void halt(Team last) throws InterruptedException {
        long until = System.nanoTime() + WorkerLimits.END_PATIENCE.toNanos();
        for (int n = 0; n < last.threads().size(); n++) {
            Thread thread = last.threads().get(n);
            while (thread.isAlive()) {
                last.loops().get(n).halt();
                thread.interrupt();
                thread.join(WorkerLimits.END_LOOK);
                if (System.nanoTime() - until > 0) {
                    exit.now(WorkerExit.STUCK, "Thread '%s' cannot be ended".formatted(thread.getName()), null);
                }
            }
        }
        last.shared().close();
        last.store().awaitQuiet();
        last.stores().close();
        last.outbox().finish();
    }
}
