package io.millrace.eventing.producer;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.VBuckets;
import io.millrace.eventing.consumer.Pulse;
import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.delivery.ConsumerGroup;
import io.millrace.eventing.delivery.Delivery;
import io.millrace.eventing.delivery.OwnershipLost;
import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.eventing.metrics.FunctionLog;
import io.millrace.eventing.runtime.FunctionRuntime.DeployAction;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.eventing.runtime.TopicMessages;
import io.millrace.eventing.runtime.WorkerNotes;
import io.millrace.eventing.timers.TimerGroups;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.ownership.OwnershipStep;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a function on this node: the consumers with their workers, the {@link Delivery} to them, and the loop that
 * claims vbuckets, gives them up and saves their checkpoints. A failure in any part ends the run; the producer then
 * starts another one from the checkpoints.
 */
final class Pipeline {

    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);
    private static final VbucketSet EVERY_VBUCKET = VbucketSet.range(0, VBuckets.COUNT - 1);
    private static final Runnable NOTHING = () -> {};

    /** For how long vbuckets are kept for workers that were killed: a process may take half of that to end them. */
    private static final Duration KILL_PATIENCE = Duration.ofMinutes(1);

    /** How often a function that waits for its share looks. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private final FunctionSpec spec;
    private final RuntimeEnvironment environment;
    private final FunctionLog log;
    private final NodeLeases leases;
    private final FunctionCounts counts;
    private final BucketInfo source;
    private final LeaseGate gate = new LeaseGate();
    private final ConsumerGroup consumers;
    private final CanaryTurns canaries;
    private final Checkpoints checkpoints;
    private final StopSignal stop = new StopSignal();
    private final Pulse pulse;
    private final Attention attention = new Attention();
    private final AtomicBoolean lapsed = new AtomicBoolean();
    private final Retry retry;
    private final CompletableFuture<Void> broken = new CompletableFuture<>();
    private volatile @Nullable Delivery delivery;
    private volatile @Nullable Thread owning;
    private volatile boolean warm;
    private final Settlement settlement;

    /** Completes when nothing needs to look at the lease and the plan any more. */
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private final SaveTimes saves;

    /** The run of Redis in which this function has compared its claims, as the lease names it. */
    private volatile String comparedRun = "";

    /** Whether a reader has ended because changes are gone that it had read. */
    private volatile boolean writesLost;

    /** Whether {@link #delivery} is from before a restart of Redis, which may have lost the effects of what it reached. */
    private volatile boolean outlived;

    Pipeline(
            FunctionSpec spec,
            RuntimeEnvironment environment,
            NodeLeases leases,
            Pulse pulse,
            FunctionCounts counts,
            FunctionLog log,
            BucketInfo source) {
        this.spec = spec;
        this.environment = environment;
        this.leases = leases;
        this.pulse = pulse;
        this.counts = counts;
        this.log = log;
        this.source = source;
        this.retry = new Retry(spec.name(), stop, environment.settings());
        this.settlement = new Settlement(environment);
        this.saves = new SaveTimes(spec.checkpointInterval());
        this.checkpoints = new Checkpoints(spec, environment, source);
        this.consumers = new ConsumerGroup(spec, environment, counts, log, gate::mayHandOut, this::acknowledged);
        this.canaries = new CanaryTurns(
                spec, environment, log, gate::mayHandOut, this::acknowledged, consumers, broken, stop, attention::call);
    }

    private void acknowledged(Event event, Outcome outcome) {
        Delivery current = delivery;
        if (current != null) {
            current.acknowledged(event, outcome);
            saves.handled();
        }
    }

    /**
     * Starts everything and returns when events flow. Unless the code is known, the workers load it first, so that a rejected handler
     * leaves no checkpoints behind.
     *
     * @param turn of this start; left before OnDeploy is called
     * @throws ExecutionException with the reason why a consumer could not start
     * @throws CancellationException when the producer is stopped meanwhile
     */
    void open(StopSignal producerStop, Retry opening, Producer.Start how, StartTurns.Turn turn)
            throws InterruptedException, ExecutionException {
        DeployAction action = how.action();
        CompletableFuture<Void> ready = how.known() ? consumers.startKnown() : consumers.start();
        CompletableFuture.anyOf(ready, producerStop.future()).get();
        if (producerStop.stopped()) {
            throw new CancellationException("The function is being stopped");
        }
        warm = true;
        while (action == null && environment.planned().isEmpty()) {
            turn.close(); // others start meanwhile
            if (!environment.membership().coming()) {
                throw new OwnershipLost.NoShare();
            }
            if (producerStop.await(LOOK)) {
                throw new CancellationException("The function is being stopped");
            }
        }
        NodeLeases.Held held = leases.of(spec.metadata().bucket(), opening);
        gate.open(held);
        comparedRun = held.run();
        VbucketSet planned = environment.planned();
        // a node that claims everything need not ask what is its own already
        VbucketSet recorded = planned.equals(EVERY_VBUCKET) ? planned : checkpoints.recorded(opening);
        // the deploying node sets the feed boundary of all vbuckets, so that it is the same moment on every node
        checkpoints.claim(action == null ? planned.plus(recorded) : EVERY_VBUCKET, opening);
        VbucketSet surplus = checkpoints.owned().minus(planned);
        opening.call("give_up", () -> checkpoints.giveUp(surplus, null));
        opening.call("open_timers", () -> environment.timers().open(TimerGroups.group(spec)));
        if (action != null) {
            if (spec.source().ofStream()) { // messages that come from here on are handled
                opening.call("join_topic", () -> TopicMessages.join(spec, environment.topics()));
            }
            turn.close(); // user code may take long
            OnDeployCall.call(consumers, action, environment.delivery().answerGrace(), producerStop);
        }
        consumers.crashed().exceptionally(failure -> {
            broken.completeExceptionally(failure);
            return null;
        });
        deliver(opening);
        saves.begin();
        pulse.until(closed, () -> look(held));
        owning = Thread.ofVirtual().name(spec.name() + "-owner").start(() -> {
            try {
                own(held);
            } catch (OwnershipLost.TakenOver e) {
                broken.completeExceptionally(whyFenced(e));
            } catch (Throwable e) {
                broken.completeExceptionally(e);
            }
        });
    }

    /** If Redis may have lost writes, the ownership that it recorded before cannot be trusted. */
    private OwnershipLost whyFenced(OwnershipLost.TakenOver fenced) {
        try {
            String lost = checkpoints.lostWrites(Objects.requireNonNull(delivery), retry);
            return lost.isEmpty() ? fenced : new OwnershipLost.WritesLost(lost);
        } catch (InterruptedException | RuntimeException e) {
            return fenced;
        }
    }

    private void deliver(Retry patience) throws InterruptedException {
        Delivery next = new Delivery(
                new Delivery.Shared(
                        spec, environment, source, consumers, counts, broken, gate::mayHandOut, this::writesLost),
                new Delivery.Share(checkpoints.owned(), checkpoints::epoch, checkpoints::saved));
        delivery = next;
        outlived = false;
        next.start(patience);
    }

    private void writesLost() {
        writesLost = true;
        attention.call();
    }

    /** Calls for what has to be done now; must not block. Returns whether there is nothing. */
    private boolean look(NodeLeases.Held held) {
        if (!held.held()) {
            if (environment.shared() && lapsed.compareAndSet(false, true)) {
                Thread.ofVirtual().name(spec.name() + "-lease").start(this::lapse);
            }
            return false; // the gate is closed until the lease is held again
        }
        if (!gate.compared(held.term())
                || gate.holdsBack()
                || saves.due(Objects.requireNonNull(delivery).moved())
                || writesLost
                || !held.run().equals(comparedRun)
                || !settlement.holds(checkpoints.owned())) {
            attention.call();
            return false;
        }
        return saves.atRest();
    }

    /**
     * Kills the workers because another node may have claimed their vbuckets: their writes must not come later. A separate
     * thread does this, because every other part, an orderly stop included, may be waiting for Redis at that time.
     */
    private void lapse() {
        try {
            broken.completeExceptionally(new OwnershipLost.LeaseExpired());
            consumers.kill(environment.delivery().shutdownTimeout());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Claims and gives up vbuckets until they are those of the plan, and saves checkpoints. */
    private void own(NodeLeases.Held held) throws InterruptedException {
        while (attention.await(stop)) {
            if (!held.held()) {
                continue; // if other nodes may have claimed vbuckets, this run ends
            }
            long term = held.term();
            if (!gate.compared(term)) {
                VbucketSet lost = checkpoints.lost(retry);
                if (!lost.isEmpty()) {
                    throw new OwnershipLost.TakenOver(lost.size());
                }
                gate.comparedIn(term);
            }
            if (gate.takeHeldBack()) {
                consumers.sendWaiting();
            }
            String run = held.run();
            if (writesLost || !run.equals(comparedRun) && checkpoints.restarted(retry)) {
                renew();
            }
            comparedRun = run;
            switch (environment.next(checkpoints.owned())) {
                case OwnershipStep.GiveUp(VbucketSet surplus) -> change(surplus, NOTHING);
                case OwnershipStep.TakeOver(VbucketSet missing) -> takeOver(missing);
                case OwnershipStep.Settled() -> {}
            }
            canaries.take(between -> change(VbucketSet.NONE, between));
            if (saves.takeSave(Objects.requireNonNull(delivery).moved())) {
                saveNow();
            }
            if (saves.takeNote()) {
                checkpoints.note(Objects.requireNonNull(delivery));
            }
        }
    }

    private void takeOver(VbucketSet missing) throws InterruptedException {
        try {
            if (!checkpoints.claim(missing, retry).isEmpty()) {
                change(VbucketSet.NONE, NOTHING);
            }
        } catch (OwnershipLost.WritesLost restarted) {
            renew();
        }
    }

    /** Continues with the same workers after Redis was restarted. */
    private void renew() throws InterruptedException {
        long began = System.nanoTime();
        Delivery last = finish();
        outlived = true;
        writesLost = false; // readers that find it later are those of the next delivery
        int count = checkpoints.owned().size();
        switch (checkpoints.renew(last, retry)) {
            case COMPLETE -> {}
            case GONE_BACK ->
                log.append(List.of(new LogLine(
                        "WARN",
                        environment.clock().millis(),
                        "The function handles its latest changes again: Redis was restarted or"
                                + " replaced and may have lost writes.")));
            case REFUSED -> throw new OwnershipLost.TakenOver(count);
        }
        consumers.resumeTaking();
        deliver(retry);
        LOG.info(
                "event=vbuckets_renewed function={} pause_ms={}",
                spec.name(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }

    /** Ends the delivery once events in flight are handled. */
    private Delivery finish() throws InterruptedException {
        Delivery last = Objects.requireNonNull(delivery);
        last.close();
        if (!consumers.drain(environment.settings().drainTimeout())) {
            throw new IllegalStateException("Events in flight did not end in time, so vbuckets cannot be given up");
        }
        last.awaitEnd();
        return last;
    }

    /**
     * Finishes events in flight, gives up the surplus vbuckets and continues with the rest.
     *
     * @param between runs while nothing is delivered
     */
    private void change(VbucketSet surplus, Runnable between) throws InterruptedException {
        long began = System.nanoTime();
        Delivery last = finish();
        retry.call("give_up", () -> checkpoints.giveUp(surplus, last));
        List<Integer> fenced = retry.call("save_checkpoints", () -> checkpoints.save(last));
        if (!fenced.isEmpty()) {
            throw new OwnershipLost.TakenOver(fenced.size());
        }
        if (checkpoints.owned().isEmpty() && environment.planned().isEmpty()) {
            throw new OwnershipLost.NoShare();
        }
        between.run();
        consumers.resumeTaking();
        deliver(retry);
        LOG.info(
                "event=vbuckets_changed function={} owned={} pause_ms={}",
                spec.name(),
                checkpoints.owned(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }

    /** Returns why the pipeline failed, or null when the producer was stopped. */
    @Nullable
    Throwable awaitEnd(StopSignal producerStop) throws InterruptedException {
        try {
            CompletableFuture.anyOf(broken, producerStop.future()).get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private void saveNow() throws InterruptedException {
        try {
            fence(
                    checkpoints.save(Objects.requireNonNull(delivery)),
                    environment.settings().lastSaveTimeout());
        } catch (OwnershipLost.TakenOver e) {
            if (!checkpoints.restarted(retry)) {
                throw e;
            }
            renew();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("event=checkpoint_failed function={} reason=\"{}\"", spec.name(), e.toString());
        }
    }

    private void fence(CompletableFuture<List<Integer>> save, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            List<Integer> fenced = save.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            if (!fenced.isEmpty()) {
                counts.counters().of("dcp_mutation_checkpoint_cas_mismatch").add(fenced.size());
                throw new OwnershipLost.TakenOver(fenced.size());
            }
        } catch (ExecutionException | TimeoutException e) {
            counts.counters().of("checkpoint_failure_count").increment();
            throw e;
        }
    }

    /**
     * Ends everything. An orderly end finishes events in flight and gives up the vbuckets with their checkpoints;
     * otherwise, or when events in flight take too long, the workers are killed first; when they do not even end then, the
     * vbuckets stay with this node. Vbuckets that another node has claimed meanwhile are left alone.
     */
    void close(boolean orderly) throws InterruptedException {
        try {
            end(orderly);
        } finally {
            closed.complete(null);
        }
    }

    private void end(boolean orderly) throws InterruptedException {
        stop.stop();
        attention.call();
        consumers.stopTaking();
        Delivery last = delivery;
        if (last != null) {
            last.close();
        }
        Duration patience = environment.delivery().shutdownTimeout().multipliedBy(2);
        // no worker may be at work on a vbucket when the next owner starts
        boolean atRest = orderly && consumers.drain(environment.settings().drainTimeout());
        boolean releases = atRest || consumers.kill(KILL_PATIENCE);
        if (last != null) {
            last.awaitEnd();
        }
        Thread owner = owning;
        if (owner != null) {
            owner.join();
        }
        canaries.close();
        // the loop may just have replaced it
        Delivery newest = delivery;
        if (newest != null && newest != last) {
            newest.close();
            newest.awaitEnd();
        }
        if (releases) {
            giveUpAll(outlived ? null : newest);
        }
        if (orderly) {
            consumers.close(patience);
        }
    }

    private void giveUpAll(@Nullable Delivery last) throws InterruptedException {
        long end = System.nanoTime() + environment.settings().lastSaveTimeout().toNanos();
        while (true) {
            long left = end - System.nanoTime();
            try {
                fence(checkpoints.giveUp(checkpoints.owned(), last), Duration.ofNanos(Math.max(1, left)));
                return;
            } catch (OwnershipLost.TakenOver e) {
                LOG.warn("event=fenced function={} reason=\"{}\"", spec.name(), e.getMessage());
                return;
            } catch (ExecutionException | TimeoutException e) {
                if (left <= 0) {
                    LOG.warn("event=last_checkpoint_failed function={} reason=\"{}\"", spec.name(), e.toString());
                    return;
                }
            }
            Thread.sleep(environment.settings().firstRetry());
        }
    }

    CompletableFuture<RequestResult> request(HttpRequest request, Duration timeout) {
        return consumers.request(request, timeout);
    }

    /** Has the workers take other code; see {@link ConsumerGroup#swap}. */
    CompletableFuture<Void> swap(FunctionSpec next) {
        int shards = spec.handler().timers().shards();
        return consumers.swap(next.withTimerShards(shards).setup(environment.redisUri(), environment.access()));
    }

    /** See {@link CanaryTurns#ask}. */
    CompletableFuture<Void> canary(@Nullable CanaryWatch next) {
        return canaries.ask(next);
    }

    /** Returns whether the workers are ready. */
    boolean warm() {
        return warm;
    }

    /** See {@link ConsumerGroup#notes}. */
    WorkerNotes notes() {
        return consumers.notes();
    }

    VbucketSet owned() {
        return checkpoints.owned();
    }

    /** Returns what statistics show of this pipeline. */
    PipelineStats stats() {
        return new PipelineStats(spec, environment, source, consumers, delivery);
    }
}
