package io.millrace.eventing.producer;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentsException;
import io.millrace.eventing.checkpoint.Checkpoint;
import io.millrace.eventing.consumer.HandlerRejected;
import io.millrace.eventing.consumer.Pulse;
import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.delivery.OwnershipLost;
import io.millrace.eventing.metrics.Counters;
import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.eventing.metrics.FunctionLog;
import io.millrace.eventing.runtime.CanarySpec;
import io.millrace.eventing.runtime.CodeInsight;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.runtime.FunctionRuntime.DeployAction;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.RuntimeStats;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.eventing.runtime.WorkerNotes;
import io.millrace.rebalance.VbucketSet;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.LogLine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one function on this node until it is stopped: a {@link Pipeline}, and a new one whenever it fails.
 *
 * <pre>
 *  start                     first events flow               stop
 *  -----> STARTING ------------------------------> RUNNING ------> STOPPING ----> ended
 *            | rejected, missing bucket, stopped     |  ^  failed: next pipeline after a pause
 *            +----> ended, the start failed          +--+  ownership lost: claims its share again
 * </pre>
 */
final class Producer {

    private static final Logger LOG = LoggerFactory.getLogger(Producer.class);

    /** How often a node without a share checks whether it has one now. */
    private static final Duration SHARE_LOOK = Duration.ofMillis(100);

    /** How often such a node checks whether Redis still names it as an owner. */
    private static final Duration RELEASE_LOOK = Duration.ofSeconds(10);

    private static final Duration TIMERS_KNOWN_FOR = Duration.ofSeconds(10);

    /** How long the statistics of a function at rest are not asked for again: what it is to handle wakes it. */
    private static final Duration STATS_KNOWN_FOR = Duration.ofMinutes(5);

    /** Likewise those of one whose timers are pending, which other nodes may fire. */
    private static final Duration TIMER_STATS_KNOWN_FOR = Duration.ofMinutes(1);

    private volatile FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final NodeLeases leases;
    private final Pulse pulse;
    private final StartTurns turns;
    private final FunctionLog log;
    private final FunctionCounts counts;
    private final StopSignal stop = new StopSignal();
    private final Retry retry;
    private final FunctionBuckets buckets;
    private final Restarts restarts;
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    /** Whether the next pipeline need not wait until the code is loaded. */
    private boolean known;

    /** Null once OnDeploy need not be called any more. */
    private @Nullable DeployAction action;

    /** Set from the start of its workers on. */
    private volatile @Nullable Pipeline open;

    /** Set while events flow. */
    private volatile @Nullable Pipeline running;

    /** The canary, or null. */
    private volatile @Nullable CanaryWatch canary;

    /** The latest change of it. */
    private volatile CompletableFuture<Void> turning = CompletableFuture.completedFuture(null);

    private volatile Told told = new Told(System.nanoTime(), 0, false);
    private volatile boolean queued;
    private volatile long lastBacklog;
    private volatile long timersAskedNanos = System.nanoTime() - TIMERS_KNOWN_FOR.toNanos();
    private volatile RuntimeStats.TimerState lastTimers = RuntimeStats.TimerState.NONE;

    /**
     * How a function is started.
     *
     * @param action what OnDeploy is called with, null when it was called before
     * @param known whether the code has been loaded before, so that nothing need wait until it is
     */
    record Start(@Nullable DeployAction action, boolean known) {}

    Producer(
            FunctionSpec spec,
            Start how,
            RuntimeEnvironment environment,
            NodeLeases leases,
            Pulse pulse,
            StartTurns turns) {
        this.spec = spec;
        this.action = how.action();
        this.known = how.known();
        this.environment = environment;
        this.leases = leases;
        this.pulse = pulse;
        this.turns = turns;
        this.log = new FunctionReports(spec.name(), environment);
        this.counts = FunctionCounts.start(log, environment.clock());
        this.retry = new Retry(spec.name(), stop, environment.settings());
        this.buckets = new FunctionBuckets(spec, environment, retry);
        this.restarts = new Restarts(environment.settings(), System::nanoTime);
    }

    /** Completes when every worker is ready and events flow; if it fails, everything has ended. */
    CompletableFuture<Void> start() {
        Thread.ofVirtual().name("producer-" + spec.name()).start(this::run);
        return started.copy();
    }

    /** Stops after events in flight. Completes when everything has ended. */
    CompletableFuture<Void> stop() {
        stop.stop();
        return ended.copy();
    }

    CompletableFuture<Void> ended() {
        return ended.copy();
    }

    private void run() {
        Throwable failure = new CancellationException("The function was stopped");
        try {
            while (!stop.stopped()) {
                Throwable end = live();
                if (end == null || lastOne(end)) {
                    failure = end == null ? failure : end;
                    break;
                }
                Duration wait = end instanceof OwnershipLost.NoShare ? Duration.ZERO : restarts.next();
                report(end, wait);
                stop.await(wait);
            }
        } catch (Throwable e) {
            LOG.error("event=producer_crashed function={}", spec.name(), e);
            failure = e;
        }
        LOG.info("event=producer_ended function={}", spec.name());
        ended.complete(null);
        started.completeExceptionally(failure);
    }

    /** Returns whether another pipeline would be pointless. */
    private boolean lastOne(Throwable end) {
        return end instanceof CancellationException || !started.isDone();
    }

    private void report(Throwable end, Duration wait) {
        switch (end) {
            case OwnershipLost.NoShare none -> LOG.info("event=no_share function={}", spec.name());
            case OwnershipLost.WritesLost lost -> {
                LOG.warn("event=writes_lost function={} reason=\"{}\"", spec.name(), lost.getMessage());
                say("WARN", "The function continues from its last checkpoints: " + lost.getMessage());
            }
            case OwnershipLost other -> {
                LOG.error("event=ownership_lost function={} reason=\"{}\"", spec.name(), other.getMessage());
                say("ERROR", "This node stopped running the function: " + other.getMessage());
            }
            default -> {
                LOG.error("event=producer_failed function={} restart_in_ms={}", spec.name(), wait.toMillis(), end);
                say("ERROR", "The function failed and is being restarted: " + end.getMessage());
            }
        }
    }

    /** Waits until this node has a share, will get one soon, or must call OnDeploy; it has started once it has none for certain. */
    private void awaitShare() throws InterruptedException {
        long releaseAt = System.nanoTime();
        while (!stop.stopped() && action == null && environment.planned().isEmpty()) {
            if (environment.membership().known()) {
                started.complete(null);
                if (environment.membership().coming()) {
                    return;
                }
                if (System.nanoTime() - releaseAt >= 0) {
                    release();
                    releaseAt = System.nanoTime() + RELEASE_LOOK.toNanos();
                }
            }
            stop.await(SHARE_LOOK);
        }
    }

    /** Gives up vbuckets that Redis records for this node although it has no share. */
    private void release() throws InterruptedException {
        Checkpoints checkpoints = new Checkpoints(spec, environment, buckets.source());
        VbucketSet recorded = checkpoints.recorded(retry);
        if (!recorded.isEmpty()) {
            LOG.warn("event=unknown_vbuckets function={} vbuckets={} action=release", spec.name(), recorded);
            checkpoints.release(recorded, retry);
        }
    }

    /** Returns whether the workers are ready. */
    boolean warm() {
        Pipeline pipeline = open;
        return pipeline != null && pipeline.warm();
    }

    /** Returns whether the function waits for its turn to start. */
    boolean queued() {
        return queued;
    }

    /** Runs one pipeline; returns why it ended, null when it was stopped. */
    private @Nullable Throwable live() throws InterruptedException {
        try {
            awaitShare();
            if (stop.stopped()) {
                return null;
            }
            queued = true;
            try (StartTurns.Turn turn = turns.enter(stop)) {
                return live(turn);
            }
        } catch (CancellationException | DocumentsException e) {
            return e;
        } finally {
            queued = false;
        }
    }

    private @Nullable Throwable live(StartTurns.Turn turn) throws InterruptedException {
        queued = false;
        BucketInfo metadata = buckets.metadata();
        Pipeline pipeline = new Pipeline(
                spec.withTimerShards(metadata.shards()), environment, leases, pulse, counts, log, buckets.source());
        Throwable end;
        open = pipeline;
        try {
            // where there are other nodes, one of them has the vbuckets until this one can handle what comes
            Start how = new Start(action, known && !environment.shared());
            known = false; // after a failure the reason comes first
            pipeline.open(stop, retry, how, turn);
            turn.close();
            action = null;
            began(pipeline);
            restarts.began();
            if (started.complete(null)) {
                LOG.info(
                        "event=producer_started function={} workers={} threads={}",
                        spec.name(),
                        spec.workers().count(),
                        spec.workers().threads());
            }
            end = pipeline.awaitEnd(stop);
        } catch (ExecutionException e) {
            end = reason(Retry.cause(e));
        } catch (RuntimeException e) {
            end = e;
        }
        running = null;
        open = null;
        pipeline.close(!(end instanceof OwnershipLost.TakenOver || end instanceof OwnershipLost.LeaseExpired));
        return end;
    }

    static Throwable reason(Throwable failure) {
        return failure instanceof HandlerRejected rejected
                ? new DeployRejected(String.valueOf(rejected.getMessage()), rejected.line(), rejected.column())
                : failure;
    }

    private void say(String level, String text) {
        log.append(List.of(new LogLine(level, environment.clock().millis(), text)));
    }

    /** Returns the vbuckets that this node owns. */
    VbucketSet owned() {
        Pipeline pipeline = running;
        return pipeline == null ? VbucketSet.NONE : pipeline.owned();
    }

    /** Returns what is out of the ordinary about the workers. */
    WorkerNotes notes() {
        Pipeline pipeline = running;
        return pipeline == null ? WorkerNotes.NONE : pipeline.notes();
    }

    /** Completes with the vbuckets of every node, by owner. */
    CompletableFuture<SortedMap<String, VbucketSet>> owners() {
        return environment.checkpoints().read(spec.checkpoints()).thenApply(all -> {
            SortedMap<String, VbucketSet> owners = new TreeMap<>();
            for (Checkpoint checkpoint : all) {
                owners.merge(
                        checkpoint.owner(),
                        VbucketSet.range(checkpoint.vbucket(), checkpoint.vbucket()),
                        VbucketSet::plus);
            }
            return owners;
        });
    }

    /** Has OnRequest called, and counts that. Blocks as long as the link to the worker does. */
    CompletableFuture<RequestResult> request(HttpRequest request, Duration timeout) {
        Pipeline pipeline = running;
        return pipeline == null
                ? CompletableFuture.completedFuture(new RequestResult.NoWorker())
                : pipeline.request(request, timeout).whenComplete((result, failure) -> count(result));
    }

    /** Lets the workers take other code, and those that come after them; see {@link FunctionRuntime#swap}. */
    CompletableFuture<Void> swap(FunctionSpec next) {
        Pipeline pipeline = running;
        return pipeline == null
                ? CompletableFuture.failedFuture(
                        new IllegalStateException("Function '%s' is not running".formatted(next.name())))
                : pipeline.swap(next).thenRun(() -> {
                    spec = next;
                    LOG.info("event=code_swapped function={} version={}", next.name(), next.version());
                });
    }

    /** See {@link FunctionRuntime#canary}. */
    synchronized CompletableFuture<Void> canary(@Nullable CanarySpec next) {
        if (!turning.isDone()) {
            return turning.copy();
        }
        CanaryWatch watch = next == null ? null : new CanaryWatch(next, counts, log, environment.clock());
        Pipeline pipeline = running;
        if (pipeline == null) { // the next one begins with it
            fold(watch);
            return CompletableFuture.completedFuture(null);
        }
        turning = pipeline.canary(watch).thenRun(() -> {
            fold(watch);
            LOG.info(
                    "event=canary_changed function={} version={} vbuckets={}",
                    spec.name(),
                    next == null ? spec.version() : next.spec().version(),
                    next == null ? 0 : next.vbuckets().size());
        });
        return turning.copy();
    }

    /** Counts what a canary has counted as the function's own, and replaces it. */
    private void fold(@Nullable CanaryWatch next) {
        CanaryWatch before = canary;
        canary = next;
        if (before != null) {
            counts.add(before.counts());
        }
    }

    /** Gives a canary its vbuckets in a new pipeline; without success it is gone, until it is asked for again. */
    private synchronized void began(Pipeline pipeline) {
        running = pipeline;
        CanaryWatch watch = canary;
        if (watch != null) {
            turning = pipeline.canary(watch).exceptionally(failure -> {
                LOG.warn("event=canary_not_resumed function={} reason=\"{}\"", spec.name(), failure.toString());
                fold(null);
                return null;
            });
        }
    }

    /** Returns the canary that runs. */
    Optional<CanaryWatch> canary() {
        return Optional.ofNullable(canary);
    }

    private void count(RequestResult result) {
        switch (result) {
            case RequestResult.Answered answered -> counts.delivery().requested(answered.outcome());
            case RequestResult.Streamed streamed ->
                streamed.response().ended().thenAccept(counts.delivery()::requested);
            case RequestResult.WorkerEnded ignored ->
                counts.delivery().requestFailed("the worker ended before it had answered");
            case RequestResult.NoWorker ignored -> {}
        }
    }

    /** Returns the insight into the version that runs, and behind it that into its canary. */
    List<CodeInsight> insight() {
        CanaryWatch watch = canary;
        CodeInsight own = insight(spec, counts);
        return watch == null
                ? List.of(own)
                : List.of(own, insight(watch.canary().spec(), watch.counts()));
    }

    private static CodeInsight insight(FunctionSpec version, FunctionCounts counts) {
        return new CodeInsight(version.version(), version.code(), counts.insight(version.version()));
    }

    void resetStats() {
        counts.reset();
        canary().ifPresent(watch -> watch.counts().resetInsight());
    }

    /** Completes with the statistics; while Redis does not answer, the backlog is the last known one. */
    CompletableFuture<RuntimeStats> stats() {
        Pipeline pipeline = running;
        if (pipeline == null) {
            return CompletableFuture.completedFuture(stats(lastBacklog, RuntimeStats.TimerState.NONE, null));
        }
        PipelineStats now = pipeline.stats();
        long counted = counts.counters().sum();
        return now.backlog().exceptionally(failure -> lastBacklog).thenCombine(timers(now), (backlog, state) -> {
            lastBacklog = backlog;
            lastTimers = state;
            Duration known = state.pending() == 0 ? STATS_KNOWN_FOR : TIMER_STATS_KNOWN_FOR;
            told = new Told(System.nanoTime() + known.toNanos(), counted, backlog == 0 && canary == null);
            return stats(backlog, state, now);
        });
    }

    /**
     * The statistics that were given out last.
     *
     * @param untilNanos when they are old
     * @param counted how much had been counted
     * @param atRest whether nothing waited
     */
    private record Told(long untilNanos, long counted, boolean atRest) {}

    /** Returns whether the statistics may differ from the last ones: something was counted, or waits, or they are old. */
    boolean statsChanged() {
        Told last = told;
        return !last.atRest() || counts.counters().sum() != last.counted() || System.nanoTime() - last.untilNanos() > 0;
    }

    /** Counting timers asks every partition, so the last count is reported for a while. */
    private CompletableFuture<RuntimeStats.TimerState> timers(PipelineStats pipeline) {
        long now = System.nanoTime();
        if (now - timersAskedNanos < TIMERS_KNOWN_FOR.toNanos()) {
            return CompletableFuture.completedFuture(lastTimers);
        }
        timersAskedNanos = now;
        return pipeline.timers().exceptionally(failure -> lastTimers);
    }

    /** Returns the counts of both versions while there is a canary. */
    private FunctionCounts withCanary() {
        CanaryWatch watch = canary;
        if (watch == null) {
            return counts;
        }
        FunctionCounts both = FunctionCounts.start(log, environment.clock());
        both.add(counts);
        both.add(watch.counts());
        counts.timerLagMicros().snapshot().forEach(both.timerLagMicros()::record);
        return both;
    }

    private RuntimeStats stats(long backlog, RuntimeStats.TimerState timers, @Nullable PipelineStats pipeline) {
        FunctionCounts counts = withCanary();
        Map<String, Long> execution = counts.counters().snapshot(Counters.Block.EXECUTION);
        execution.put("agg_queue_size", pipeline == null ? 0 : pipeline.unacknowledged());
        execution.put("agg_queue_memory", pipeline == null ? 0 : pipeline.waitingBytes());
        return new RuntimeStats(
                execution,
                counts.counters().snapshot(Counters.Block.FAILURE),
                counts.counters().snapshot(Counters.Block.PROCESSING),
                backlog,
                pipeline == null ? 0 : pipeline.lagSeconds(),
                counts.latencyMicros().snapshot(),
                counts.queueMicros().snapshot(),
                counts.timerLagMicros().snapshot(),
                timers,
                pipeline == null ? List.of() : pipeline.workers());
    }
}
