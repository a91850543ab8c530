package io.millrace.eventing.functions;

import io.millrace.eventing.applog.FunctionLogs;
import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.FunctionState.Pausing;
import io.millrace.eventing.functions.FunctionState.Undeploying;
import io.millrace.eventing.runtime.FunctionRuntime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Makes this node run what MetaKV says: one {@link FunctionLoop} per function that exists there. */
final class Reconciler implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

    /** How long functions may take to finish events in flight when the service shuts down. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(15);

    /**
     * How long functions may take.
     *
     * @param deploy how long the workers of a function may take to become ready before its deployment fails
     * @param look how often a function is checked without an event, for instance for a source that was dropped
     * @param stopElsewhere how long other nodes may take to stop a function; longer than they wait for events in flight
     */
    record Timings(Duration deploy, Duration look, Duration stopElsewhere) {

        static final Duration DEFAULT_LOOK = Duration.ofSeconds(5);
        static final Duration DEFAULT_STOP_ELSEWHERE = Duration.ofSeconds(60);
    }

    private final FunctionStore store;
    private final ConfigStore config;
    private final FunctionRuntime runtime;
    private final FunctionLogs logs;
    private final DeployCheck check;
    private final BindingSecrets secrets;
    private final InstantSource clock;
    private final Timings timings;
    private final Nodes nodes;
    private final Map<FunctionName, FunctionLoop> loops = new ConcurrentHashMap<>();
    private volatile boolean started;

    Reconciler(
            FunctionStore store,
            ConfigStore config,
            FunctionRuntime runtime,
            FunctionLogs logs,
            DeployCheck check,
            BindingSecrets secrets,
            InstantSource clock,
            Timings timings,
            Nodes nodes) {
        this.store = store;
        this.config = config;
        this.runtime = runtime;
        this.logs = logs;
        this.check = check;
        this.secrets = secrets;
        this.clock = clock;
        this.timings = timings;
        this.nodes = nodes;
    }

    @Override
    public void start() {
        started = true;
        config.start();
        store.listen(this::look);
        store.known().thenRun(runtime::known);
        store.start();
    }

    private void look(FunctionName name) {
        if (!started) {
            return;
        }
        loops.computeIfAbsent(name, absent -> {
                    FunctionLoop loop = new FunctionLoop(
                            name, store, runtime, logs, check, secrets, clock, timings, nodes, () -> retired(name));
                    Thread.ofVirtual().name("function-" + name).start(loop);
                    return loop;
                })
                .wake();
    }

    /** Wakes the loops of all functions. */
    void wakeAll() {
        loops.values().forEach(FunctionLoop::wake);
    }

    /** Removes the loop of a deleted function, unless the function exists again meanwhile. */
    private boolean retired(FunctionName name) {
        return loops.computeIfPresent(name, (same, loop) -> store.find(name).isEmpty() ? null : loop) == null;
    }

    /** Returns the functions that are running on this node. */
    Set<FunctionName> running() {
        return loops.entrySet().stream()
                .filter(loop -> loop.getValue().runs())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Returns whether a function that is being paused or undeployed has not stopped here yet. */
    boolean stopping(StoredFunction function) {
        FunctionLoop loop = loops.get(function.name());
        boolean ending = function.state() instanceof Pausing || function.state() instanceof Undeploying;
        return ending && (loop == null || !loop.rests(function.state()));
    }

    /**
     * Stops following MetaKV, then stops every function here. Progress is saved; the functions' states in MetaKV do not
     * change.
     */
    @Override
    public void stop() {
        started = false;
        nodes.leave();
        store.close();
        config.close();
        loops.values().forEach(FunctionLoop::close);
        CompletableFuture<?>[] stops =
                runtime.running().stream().map(runtime::stop).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(stops)
                    .orTimeout(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (RuntimeException failure) {
            LOG.warn("event=functions_not_stopped functions={} reason=\"{}\"", runtime.running(), failure.getMessage());
        }
        logs.close();
    }

    @Override
    public boolean isRunning() {
        return started;
    }
}
