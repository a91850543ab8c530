package io.millrace.eventing.functions;

import io.millrace.documents.DocumentsException;
import io.millrace.eventing.applog.FunctionLogs;
import io.millrace.eventing.consumer.Backoff;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.Setting;
import io.millrace.eventing.functions.FunctionState.Deployed;
import io.millrace.eventing.functions.FunctionState.Deploying;
import io.millrace.eventing.functions.FunctionState.Failure;
import io.millrace.eventing.functions.FunctionState.Paused;
import io.millrace.eventing.functions.FunctionState.Pausing;
import io.millrace.eventing.functions.FunctionState.Resuming;
import io.millrace.eventing.functions.FunctionState.Starting;
import io.millrace.eventing.functions.FunctionState.Undeployed;
import io.millrace.eventing.functions.FunctionState.Undeploying;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.runtime.FunctionRuntime;
import io.millrace.eventing.runtime.FunctionRuntime.DeployAction;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.redis.CommonTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes this node run one function as MetaKV says: reads the wanted state, takes the step that is missing, records the
 * result, and continues at the next change. Every step may be repeated, so a step that failed half-way is taken again.
 * Runs on its own thread, which may block.
 */
final class FunctionLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(FunctionLoop.class);

    private static final Set<DocumentsException.Code> MISSING = Set.of(
            DocumentsException.Code.BUCKET_NOT_FOUND,
            DocumentsException.Code.SCOPE_NOT_FOUND,
            DocumentsException.Code.COLLECTION_NOT_FOUND);

    /** How often other nodes are asked whether they have stopped the function. */
    private static final Duration UNFINISHED_LOOK = Duration.ofMillis(200);

    private static final Executor SOON = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final FunctionName name;
    private final FunctionStore store;
    private final FunctionRuntime runtime;
    private final FunctionLogs logs;
    private final DeployCheck check;
    private final BindingSecrets secrets;
    private final InstantSource clock;
    private final Reconciler.Timings timings;
    private final Nodes nodes;
    private final BooleanSupplier retire;
    private final FailureReports reports;
    private final HotSwap hotSwap;
    private final CanaryKeeper canaries;
    private final Semaphore news = new Semaphore(1);

    /** The spec with which the function is running or starting here, or null. */
    private volatile @Nullable FunctionSpec running;

    /** The start in progress, or null. */
    private volatile @Nullable CompletableFuture<Void> pending;

    /** The state for which the function was stopped here; null after it was started again. */
    private volatile @Nullable FunctionState restsIn;

    private volatile boolean closed;

    /** The state for which a start is being attempted, since when, and why it has not succeeded yet. */
    private @Nullable FunctionState attempted;

    private Instant attemptedSince = Instant.EPOCH;
    private String lastReason = "";
    private DeployCheck.@Nullable Ready ready;
    private OwnerRights.@Nullable Finding rights;

    /** What was stored at the last look; null as long as secrets are to be moved out of it. */
    private @Nullable StoredFunction seen;

    /** Whether the last start failed because OnDeploy failed. */
    private boolean refused;

    /**
     * @param retire called when the function does not exist any more; returns true when this loop may end
     */
    FunctionLoop(
            FunctionName name,
            FunctionStore store,
            FunctionRuntime runtime,
            FunctionLogs logs,
            DeployCheck check,
            BindingSecrets secrets,
            InstantSource clock,
            Reconciler.Timings timings,
            Nodes nodes,
            BooleanSupplier retire) {
        this.name = name;
        this.store = store;
        this.runtime = runtime;
        this.logs = logs;
        this.check = check;
        this.secrets = secrets;
        this.clock = clock;
        this.timings = timings;
        this.nodes = nodes;
        this.retire = retire;
        this.reports = new FailureReports(name, logs, clock);
        this.canaries = new CanaryKeeper(name, store, runtime, this::spec, reports, clock, timings.deploy());
        this.hotSwap = new HotSwap(name, store, runtime, reports, clock, timings);
    }

    /** Wakes the loop because there may be something to do. */
    void wake() {
        news.release();
    }

    /** Ends the loop soon; a running function keeps running. */
    void close() {
        closed = true;
        wake();
    }

    boolean runs() {
        return running != null && pending == null;
    }

    /** Returns whether the function was stopped here for this state. */
    boolean rests(FunctionState state) {
        return state.equals(restsIn);
    }

    @Override
    public void run() {
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        Duration pause = timings.look();
        while (!closed) {
            try {
                if (news.tryAcquire(CommonTimes.within(pause).toNanos(), TimeUnit.NANOSECONDS)) {
                    news.drainPermits();
                }
                if (!closed) {
                    step();
                    backoff.reset();
                    pause = timings.look();
                }
            } catch (InterruptedException interrupted) {
                return;
            } catch (RuntimeException failure) {
                pause = backoff.next();
                lastReason = FailureReports.reason(failure);
                LOG.warn("event=step_failed function={} pause_ms={} reason=\"{}\"", name, pause.toMillis(), lastReason);
            }
        }
    }

    private void step() throws InterruptedException {
        Optional<StoredFunction> found = store.find(name);
        if (found.isEmpty()) {
            takeDown();
            logs.delete(name.toString());
            closed = retire.getAsBoolean();
            return;
        }
        StoredFunction function = found.get();
        boolean migrates = function != seen && secrets.migrates(function.definition());
        if (migrates && nodes.leads()) {
            secrets.migrate(store, name);
            return; // the change wakes this loop
        }
        if (function != seen) {
            logs.configure(name.toString(), SpecFactory.logPolicy(function));
        }
        seen = migrates ? null : function;
        if (!check.knowsOwner(function)) { // the users are about to be read
            SOON.execute(this::wake);
            return;
        }
        // one node deploys; then the others see it deployed and take their share
        if (function.state() instanceof Starting starting && !deploysHere(starting)) {
            return;
        }
        switch (function.state()) {
            case Deploying state -> {
                DeployAction action = new DeployAction("Deploy", Duration.ZERO, onDeployTimeout(function));
                deploy(function, state, action, state::started, state::failed);
            }
            case Resuming state -> {
                Duration delay = Duration.between(state.pausedSince(), clock.instant());
                DeployAction action = new DeployAction("Resume", delay, onDeployTimeout(function));
                deploy(
                        function,
                        state,
                        action,
                        state::started,
                        failure -> refused ? state.refused(failure) : state.failed(failure));
            }
            case Deployed state -> keepUp(function, state);
            case Pausing state -> {
                stop();
                restsIn = state;
                if (othersRest(state)) {
                    rest(function, state);
                }
            }
            case Paused state -> {
                stop();
                missingKeyspace(function.definition()).ifPresent(failure -> move(state, state.lost(failure)));
            }
            case Undeploying state -> {
                stop();
                restsIn = state;
                if (othersRest(state)) {
                    remove(SpecFactory.spec(function.definition()));
                    move(state, state.removed(clock.instant()));
                }
            }
            case Undeployed state -> takeDown();
        }
    }

    /** Returns whether this node starts the function; it takes over when no live node does. */
    private boolean deploysHere(Starting state) throws InterruptedException {
        if (nodes.here().equals(state.node())) {
            return true;
        }
        // a function that runs here belongs to an earlier start, or to one that another node has taken over
        if (running != null) {
            stop();
        }
        if (!nodes.alive(state.node()) && nodes.leads()) {
            LOG.info(
                    "event=deployment_taken_over function={} state={} node={} previous_node={}",
                    name,
                    state.label(),
                    nodes.here(),
                    state.node());
            move(state, state.by(nodes.here()));
        }
        return false;
    }

    /**
     * Waits until the function has stopped on every other live node. The leading node does this for all.
     *
     * @return false when another node leads, or the function is no longer in this state
     */
    private boolean othersRest(FunctionState state) throws InterruptedException {
        Instant deadline = clock.instant().plus(timings.stopElsewhere());
        while (nodes.leads() && wanted(state)) {
            UnfinishedNodes.Found left = nodes.unfinished(name, state.since());
            if (left.none()) {
                return true;
            }
            if (clock.instant().isAfter(deadline)) {
                LOG.warn(
                        "event=nodes_unfinished function={} state={} waited_ms={} working={} silent={} action=continue",
                        name,
                        state.label(),
                        timings.stopElsewhere().toMillis(),
                        left.working(),
                        left.silent());
                return true;
            }
            if (news.tryAcquire(UNFINISHED_LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                news.drainPermits();
            }
        }
        if (!wanted(state)) {
            wake(); // the event that ended the wait still has to be handled
        }
        return false;
    }

    private static Duration onDeployTimeout(StoredFunction function) {
        return Duration.ofSeconds(function.definition().settings().whole(Setting.ON_DEPLOY_TIMEOUT));
    }

    /** Starts the function and moves to the state of success or failure. */
    private void deploy(
            StoredFunction function,
            FunctionState state,
            DeployAction action,
            Function<Instant, FunctionState> started,
            Function<Failure, FunctionState> failed)
            throws InterruptedException {
        Optional<Failure> failure;
        try {
            failure = start(spec(function), state, action);
        } catch (FunctionsException refusal) {
            if (refusal.code() != ErrorCode.ERR_INVALID_CONFIG) {
                throw refusal;
            }
            failure = Optional.of(new Failure(FailureReports.reason(refusal), 0, 0, clock.instant()));
        }
        if (failure.isEmpty()) {
            if (wanted(state)) {
                move(state, started.apply(clock.instant()));
            }
            return;
        }
        if (state instanceof Deploying) {
            remove(SpecFactory.spec(function.definition()));
        } else {
            stop();
        }
        reports.report(failure.get());
        move(state, failed.apply(failure.get()));
    }

    /**
     * Keeps a deployed function running: after a restart of this service, with changed settings, and as long as its
     * keyspaces exist.
     */
    private void keepUp(StoredFunction function, Deployed state) throws InterruptedException {
        rights = check.rights(function, rights);
        if (rights.lacking().isPresent()) {
            Failure failure = new Failure(rights.lacking().get(), 0, 0, clock.instant());
            reports.report(failure);
            move(state, state.revoked(failure));
            return;
        }
        FunctionSpec spec = spec(function);
        if (runs() && !runtime.running().contains(name.toString())) {
            LOG.warn("event=function_ended function={} action=start", name);
            running = null;
        }
        if (runs() && function.staged() != null && spec.runsLike(running)) {
            if (nodes.leads()) {
                FunctionSpec staged = spec(function.swapped());
                running = hotSwap.take(function, staged, spec) ? staged : spec;
            }
            return;
        }
        if (runs() && !spec.runsLike(running) && hotSwap.follow(spec, running)) {
            running = spec;
        }
        Optional<Failure> failure =
                runs() && spec.runsLike(running) ? missingKeyspace(function.definition()) : start(spec, state, null);
        if (failure.isPresent()) {
            reports.report(failure.get());
            move(state, state.lost(failure.get()));
        } else if (runs()) {
            canaries.keep(function, nodes.leads());
        }
    }

    private FunctionSpec spec(StoredFunction function) {
        ready = check.spec(function, ready);
        return ready.spec();
    }

    private Optional<Failure> missingKeyspace(FunctionDefinition definition) {
        return check.lost(definition).map(missing -> new Failure(missing, 0, 0, clock.instant()));
    }

    /**
     * Starts the function and waits for it, unless another state is wanted meanwhile.
     *
     * @param action what OnDeploy is called with, in which case a timeout is a failure; null after the deployment
     * @return why the function cannot run, or nothing when it is running or no longer wanted
     */
    private Optional<Failure> start(FunctionSpec spec, FunctionState state, @Nullable DeployAction action)
            throws InterruptedException {
        boolean impatient = action != null;
        CompletableFuture<Void> start = pending;
        if (!spec.runsLike(running)) {
            stop();
            restsIn = null;
            start = action == null ? runtime.startAgain(spec) : runtime.start(spec, action);
            start.whenComplete((done, failure) -> wake());
            running = spec;
            pending = start;
        }
        if (start == null) {
            return Optional.empty();
        }
        Duration patience = action != null && spec.code().contains("OnDeploy")
                ? timings.deploy().plus(action.timeout())
                : timings.deploy();
        while (!start.isDone() && wanted(state)) {
            if (impatient && isLate(state, patience)) {
                return Optional.of(reports.late(timings.deploy(), lastReason));
            }
            if (news.tryAcquire(timings.look().toMillis(), TimeUnit.MILLISECONDS)) {
                news.drainPermits();
            }
        }
        if (!start.isDone()) {
            wake(); // the event that ended the wait still has to be handled
            return Optional.empty();
        }
        return outcome(start, impatient && isLate(state, patience));
    }

    /** Returns whether the start has been attempted in this state for longer; waiting for its turn does not count. */
    private boolean isLate(FunctionState state, Duration patience) {
        if (!state.equals(attempted) || runtime.queued(name.toString())) {
            attempted = state;
            attemptedSince = clock.instant();
            lastReason = "";
        }
        return clock.instant().isAfter(attemptedSince.plus(patience));
    }

    private Optional<Failure> outcome(CompletableFuture<Void> start, boolean lastChance) throws InterruptedException {
        pending = null;
        try {
            start.get();
            LOG.info("event=function_running function={}", name);
            return Optional.empty();
        } catch (ExecutionException | CancellationException failed) {
            running = null;
            Throwable cause = failed.getCause();
            refused = false;
            if (cause instanceof DeployRejected rejected) {
                refused = rejected.byHandler();
                return Optional.of(new Failure(
                        FailureReports.reason(rejected), rejected.line(), rejected.column(), clock.instant()));
            }
            // no other error of Redis ends a function: undeploying it would delete its progress
            if (cause instanceof DocumentsException missing && MISSING.contains(missing.code())) {
                return Optional.of(new Failure(FailureReports.reason(missing), 0, 0, clock.instant()));
            }
            lastReason = FailureReports.reason(failed);
            if (lastChance) {
                return Optional.of(reports.late(timings.deploy(), lastReason));
            }
            throw new IllegalStateException("start failed: " + lastReason, failed);
        }
    }

    private boolean wanted(FunctionState state) {
        return !closed
                && store.find(name)
                        .filter(function -> function.state().equals(state))
                        .isPresent();
    }

    private void stop() throws InterruptedException {
        await(() -> runtime.stop(name.toString()));
        running = null;
        pending = null;
    }

    private void remove(FunctionSpec spec) throws InterruptedException {
        await(() -> runtime.remove(spec));
        running = null;
        pending = null;
    }

    /** Stops a function that is undeployed or deleted. */
    private void takeDown() throws InterruptedException {
        FunctionSpec current = running;
        if (current != null) {
            remove(current);
        }
    }

    private static void await(Supplier<CompletableFuture<Void>> work) throws InterruptedException {
        try {
            work.get().get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("stop failed: " + FailureReports.reason(failed), failed);
        }
    }

    /** Records the transition of the function from one state to the next, unless it has left the first. */
    private void move(FunctionState from, FunctionState to) {
        store.move(name, from, function -> function.in(to));
    }

    /** Records that the function has paused; a version that was waiting for that takes its place. */
    private void rest(StoredFunction before, Pausing from) {
        store.move(name, from, function -> function.rested(from, clock.instant()))
                .filter(rested -> before.staged() != null)
                .ifPresent(rested -> secrets.forget(before.definition(), rested.definition()));
    }
}
