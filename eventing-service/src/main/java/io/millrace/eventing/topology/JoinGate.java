package io.millrace.eventing.topology;

import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.ClusterView;
import io.millrace.rebalance.topology.ClusterView.Versioned;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when a node that has started joins the cluster. One that others do without joins when its functions are ready to
 * run: a share that is handed to a cold node waits for it. One that is missed joins at once.
 */
final class JoinGate {

    /** How long a node stays outside at most: a cluster that needs it is better off with a cold one than without it. */
    static final Duration LONGEST = Duration.ofSeconds(120);

    /** How long functions are kept ready for a share after joining; an operator may not want to give any. */
    static final Duration KEPT_READY = Duration.ofSeconds(60);

    private static final Logger LOG = LoggerFactory.getLogger(JoinGate.class);

    private final String id;
    private final BooleanSupplier processReady;
    private final BooleanSupplier workersReady;
    private volatile boolean preparing;
    private volatile boolean passed;
    private volatile boolean late;
    private volatile long passedAt;
    private @Nullable Long waitingSince;

    /**
     * @param id of this node
     * @param processReady returns whether functions start here without waiting for a worker process
     * @param workersReady returns whether all of them have their workers here
     */
    JoinGate(String id, BooleanSupplier processReady, BooleanSupplier workersReady) {
        this.id = id;
        this.processReady = processReady;
        this.workersReady = workersReady;
    }

    /** Returns whether this node has been let into the cluster; it may have left since. */
    boolean passed() {
        return passed;
    }

    /** Returns whether this node was let in without its functions being ready, because they did not become ready. */
    boolean late() {
        return late;
    }

    /**
     * Returns whether functions are to have their workers ready here although this node has no share of them.
     *
     * @param nanos now, of {@link System#nanoTime()}
     */
    boolean preparing(long nanos) {
        return preparing && !(passed && nanos - passedAt > KEPT_READY.toNanos());
    }

    /** This node has a share. */
    void arrived() {
        preparing = false;
    }

    /**
     * Decides from the cluster as it is. Called by one thread until this node has joined.
     *
     * @param nanos now, of {@link System#nanoTime()}
     */
    boolean passes(ClusterView view, long nanos) {
        if (waitingSince == null) {
            waitingSince = nanos;
        }
        boolean missed = isMissed(view);
        preparing = !missed && processReady.getAsBoolean();
        boolean ready = missed || preparing && workersReady.getAsBoolean();
        late = !ready && nanos - waitingSince > LONGEST.toNanos();
        if (late) {
            LOG.warn(
                    "event=node_joins_cold node={} missing={} waited_ms={}",
                    id,
                    preparing ? "workers_of_functions" : "worker_process",
                    LONGEST.toMillis());
        }
        passedAt = nanos;
        passed = ready || late;
        return passed;
    }

    /** Whether the cluster has vbuckets for this node, or no other node for them. */
    private boolean isMissed(ClusterView view) {
        Versioned<Change> change = view.change();
        return view.layout() == null
                || view.members().contains(id)
                || change != null && change.value().takesIn(id)
                || view.live().stream().allMatch(id::equals);
    }
}
