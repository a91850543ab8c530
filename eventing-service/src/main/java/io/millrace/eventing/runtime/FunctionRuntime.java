package io.millrace.eventing.runtime;

import io.millrace.eventing.consumer.DebugRun;
import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.rebalance.VbucketSet;
import io.millrace.timers.Timer;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The functions that run on this node. Thread-safe; no call but {@link #request} blocks. */
public interface FunctionRuntime {

    /**
     * What OnDeploy is called with; it is called once per deployment, on one worker, before any change.
     *
     * @param reason {@code Deploy} or {@code Resume}
     * @param delay how long the function had been paused, zero for a first deployment
     * @param timeout how long the call may take
     */
    record DeployAction(String reason, Duration delay, Duration timeout) {}

    /** Tells that the functions are known which this node is to start again. */
    default void known() {}

    /**
     * Deploys or resumes a function: it continues from its checkpoints, or starts at its feed boundary if it has none.
     * Completes when every worker is ready. Fails with {@link DeployRejected} when the handler cannot run, with {@link
     * IllegalStateException} when a function of this name is already running, with {@link
     * io.millrace.documents.DocumentsException} when the source or metadata bucket is missing, and with {@link
     * java.util.concurrent.CancellationException} when it is stopped meanwhile; after a failure nothing is left
     * running. While Redis is unavailable the start waits.
     */
    CompletableFuture<Void> start(FunctionSpec spec, @Nullable DeployAction action);

    /** Starts a function without calling OnDeploy. */
    default CompletableFuture<Void> start(FunctionSpec spec) {
        return start(spec, null);
    }

    /**
     * Starts a function that has been deployed before, without calling OnDeploy. A node that is alone and has just started completes
     * this before it has loaded the code, which has been loaded before. If it cannot be loaded any more, the function's log says why,
     * and it is tried again.
     */
    default CompletableFuture<Void> startAgain(FunctionSpec spec) {
        return start(spec);
    }

    /**
     * Lets a running function take other code without a pause, each thread of its workers between two batches. Fails with
     * {@link DeployRejected} when the code cannot run; the function then goes on as it is. After any other failure some workers
     * may have taken it: stop the function and start it again.
     *
     * @param spec differs from the running one as {@link FunctionSpec#swapsWith} says
     */
    default CompletableFuture<Void> swap(FunctionSpec spec) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("This runtime cannot swap code"));
    }

    /**
     * Lets a version handle some vbuckets of a running function, or with null the running version handle them again. Events in
     * flight are handled before that by the version that has them: none is handled by both. Fails with {@link DeployRejected}
     * when the code cannot run; the function is then as it was. A call while another one is under way returns that one's future.
     */
    default CompletableFuture<Void> canary(String name, @Nullable CanarySpec canary) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("This runtime has no canaries"));
    }

    /** Returns the canary of a function here; nothing when it has none. */
    default Optional<CanarySpec> canary(String name) {
        return Optional.empty();
    }

    /** Returns what a canary and the other version have done here since it began; nothing when there is none. */
    default Optional<CanaryReport> canaryReport(String name) {
        return Optional.empty();
    }

    /**
     * Pauses a function: stops reading, finishes events in flight, saves the checkpoints and ends the workers.
     * Completes at once when the function is not running.
     */
    CompletableFuture<Void> stop(String name);

    /**
     * Undeploys a function: stops it if it is running and deletes its checkpoints, dead letters and timers. May be
     * repeated.
     */
    CompletableFuture<Void> remove(FunctionSpec spec);

    /** Returns the names of the functions that are running, starting or stopping; the set follows what happens. */
    Set<String> running();

    /**
     * Returns the names of the functions whose workers are ready here, whether or not they have a share of the
     * vbuckets.
     */
    Set<String> warm();

    /** Returns what is out of the ordinary about the workers of a function here. */
    default WorkerNotes notes(String name) {
        return WorkerNotes.NONE;
    }

    /** Returns whether functions start here at once, without waiting for a worker process. */
    default boolean ready() {
        return true;
    }

    /** Returns whether this node has lost its leases because it cannot reach Redis, and has not renewed them yet. */
    boolean lapsed();

    /** Returns the vbuckets that this node owns, by function. */
    Map<String, VbucketSet> owned();

    /** Completes with the owners of a function's vbuckets on all nodes, or with nothing when it is not running here. */
    CompletableFuture<Optional<SortedMap<String, VbucketSet>>> owners(String name);

    /** Returns whether the start of a function has not begun, because those of others come before it. */
    default boolean queued(String name) {
        return false;
    }

    /** Completes with the statistics since the function was started here, or with nothing when it is not running. */
    CompletableFuture<Optional<RuntimeStats>> stats(String name);

    /** Returns whether the statistics of a function may differ from those that were returned last. */
    default boolean statsChanged(String name) {
        return true;
    }

    /** Returns the insight into a function's code, and behind it that into its canary; empty when it is not running here. */
    default List<CodeInsight> insight(String name) {
        return List.of();
    }

    /**
     * Replays a dead letter with code that is not deployed. Completes with the outcome, or with nothing when the
     * document does not exist any more; fails with {@link DeployRejected} when the code cannot run, and with {@link
     * IllegalStateException} when too many drafts are running.
     */
    default CompletableFuture<Optional<Outcome>> tryOut(FunctionSpec draft, DeadLetter letter) {
        return tryOut(draft, List.of(letter), List.of(), Duration.ZERO).thenApply(List::getFirst);
    }

    /**
     * Calls the callback of a timer in code that is not deployed. Completes with the outcome; fails like the replay of
     * a dead letter.
     */
    default CompletableFuture<Outcome> tryOut(FunctionSpec draft, Timer timer) {
        return tryOut(draft, List.of(), List.of(timer), Duration.ZERO)
                .thenApply(outcomes -> outcomes.getFirst().orElseThrow());
    }

    /**
     * Replays dead letters, and then timers, with code that is not deployed: one after the other, in one worker. Completes with
     * the outcomes in this order, nothing for a document that does not exist any more; fails like the replay of one.
     *
     * @param limit after this time none is begun, except the first; the others have no outcome
     */
    default CompletableFuture<List<Optional<Outcome>>> tryOut(
            FunctionSpec draft, List<DeadLetter> letters, List<Timer> timers, Duration limit) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("This runtime has no workers"));
    }

    /**
     * Has OnRequest of a function called by a worker of this node. Blocks as long as the link to the worker does; never
     * fails.
     *
     * @param timeout how long the call may wait and run in all
     */
    default CompletableFuture<RequestResult> request(String name, HttpRequest request, Duration timeout) {
        return CompletableFuture.completedFuture(new RequestResult.NoWorker());
    }

    /**
     * Shows what code would do with events; nothing takes effect. Completes with one JSON object for each event;
     * fails like the replay of a dead letter.
     *
     * @param answers what the code gets for HTTP requests and statements, as JSON
     */
    default CompletableFuture<List<byte[]>> dryRun(FunctionSpec draft, List<Event> events, byte[] answers) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("This runtime has no workers"));
    }

    /**
     * Lets a debugger follow code on an event; nothing takes effect. Completes when the debugger takes messages;
     * fails like the replay of a dead letter. The caller closes it.
     *
     * @param answers what the code gets for HTTP requests and statements, as JSON
     * @param limit how long the code may run
     */
    default CompletableFuture<DebugRun> debug(FunctionSpec draft, Event event, byte[] answers, Duration limit) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("This runtime has no workers"));
    }

    /** Sets the counters and the latency histogram of a function back to zero. */
    void resetStats(String name);
}
