package io.millrace.eventing.producer;

import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.consumer.DebugRun;
import io.millrace.eventing.consumer.Pulse;
import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.runtime.CanaryReport;
import io.millrace.eventing.runtime.CanarySpec;
import io.millrace.eventing.runtime.CodeInsight;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.runtime.FunctionRuntime.DeployAction;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.RuntimeStats;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.eventing.runtime.TopicMessages;
import io.millrace.eventing.runtime.WorkerNotes;
import io.millrace.eventing.timers.TimerGroups;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.VbucketSet;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a {@link Producer} for each function of this node. */
final class SuperSupervisor implements FunctionRuntime, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SuperSupervisor.class);

    /** How often functions compare their vbuckets with the plan, and their lease with the clock. */
    private static final Duration LOOK = Duration.ofMillis(100);

    /** How long those do not that had nothing to do, unless a lease or the layout changes. */
    private static final Duration REST = Duration.ofMillis(500);

    private final RuntimeEnvironment environment;
    private final NodeLeases leases;
    private final Map<String, Producer> producers = new ConcurrentHashMap<>();
    private final Pulse pulse;
    private final StartTurns turns = new StartTurns();

    /** The functions that this service has started since its own start. */
    private final Set<String> everStarted = ConcurrentHashMap.newKeySet();

    private final CompletableFuture<Void> known = new CompletableFuture<>();
    private final StopSignal closing = new StopSignal();

    /** What all functions of this node depend on. */
    private record Shared(Layout layout, List<NodeLeases.Standing> leases) {}

    SuperSupervisor(RuntimeEnvironment environment, NodeLeases leases) {
        this.environment = environment;
        this.leases = leases;
        this.pulse =
                new Pulse(LOOK, REST, () -> new Shared(environment.membership().layout(), leases.standings()));
    }

    @Override
    public void known() {
        known.complete(null);
    }

    /** Completes when the functions are known which this node is to start again. */
    CompletableFuture<Void> whenKnown() {
        return known.copy();
    }

    @Override
    public CompletableFuture<Void> start(FunctionSpec spec, @Nullable DeployAction action) {
        everStarted.add(spec.name());
        return start(spec, action, false);
    }

    @Override
    public CompletableFuture<Void> startAgain(FunctionSpec spec) {
        return start(spec, null, everStarted.add(spec.name()));
    }

    private CompletableFuture<Void> start(FunctionSpec spec, @Nullable DeployAction action, boolean known) {
        Producer producer = new Producer(spec, new Producer.Start(action, known), environment, leases, pulse, turns);
        if (closing.stopped()) {
            return CompletableFuture.failedFuture(new CancellationException("The service is shutting down"));
        }
        if (producers.putIfAbsent(spec.name(), producer) != null) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("Function '%s' is already running".formatted(spec.name())));
        }
        CompletableFuture<Void> started = new CompletableFuture<>();
        producer.ended().whenComplete((ended, failure) -> producers.remove(spec.name(), producer));
        producer.start().whenComplete((ready, failure) -> {
            if (failure == null) {
                started.complete(null);
            } else {
                producers.remove(spec.name(), producer);
                started.completeExceptionally(cause(failure));
            }
        });
        return started;
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    @Override
    public CompletableFuture<Void> swap(FunctionSpec spec) {
        Producer producer = producers.get(spec.name());
        if (producer == null) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("Function '%s' is not running".formatted(spec.name())));
        }
        return producer.swap(spec)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(Producer.reason(cause(failure))));
    }

    @Override
    public CompletableFuture<Void> canary(String name, @Nullable CanarySpec canary) {
        Producer producer = producers.get(name);
        if (producer == null) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("Function '%s' is not running".formatted(name)));
        }
        return producer.canary(canary)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(Producer.reason(cause(failure))));
    }

    @Override
    public Optional<CanarySpec> canary(String name) {
        return watch(name).map(CanaryWatch::canary);
    }

    @Override
    public Optional<CanaryReport> canaryReport(String name) {
        return watch(name).map(CanaryWatch::report);
    }

    private Optional<CanaryWatch> watch(String name) {
        Producer producer = producers.get(name);
        return producer == null ? Optional.empty() : producer.canary();
    }

    @Override
    public CompletableFuture<Void> stop(String name) {
        Producer producer = producers.get(name);
        return producer == null
                ? CompletableFuture.completedFuture(null)
                : producer.stop().thenRun(() -> producers.remove(name, producer));
    }

    @Override
    public CompletableFuture<Void> remove(FunctionSpec spec) {
        return stop(spec.name()).thenCompose(stopped -> deleteCheckpoints(spec));
    }

    private CompletableFuture<Void> deleteCheckpoints(FunctionSpec spec) {
        CheckpointGroup group = spec.checkpoints();
        Retry retry = new Retry(spec.name(), closing, environment.settings());
        CompletableFuture<Void> deleted = new CompletableFuture<>();
        Thread.ofVirtual().name("remove-" + spec.name()).start(() -> {
            try {
                dropTimers(spec, retry);
                if (spec.source().ofStream()) {
                    retry.call(
                            "leave_topic",
                            () -> environment.topics().leave(spec.source().topic(), TopicMessages.group(spec)));
                }
                retry.call("drop_dead_letters", () -> environment.deadLetters().deleteAll(group));
                retry.call("drop_last_handled", () -> environment.lastHandled().deleteAll(group));
                retry.call("delete_checkpoints", () -> environment.checkpoints().deleteAll(group));
                deleted.complete(null);
            } catch (Throwable e) {
                deleted.completeExceptionally(e);
            }
        });
        return deleted;
    }

    private void dropTimers(FunctionSpec spec, Retry retry) throws InterruptedException {
        List<TimerGroup> groups = retry.call(
                "find_timers",
                () -> TimerGroups.groups(spec, environment.documents().catalog()));
        for (TimerGroup group : groups) {
            retry.call("drop_timers", () -> environment.timers().drop(group));
        }
    }

    @Override
    public CompletableFuture<List<Optional<Outcome>>> tryOut(
            FunctionSpec draft, List<DeadLetter> letters, List<Timer> timers, Duration limit) {
        return replay(draft, replay -> replay.run(letters, timers, limit));
    }

    @Override
    public CompletableFuture<List<byte[]>> dryRun(FunctionSpec draft, List<Event> events, byte[] answers) {
        return replay(draft, replay -> replay.dry(events, answers));
    }

    @Override
    public CompletableFuture<DebugRun> debug(FunctionSpec draft, Event event, byte[] answers, Duration limit) {
        return replay(draft, replay -> replay.debug(event, answers, limit));
    }

    private interface ReplayCall<T> {
        T on(DraftReplay replay) throws Exception;
    }

    private <T> CompletableFuture<T> replay(FunctionSpec draft, ReplayCall<T> call) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        Thread.ofVirtual().name("draft-" + draft.name()).start(() -> {
            try {
                outcome.complete(call.on(new DraftReplay(draft, environment)));
            } catch (Throwable e) {
                outcome.completeExceptionally(e);
            }
        });
        return outcome;
    }

    @Override
    public Set<String> running() {
        return Collections.unmodifiableSet(producers.keySet());
    }

    @Override
    public boolean queued(String name) {
        Producer producer = producers.get(name);
        return producer != null && producer.queued();
    }

    /** Returns whether functions are being started, or wait for their turn. */
    boolean crowded() {
        return turns.crowded();
    }

    @Override
    public Set<String> warm() {
        return producers.entrySet().stream()
                .filter(producer -> producer.getValue().warm())
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public WorkerNotes notes(String name) {
        Producer producer = producers.get(name);
        return producer == null ? WorkerNotes.NONE : producer.notes();
    }

    @Override
    public Map<String, VbucketSet> owned() {
        Map<String, VbucketSet> owned = new TreeMap<>();
        producers.forEach((name, producer) -> owned.put(name, producer.owned()));
        return owned;
    }

    @Override
    public CompletableFuture<Optional<SortedMap<String, VbucketSet>>> owners(String name) {
        Producer producer = producers.get(name);
        return producer == null
                ? CompletableFuture.completedFuture(Optional.empty())
                : producer.owners().thenApply(Optional::of);
    }

    @Override
    public CompletableFuture<Optional<RuntimeStats>> stats(String name) {
        Producer producer = producers.get(name);
        return producer == null
                ? CompletableFuture.completedFuture(Optional.empty())
                : producer.stats().thenApply(Optional::of);
    }

    @Override
    public boolean statsChanged(String name) {
        Producer producer = producers.get(name);
        return producer == null || producer.statsChanged();
    }

    @Override
    public List<CodeInsight> insight(String name) {
        Producer producer = producers.get(name);
        return producer == null ? List.of() : producer.insight();
    }

    @Override
    public CompletableFuture<RequestResult> request(String name, HttpRequest request, Duration timeout) {
        Producer producer = producers.get(name);
        return producer == null
                ? CompletableFuture.completedFuture(new RequestResult.NoWorker())
                : producer.request(request, timeout);
    }

    @Override
    public void resetStats(String name) {
        Producer producer = producers.get(name);
        if (producer != null) {
            producer.resetStats();
        }
    }

    @Override
    public boolean ready() {
        return environment.workers().ready();
    }

    @Override
    public boolean lapsed() {
        return leases.lapsed();
    }

    /** Stops every function after its events in flight, and waits for that. */
    @Override
    public void close() {
        closing.stop();
        LOG.info("event=stopping functions={}", producers.keySet());
        CompletableFuture.allOf(producers.values().stream().map(Producer::stop).toArray(CompletableFuture[]::new))
                .join();
        leases.close();
    }
}
