package io.millrace.eventing.functions;

import io.millrace.eventing.consumer.DebugRun;
import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.runtime.CanaryReport;
import io.millrace.eventing.runtime.CanarySpec;
import io.millrace.eventing.runtime.CodeInsight;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.runtime.FunctionRuntime.DeployAction;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.RuntimeStats;
import io.millrace.eventing.runtime.WorkerNotes;
import io.millrace.rebalance.VbucketSet;
import io.millrace.timers.Timer;
import io.millrace.timers.firing.TimerScanner.PartitionScan;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A runtime that runs nothing: starts succeed at once unless a test says otherwise. */
public final class FakeRuntime implements FunctionRuntime {

    private record Running(FunctionSpec spec, CompletableFuture<Void> started) {}

    private final Map<String, Running> functions = new ConcurrentHashMap<>();
    private final Map<String, Optional<DeployAction>> actions = new ConcurrentHashMap<>();
    private final Map<String, VbucketSet> owned = new ConcurrentHashMap<>();
    private final Map<String, SortedMap<String, VbucketSet>> owners = new ConcurrentHashMap<>();
    private final Map<String, List<CodeInsight>> insights = new ConcurrentHashMap<>();
    private final Map<String, WorkerNotes> notes = new ConcurrentHashMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile Function<FunctionSpec, CompletableFuture<Void>> start =
            spec -> CompletableFuture.completedFuture(null);
    private volatile Function<HttpRequest, CompletableFuture<RequestResult>> answer =
            request -> CompletableFuture.completedFuture(new RequestResult.NoWorker());
    private final Map<String, CanarySpec> canaries = new ConcurrentHashMap<>();
    private volatile Function<CanarySpec, CompletableFuture<Void>> canaryStart =
            canary -> CompletableFuture.completedFuture(null);
    private volatile @Nullable CanaryReport canaryReport;
    private final AtomicInteger queueLooks = new AtomicInteger();
    private volatile boolean queued;
    private volatile boolean known;
    private volatile Function<FunctionSpec, CompletableFuture<Void>> swap = FakeRuntime::cannotSwap;
    private volatile CompletableFuture<Void> hold = CompletableFuture.completedFuture(null);
    private final List<String> debugged = new CopyOnWriteArrayList<>();
    private final List<String> dryRunAnswers = new CopyOnWriteArrayList<>();
    private volatile BiFunction<FunctionSpec, List<Event>, List<String>> dryRun = (spec, events) -> List.of();
    private volatile Function<FunctionSpec, CompletableFuture<Optional<Outcome>>> draftReplay =
            spec -> CompletableFuture.completedFuture(Optional.empty());

    @Override
    public void known() {
        known = true;
    }

    boolean isKnown() {
        return known;
    }

    /** Lets starts from now on wait for their turn, or not. */
    public void queue(boolean newQueued) {
        queued = newQueued;
    }

    @Override
    public boolean queued(String name) {
        queueLooks.incrementAndGet();
        return queued;
    }

    /** Returns how often this runtime was asked whether starts wait for their turn. */
    public int queueLooks() {
        return queueLooks.get();
    }

    /** What OnDeploy was to be called with at the last start. */
    public Optional<DeployAction> action(String function) {
        return actions.getOrDefault(function, Optional.empty());
    }

    /** Decides how starts go from now on. */
    public void onStart(Function<FunctionSpec, CompletableFuture<Void>> newStart) {
        start = newStart;
    }

    /** Decides what this node has of a function. */
    public void has(String function, VbucketSet here) {
        owned.put(function, here);
    }

    /** Decides who has what of a function. */
    public void has(String function, Map<String, VbucketSet> byNode) {
        owners.put(function, new TreeMap<>(byNode));
    }

    /** Makes every stop from now on end when this does. */
    public void holdStops(CompletableFuture<Void> newHold) {
        hold = newHold;
    }

    /** Makes starts succeed at once again, and forgets what was asked. */
    public void reset() {
        calls.clear();
        debugged.clear();
        canaries.clear();
        canaryReport = null;
        canaryStart = canary -> CompletableFuture.completedFuture(null);
        owned.clear();
        owners.clear();
        insights.clear();
        notes.clear();
        start = spec -> CompletableFuture.completedFuture(null);
        swap = FakeRuntime::cannotSwap;
    }

    private static CompletableFuture<Void> cannotSwap(FunctionSpec spec) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("no swap of " + spec.name()));
    }

    /** Returns what was asked for a function: {@code start}, {@code stop}, {@code remove}. */
    public List<String> calls(String function) {
        List<String> found = new ArrayList<>();
        calls.forEach(call -> {
            if (call.endsWith(" " + function)) {
                found.add(call.substring(0, call.indexOf(' ')));
            }
        });
        return found;
    }

    public Optional<FunctionSpec> spec(String function) {
        return Optional.ofNullable(functions.get(function)).map(Running::spec);
    }

    /** Decides how drafts end from now on. */
    public void onDraftReplay(Function<FunctionSpec, CompletableFuture<Optional<Outcome>>> newReplay) {
        draftReplay = newReplay;
    }

    @Override
    public CompletableFuture<List<Optional<Outcome>>> tryOut(
            FunctionSpec draft, List<DeadLetter> letters, List<Timer> timers, Duration limit) {
        CompletableFuture<List<Optional<Outcome>>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (int i = 0; i < letters.size() + timers.size(); i++) {
            all = all.thenCombine(draftReplay.apply(draft), (before, outcome) -> {
                before.add(outcome);
                return before;
            });
        }
        return all;
    }

    /** Decides what becomes of requests from now on. */
    public void onRequest(Function<HttpRequest, CompletableFuture<RequestResult>> newAnswer) {
        answer = newAnswer;
    }

    @Override
    public CompletableFuture<RequestResult> request(String name, HttpRequest request, Duration timeout) {
        return answer.apply(request);
    }

    /** Sets what a dry run says about the events that it gets. */
    public void onDryRun(BiFunction<FunctionSpec, List<Event>, List<String>> newDryRun) {
        dryRun = newDryRun;
    }

    /** Returns what the code would get in the dry runs so far, as JSON. */
    public List<String> dryRunAnswers() {
        return dryRunAnswers;
    }

    @Override
    public CompletableFuture<List<byte[]>> dryRun(FunctionSpec draft, List<Event> events, byte[] answers) {
        dryRunAnswers.add(new String(answers, StandardCharsets.UTF_8));
        return CompletableFuture.completedFuture(dryRun.apply(draft, events).stream()
                .map(json -> json.getBytes(StandardCharsets.UTF_8))
                .toList());
    }

    @Override
    public CompletableFuture<DebugRun> debug(FunctionSpec draft, Event event, byte[] answers, Duration limit) {
        debugged.add(event.id() + ": " + draft.code());
        return FunctionRuntime.super.debug(draft, event, answers, limit);
    }

    /** Returns the ids of the documents, each with the code, that debuggers were asked for. */
    public List<String> debugged() {
        return List.copyOf(debugged);
    }

    /** Ends a function as a crash would. */
    public void lose(String function) {
        functions.remove(function);
    }

    @Override
    public CompletableFuture<Void> start(FunctionSpec spec, @Nullable DeployAction action) {
        actions.put(spec.name(), Optional.ofNullable(action));
        calls.add("start " + spec.name());
        CompletableFuture<Void> started = start.apply(spec);
        if (functions.putIfAbsent(spec.name(), new Running(spec, started)) != null) {
            return CompletableFuture.failedFuture(new IllegalStateException("runs already: " + spec.name()));
        }
        started.whenComplete((done, failure) -> {
            if (failure != null) {
                functions.remove(spec.name());
            }
        });
        return started;
    }

    /** Decides how changes of code go from now on; before, they are not possible. */
    public void onSwap(Function<FunctionSpec, CompletableFuture<Void>> newSwap) {
        swap = newSwap;
    }

    @Override
    public CompletableFuture<Void> swap(FunctionSpec spec) {
        calls.add("swap " + spec.name());
        return swap.apply(spec)
                .thenRun(() -> functions.computeIfPresent(
                        spec.name(), (name, running) -> new Running(spec, running.started())));
    }

    /** Decides what the canaries of functions have done. */
    public void onCanaryReport(@Nullable CanaryReport newReport) {
        canaryReport = newReport;
    }

    /** Decides how the starts of canaries go from now on. */
    public void onCanary(Function<CanarySpec, CompletableFuture<Void>> newStart) {
        canaryStart = newStart;
    }

    @Override
    public CompletableFuture<Void> canary(String name, @Nullable CanarySpec canary) {
        calls.add((canary == null ? "canary-end " : "canary ") + name);
        if (canary == null) {
            canaries.remove(name);
            return CompletableFuture.completedFuture(null);
        }
        return canaryStart.apply(canary).thenRun(() -> canaries.put(name, canary));
    }

    @Override
    public Optional<CanarySpec> canary(String name) {
        return Optional.ofNullable(canaries.get(name));
    }

    @Override
    public Optional<CanaryReport> canaryReport(String name) {
        return canary(name).flatMap(running -> Optional.ofNullable(canaryReport));
    }

    @Override
    public CompletableFuture<Void> stop(String name) {
        return hold.thenRun(() -> {
            canaries.remove(name);
            Running running = functions.remove(name);
            if (running != null) {
                calls.add("stop " + name);
                running.started().completeExceptionally(new CancellationException("stopped"));
            }
        });
    }

    @Override
    public CompletableFuture<Void> remove(FunctionSpec spec) {
        calls.add("remove " + spec.name());
        functions.remove(spec.name());
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean lapsed() {
        return false;
    }

    /** Decides what is out of the ordinary about the workers of a function. */
    public void notes(String function, WorkerNotes found) {
        notes.put(function, found);
    }

    @Override
    public WorkerNotes notes(String name) {
        return notes.getOrDefault(name, WorkerNotes.NONE);
    }

    @Override
    public Map<String, VbucketSet> owned() {
        return owned;
    }

    @Override
    public CompletableFuture<Optional<SortedMap<String, VbucketSet>>> owners(String name) {
        return CompletableFuture.completedFuture(Optional.ofNullable(owners.get(name)));
    }

    @Override
    public Set<String> warm() {
        return running();
    }

    @Override
    public Set<String> running() {
        return Set.copyOf(functions.keySet());
    }

    @Override
    public CompletableFuture<Optional<RuntimeStats>> stats(String name) {
        return CompletableFuture.completedFuture(spec(name)
                .map(spec -> new RuntimeStats(
                        Map.of(
                                "on_update_success",
                                5L,
                                "on_update_failure",
                                1L,
                                "extra_counter",
                                2L,
                                "curl.get",
                                3L,
                                "curl_latency_stats.200",
                                3L,
                                "lcb_exception_stats.13",
                                4L),
                        Map.of("timeout_count", 1L),
                        Map.of("dcp_mutation_sent_to_worker", 6L),
                        42,
                        17,
                        new TreeMap<>(Map.of(200L, 4L, 1_500L, 2L)),
                        Map.of(100L, 6L),
                        Map.of(2_000L, 3L),
                        new RuntimeStats.TimerState(7, 1, List.of(new PartitionScan(3, 1, 1000, 2000, 2))),
                        List.of(new RuntimeStats.Worker(
                                "worker_" + name + "_0", 4711, "interpreted", "", VbucketSet.range(0, 1023))))));
    }

    /** Says what the versions of functions have done by line. */
    public void insight(String function, CodeInsight... versions) {
        insights.put(function, List.of(versions));
    }

    @Override
    public List<CodeInsight> insight(String name) {
        return insights.getOrDefault(name, List.of());
    }

    @Override
    public void resetStats(String name) {
        calls.add("resetStats " + name);
    }
}
