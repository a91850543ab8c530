package io.millrace.worker.trial;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.ThreadMXBean;
import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.handler.Handler;
import io.millrace.handler.InvocationResult;
import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerStore.ListedTimer;
import io.millrace.timers.TimerStore.TimerQuery;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.worker.Exit;
import io.millrace.worker.HandlerCode;
import io.millrace.worker.WorkerLimits;
import io.millrace.worker.bindings.BucketHost;
import io.millrace.worker.bindings.Invocation;
import io.millrace.worker.bindings.StoreQueue;
import io.millrace.worker.bindings.Time;
import io.millrace.worker.bindings.WriteBehind;
import io.millrace.worker.report.Counters;
import io.millrace.worker.report.LogBuffer;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HandlerSettings.TimerSettings;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.WorkerSetup;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Code on trial: it runs on events with the bindings of a worker, and what it writes stays in the trial. For one thread, which
 * must come from {@link io.millrace.handler.HandlerEngine#newThread}.
 */
public final class Trial implements AutoCloseable {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** In place of an event while a request is answered. */
    private static final Event NO_EVENT = new Event(
            Event.Kind.MUTATION,
            new Event.Key("", "", "OnRequest", 0),
            new Event.Version(0, 0, 0),
            Event.Content.none());

    private final WorkerSetup setup;
    private final Answers answers;
    private final Effects effects = new Effects();
    private final Overlay documents;
    private final MemoryTimerStore timers = new MemoryTimerStore();
    private final TimerGroup group;
    private final @Nullable Moment moment;
    private final ExecutorService storeThread;
    private final BucketHost.Shared shared;
    private final WriteBehind writes;
    private final BucketHost host;
    private final TrialHost shownHost;
    private final HandlerCode.Loaded code;

    /**
     * Loads the code.
     *
     * @param below the documents that it finds; they are not changed
     * @param moment the clock that it sees, or null for that of the machine
     * @param exit called when an invocation cannot be stopped
     */
    public Trial(
            Handler handler,
            WorkerSetup setup,
            DocumentStore below,
            Answers answers,
            @Nullable Moment moment,
            Exit exit) {
        this.setup = answers.recording() == null ? setup : setup.withReadOnlyDatabases();
        this.answers = answers;
        this.moment = moment;
        InstantSource clock = moment == null ? InstantSource.system() : moment;
        this.documents = new Overlay(below, clock, effects);
        TimerSettings settings = setup.handler().timers();
        this.group = new TimerGroup(
                settings.bucket(), settings.shards(), settings.functionId(), setup.instance(), settings.partitions());
        timers.open(group).join();
        this.storeThread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("trial-store").factory());
        StoreQueue store = new StoreQueue(documents, timers, this::inOrder);
        Counters counters = new Counters();
        this.shared = BucketHost.Shared.of(this.setup, counters, store, clock);
        this.writes = new WriteBehind(
                store, Time.SYSTEM, Duration.ofMillis(setup.limits().writePatienceMillis()), counters);
        LogBuffer log = new LogBuffer(clock, LogLevel.ERROR, counters);
        this.host = new BucketHost(setup, writes, log, counters, shared);
        host.onExit(exit);
        this.shownHost = new TrialHost(host, setup, answers, effects, moment);
        this.code = new HandlerCode(handler, setup.sourceBucket()).open(shownHost);
        host.runs(code.statements());
    }

    /** Waits until a call has reached the stores: what the code does next must come after it among the effects. */
    private void inOrder(Runnable call) {
        CompletableFuture.runAsync(call, storeThread).join();
    }

    /** Changes a document as a client would, and returns the event of that change. */
    public Event change(Write write) {
        return event(documents.change(write).join().orElseThrow());
    }

    /** Returns the event of a document in its present state, deleted documents included. */
    public static Event event(Document document) {
        Instant expiry = document.expiry();
        Origin origin = document.origin();
        DocumentKey key = document.key();
        return new Event(
                switch (document.state()) {
                    case LIVE -> Event.Kind.MUTATION;
                    case DELETED -> Event.Kind.DELETION;
                    case EXPIRED -> Event.Kind.EXPIRATION;
                },
                new Event.Key(key.keyspace().scope(), key.keyspace().collection(), key.id(), key.vbucket()),
                new Event.Version(document.seqno(), document.cas(), origin == null ? 0 : origin.hops()),
                new Event.Content(
                        document.flags(),
                        expiry == null ? 0 : expiry.getEpochSecond(),
                        document.datatype() == Datatype.BINARY,
                        document.body(),
                        document.userXattrs(),
                        null));
    }

    /**
     * Returns the event of a timer that is due.
     *
     * @param context JSON, or null for undefined
     */
    public static Event timer(String callback, String reference, @Nullable String context, String opaque, long due) {
        return new Event(
                Event.Kind.TIMER,
                new Event.Key(callback, opaque, reference, 0),
                new Event.Version(0, due, 0),
                new Event.Content(
                        0, 0, context == null, context == null ? new byte[0] : context.getBytes(UTF_8), null, null));
    }

    /** Returns a document as effects show it. */
    public static JsonNode content(Document document) {
        return Effects.content(document);
    }

    /** Returns the time that the code sees. */
    public Instant now() {
        return moment == null ? Instant.now() : moment.instant();
    }

    /** Returns the documents as the code has left them. */
    public DocumentStore documents() {
        return documents;
    }

    /** Calls the handler and returns how that ended and what it would have done. */
    public ObjectNode handle(Event event) {
        Invocation invocation = new Invocation(event, giveUpNanos());
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.put("entry_point", entryPoint(event)).put("id", event.id());
        if (event.kind() == Event.Kind.APPENDED) {
            shown.put("index", event.cas());
        }
        run(invocation, () -> code.handle(event), shown);
        return shown;
    }

    /**
     * Calls OnRequest and returns how that ended, what the caller would get, and what the code would have done.
     *
     * @param id what the request is called among the invocations
     */
    public ObjectNode request(String id, HttpRequest request) {
        Invocation invocation = Invocation.ofRequest(NO_EVENT, request, 0, giveUpNanos());
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.put("entry_point", "OnRequest").put("id", id);
        TrialResponse response = new TrialResponse();
        Duration timeout = Duration.ofMillis(setup.limits().executionTimeoutMillis());
        InvocationResult ended = run(invocation, () -> code.request(request, timeout, response), shown);
        if (ended instanceof InvocationResult.Success && response.tooLarge()) {
            failed(shown, "threw", "OnRequest returned a body of more than 2 MiB", 0, 0);
        }
        shown.set("response", response.of(ended));
        return shown;
    }

    private long giveUpNanos() {
        return System.nanoTime() + Invocation.patienceNanos(setup.limits().executionTimeoutMillis());
    }

    private InvocationResult run(Invocation invocation, Supplier<InvocationResult> called, ObjectNode shown) {
        host.begin(invocation);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        InvocationResult ended = called.get();
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        host.finish(invocation, ended instanceof InvocationResult.Success);
        settle();
        shownHost.showPlans();
        describe(ended, shown);
        if (shown.has("line")) {
            shown.put("file", setup.source().typescript() ? "handler.ts" : "handler.js");
        }
        shown.put("micros", ended.micros()).put("allocated_bytes", allocated);
        effects.moveTo(shown);
        Recording recording = answers.recording();
        if (recording != null) {
            recording.moveTo(shown);
        }
        return ended;
    }

    /** Forgets what the code has done, so that the next event finds everything as the first one did. */
    public void reset() {
        documents.reset();
        timers.drop(group).join();
        timers.open(group).join();
        shared.forget();
        answers.reset();
    }

    /** Stops the invocation that runs. Called by another thread. */
    public void interrupt() {
        code.interrupt();
    }

    /** Waits until every write is carried out or given up. */
    private void settle() {
        writes.settle();
        for (var answer = writes.nextAnswer();
                answer != null && writes.outage() == null;
                answer = writes.nextAnswer()) {
            answer.handle((result, failure) -> true).join();
            writes.settle();
        }
    }

    private static String entryPoint(Event event) {
        return switch (event.kind()) {
            case MUTATION -> "OnUpdate";
            case DELETION, EXPIRATION -> "OnDelete";
            case TIMER -> event.scope();
            case APPENDED -> event.ofTopic() ? "OnMessage" : "OnEvent";
        };
    }

    private static void describe(InvocationResult ended, ObjectNode shown) {
        switch (ended) {
            case InvocationResult.Success ignored -> shown.put("result", "success");
            case InvocationResult.Skipped skipped ->
                shown.put("result", "skipped")
                        .put(
                                "error",
                                skipped.cause() == InvocationResult.Skipped.Cause.NO_ENTRY_POINT
                                        ? "The code has no such function"
                                        : "The document is binary");
            case InvocationResult.Threw threw ->
                failed(shown, "threw", threw.message(), threw.line(), threw.column())
                        .put("stack", threw.stack());
            case InvocationResult.TimedOut late ->
                failed(shown, "timed_out", "stopped because it ran too long", late.line(), late.column());
            case InvocationResult.OutOfMemory greedy ->
                failed(
                        shown,
                        "out_of_memory",
                        "stopped because it held too much memory",
                        greedy.line(),
                        greedy.column());
            case InvocationResult.InternalError broken ->
                throw new IllegalStateException(broken.message(), broken.cause());
        }
    }

    private static ObjectNode failed(ObjectNode shown, String result, String message, int line, int column) {
        return shown.put("result", result)
                .put("error", message)
                .put("line", line)
                .put("column", column);
    }

    /** Lets time pass and calls the callbacks of the timers that become due, earliest first. */
    public List<ObjectNode> advance(Duration by) {
        Moment clock = Objects.requireNonNull(moment, "The clock of the machine cannot be advanced");
        Instant end = clock.instant().plus(by);
        List<ObjectNode> called = new ArrayList<>();
        for (Timer due = next(end); due != null; due = next(end)) {
            if (called.size() == WorkerLimits.MAX_TRIAL_TIMERS) {
                throw new IllegalArgumentException(
                        "More than %d timers are due; does a callback create one that is due at once?"
                                .formatted(WorkerLimits.MAX_TRIAL_TIMERS));
            }
            clock.reach(Instant.ofEpochMilli(due.due()));
            timers.cancel(group, due.id()).join();
            if (!due.staleAt(clock.millis())) {
                called.add(handle(
                        timer(due.id().callback(), due.id().reference(), due.context(), due.opaque(), due.firstDue())));
            }
        }
        clock.reach(end);
        return called;
    }

    private @Nullable Timer next(Instant until) {
        TimerQuery query = new TimerQuery(null, null, null, 0, until.toEpochMilli(), null, 1);
        List<ListedTimer> due = timers.list(group, query).join();
        return due.isEmpty() ? null : due.getFirst().timer();
    }

    /** Returns the timers that wait, in the order in which they are due. */
    public List<Timer> timers() {
        return timers.list(group, TimerQuery.first(WorkerLimits.MAX_TRIAL_EFFECTS)).join().stream()
                .map(ListedTimer::timer)
                .toList();
    }

    @Override
    public void close() {
        code.close();
        host.close();
        shared.close();
        storeThread.shutdownNow();
    }
}
