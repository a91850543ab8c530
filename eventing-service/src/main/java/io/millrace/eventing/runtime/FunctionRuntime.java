package io.millrace.eventing.runtime;

import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.rebalance.VbucketSet;
import io.millrace.timers.Timer;
import io.millrace.workerprotocol.LineInsight;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The functions that run on this node: the super supervisor. Thread-safe; no call blocks. */
public interface FunctionRuntime {

    /**
     * What OnDeploy is called with; it is called once per deployment, on one worker, before any change.
     *
     * @param reason {@code Deploy} or {@code Resume}
     * @param delay how long the function had been paused, zero for a first deployment
     * @param timeout how long the call may take
     */
    record DeployAction(String reason, Duration delay, Duration timeout) {}

    /**
     * Deploys or resumes a function: goes on from its checkpoints where there are some, otherwise starts at its feed
     * boundary. Completes when every worker is ready. Fails with {@link DeployRejected} when the handler cannot run,
     * with {@link IllegalStateException} when a function of this name runs already, with
     * {@link io.millrace.documents.DocumentsException} when the source or metadata bucket is missing, and with
     * {@link java.util.concurrent.CancellationException} when it is stopped meanwhile; nothing is then left running.
     * While Redis is away it waits.
     */
    CompletableFuture<Void> start(FunctionSpec spec, @Nullable DeployAction action);

    /** Starts a function without calling OnDeploy. */
    default CompletableFuture<Void> start(FunctionSpec spec) {
        return start(spec, null);
    }

    /**
     * Pauses a function: reads no more, finishes what is in flight, writes the checkpoints and ends the workers.
     * Completes at once when it does not run.
     */
    CompletableFuture<Void> stop(String name);

    /** Undeploys a function: stops it when it runs and deletes its checkpoints. May be repeated. */
    CompletableFuture<Void> remove(FunctionSpec spec);

    /** Returns the names of the functions that run or are being started or stopped. */
    Set<String> running();

    /** Returns the names of the functions whose workers are ready here, with a share of the vbuckets or without. */
    Set<String> warm();

    /** Returns whether this node has lost what it owned because it cannot reach Redis, and has not come back yet. */
    boolean lapsed();

    /** Returns the vbuckets that this node owns, by function that runs here. */
    Map<String, VbucketSet> owned();

    /** Completes with who owns which vbuckets of a function, on any node, or with nothing when it does not run here. */
    CompletableFuture<Optional<SortedMap<String, VbucketSet>>> owners(String name);

    /** Returns what was counted since the function was started here, or nothing when it does not run. */
    CompletableFuture<Optional<RuntimeStats>> stats(String name);

    /** Returns what happened on which line of a function's code here; nothing when it does not run. */
    default List<LineInsight> insight(String name) {
        return List.of();
    }

    /**
     * Replays a dead letter with code that is not deployed. Completes with how that ended, or with nothing when the
     * document is not there any more; fails with {@link DeployRejected} when the code cannot run, with
     * {@link IllegalStateException} when too many are tried.
     */
    default CompletableFuture<Optional<Outcome>> tryOut(FunctionSpec draft, DeadLetter letter) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("There are no workers"));
    }

    /**
     * Calls the callback of a timer in code that is not deployed. Completes with how that ended; fails like the other
     * trial.
     */
    default CompletableFuture<Outcome> tryOut(FunctionSpec draft, Timer timer) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("There are no workers"));
    }

    /** Sets the counters and the latency histogram of a function back to zero. */
    void resetStats(String name);
}
