package io.millrace.worker;

import io.millrace.handler.Handler;
import io.millrace.handler.HandlerEngine;
import io.millrace.handler.HandlerEngine.Compilation;
import io.millrace.handler.HandlerRejected;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.worker.report.Counters;
import io.millrace.worker.report.LogBuffer;
import io.millrace.worker.report.Outbox;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HandlerSettings;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The conversation with the service: what it sends is received here, on a thread that never blocks on anything else, so
 * that the end of the link is noticed at once and ends the process.
 */
final class Worker {

    /** As the scope or collection of an alias: all of them. */
    static final String WILDCARD = "*";

    private final Link link;
    private final long heapBytes;
    private final Function<HandlerSpec, Compilation> compiler;
    private final Function<String, StoreQueue> stores;
    private final Exit exit;
    private volatile @Nullable Team team;

    /** The threads that run handlers, and the one that reports for them. */
    private record Team(List<HandlerLoop> loops, List<Thread> threads, Outbox outbox, Thread reporter) {}

    /**
     * @param heapBytes the heap that the threads share
     * @param stores opens the document store at a Redis URI; does not wait until there is one
     */
    Worker(
            Link link,
            long heapBytes,
            Function<HandlerSpec, Compilation> compiler,
            Function<String, StoreQueue> stores,
            Exit exit) {
        this.link = link;
        this.heapBytes = heapBytes;
        this.compiler = compiler;
        this.stores = stores;
        this.exit = exit;
    }

    /** Serves the service until the process ends. */
    void serve(String runtime) {
        try {
            link.send(new Frame.Hello(ProcessHandle.current().pid(), runtime));
            for (Optional<Frame> next = link.receive(); next.isPresent(); next = link.receive()) {
                receive(next.get());
            }
            exit.now(WorkerExit.PEER_GONE, "The service closed the link", null);
        } catch (LinkException e) {
            exit.now(
                    e.code() == LinkException.Code.TRUNCATED ? WorkerExit.PEER_GONE : WorkerExit.PROTOCOL,
                    "The link cannot be read",
                    e);
        } catch (IOException e) {
            exit.now(WorkerExit.PEER_GONE, "The link broke", e);
        }
    }

    private void receive(Frame frame) {
        Team current = team;
        switch (frame) {
            case Frame.Init init
            when current == null ->
                HandlerEngine.newThread("starter", () -> start(fit(init.setup())))
                        .start();
            case Frame.Batch batch
            when current != null && batch.thread() < current.loops().size() ->
                current.loops().get(batch.thread()).submit(batch);
            case Frame.Deploy deploy
            when current != null -> current.loops().getFirst().submit(deploy);
            case Frame.Shutdown ignored -> new Thread(() -> finish(current), "finisher").start();
            default -> exit.now(WorkerExit.PROTOCOL, "A %s frame is not allowed now".formatted(frame.getClass()), null);
        }
    }

    /** Lowers the allocation limit to what the heap can hold, and logs that. */
    private WorkerSetup fit(WorkerSetup setup) {
        long limit = WorkerHeap.allocationLimit(setup, heapBytes);
        if (limit < setup.limits().allocationLimitBytes()) {
            System.out.printf(
                    "event=allocation_limit_lowered function=%s from_bytes=%d to_bytes=%d heap_bytes=%d threads=%d"
                            + " remedy=\"raise MILLRACE_WORKER_HEAP_MIB or use fewer threads\"%n",
                    setup.function(),
                    setup.limits().allocationLimitBytes(),
                    limit,
                    heapBytes,
                    setup.limits().threads());
        }
        return setup.withAllocationLimitBytes(limit);
    }

    private void start(WorkerSetup setup) {
        try {
            switch (compiler.apply(spec(setup))) {
                case HandlerRejected rejected ->
                    link.send(new Frame.Rejected(rejected.message(), rejected.line(), rejected.column()));
                case Handler handler -> {
                    team = open(setup, new HandlerCode(handler, setup.sourceBucket()), handler.usesQueries());
                    link.send(new Frame.Ready(handler.entryPoints()));
                }
            }
        } catch (IOException e) {
            exit.now(WorkerExit.PEER_GONE, "The link broke", e);
        } catch (RuntimeException | Error e) {
            exit.now(WorkerExit.DEFECT, "The worker could not start", e);
        }
    }

    private static HandlerSpec spec(WorkerSetup setup) {
        LanguageCompatibility language = LanguageCompatibility.of(setup.source().languageCompatibility())
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no language compatibility " + setup.source().languageCompatibility()));
        return new HandlerSpec(
                setup.function(),
                setup.source().code(),
                setup.source().headers(),
                setup.source().footers(),
                Duration.ofMillis(setup.limits().executionTimeoutMillis()),
                setup.limits().allocationLimitBytes(),
                setup.source().strictDocuments(),
                language,
                setup.aliases().stream().map(Worker::alias).toList(),
                setup.handler().constants().stream()
                        .map(constant -> new HandlerSpec.Constant(constant.name(), constant.literal()))
                        .toList(),
                setup.handler().urls().stream().map(HandlerSettings.Url::name).toList());
    }

    private static HandlerSpec.Alias alias(WorkerSetup.Alias alias) {
        if (alias.scope().equals(WILDCARD) || alias.collection().equals(WILDCARD)) {
            return new HandlerSpec.Alias(alias.name(), HandlerSpec.Access.WILDCARD);
        }
        return new HandlerSpec.Alias(
                alias.name(), alias.writable() ? HandlerSpec.Access.READ_WRITE : HandlerSpec.Access.READ);
    }

    private Team open(WorkerSetup setup, Code code, boolean queries) {
        StoreQueue store = stores.apply(setup.redisUri());
        Counters counters = new Counters();
        BucketHost.Shared shared = BucketHost.Shared.of(setup, counters, store);
        StoreWarmUp.of(setup, store, shared);
        if (queries) {
            shared.queries().warmUp();
        }
        LogBuffer log = new LogBuffer(InstantSource.system(), LogLevel.valueOf(setup.logLevel()), counters);
        Outbox outbox = new Outbox(link, log, counters, shared.insight(), System::nanoTime);
        Duration patience = Duration.ofMillis(setup.writePatienceMillis());
        List<HandlerLoop> loops = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < setup.limits().threads(); n++) {
            WriteBehind writes = new WriteBehind(store, Time.SYSTEM, patience, counters);
            HandlerLoop loop = new HandlerLoop(setup, code, writes, log, counters, outbox, Time.SYSTEM, exit, shared);
            loops.add(loop);
            threads.add(HandlerEngine.newThread("handler-" + n, loop));
        }
        Thread reporter = new Thread(() -> report(outbox), "reporter");
        reporter.start();
        threads.forEach(Thread::start);
        loops.forEach(loop -> loop.ready().join());
        return new Team(loops, threads, outbox, reporter);
    }

    private void report(Outbox outbox) {
        try {
            outbox.run();
        } catch (IOException e) {
            exit.now(WorkerExit.PEER_GONE, "The link broke", e);
        } catch (InterruptedException | RuntimeException e) {
            exit.now(WorkerExit.DEFECT, "The reporter failed", e);
        }
    }

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
            exit.now(WorkerExit.DONE, "", null);
        } catch (InterruptedException e) {
            exit.now(WorkerExit.DEFECT, "Interrupted while finishing", e);
        }
    }
}
