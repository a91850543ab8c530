package io.millrace.workerprotocol;

import java.util.List;
import java.util.Map;

/**
 * One message on the link. The worker connects and says {@link Hello}; the service answers with {@link Init}; the
 * worker compiles the handler and says {@link Ready} or {@link Rejected}; then batches of events go one way and their
 * outcomes the other, until the service says {@link Shutdown} or closes the socket, at which the worker ends at once.
 *
 * <pre>
 * worker                      service
 *   Hello  ------------------->
 *          <-------------------  Init
 *   Ready | Rejected  -------->
 *          <-------------------  Deploy     (at most once, to one worker)
 *   Deployed ----------------->
 *          <-------------------  Batch*
 *   Done* Log* Counters* ----->
 *          <-------------------  Shutdown   (finish what was received, answer it, exit 0)
 * </pre>
 *
 * <p>A worker whose link ends makes no further write: its successor may get the same events. A worker that dies again
 * and again at the same event would never let the function go on, so the service sends what a dead worker left
 * unanswered in batches of one event and takes an event that was alone when a worker died as lost to {@link
 * WorkerExit}'s reason.
 */
public sealed interface Frame {

    /**
     * @param pid the worker's process id
     * @param runtime how handlers run: {@code optimized} or {@code interpreted}, with the reason in words after a colon
     */
    record Hello(long pid, String runtime) implements Frame {}

    /** @param setup what the worker is to run */
    record Init(WorkerSetup setup) implements Frame {}

    /**
     * @param entryPoints the entry points that the handler has: {@code OnUpdate}, {@code OnDelete}, {@code OnDeploy}
     */
    record Ready(List<String> entryPoints) implements Frame {}

    /** The handler cannot run. Line and column start at 1 and are those of the user's code; 0 when there is none. */
    record Rejected(String message, int line, int column) implements Frame {}

    /**
     * Events for one thread of the worker, to be handled in this order.
     *
     * @param batch the number by which {@link Done} refers to it; grows by one per thread
     * @param thread 0 to {@link WorkerSetup#threads()} - 1
     */
    record Batch(long batch, int thread, List<Event> events) implements Frame {}

    /**
     * The outcomes of one batch, one per event and in their order. Sent only when every write that the handler made for
     * these events has been answered by Redis.
     */
    record Done(long batch, int thread, List<Outcome> outcomes) implements Frame {}

    /** @param lines what the handler logged and what the worker has to say about it, oldest first */
    record Log(List<LogLine> lines) implements Frame {}

    /**
     * Sent about every second, with or without counts: a worker of which nothing is heard for long is taken for dead.
     *
     * @param deltas what was counted since the last such frame, by the statistic's name
     */
    record Counters(Map<String, Long> deltas) implements Frame {}

    /** @param lines what happened on lines of the user's code since the last such frame */
    record Insight(List<LineInsight> lines) implements Frame {}

    /**
     * Asks for one call of OnDeploy, before any batch and to one worker of a deployment only.
     *
     * @param reason {@code Deploy} or {@code Resume}
     * @param delayMillis how long the function had been paused
     * @param timeoutMillis the longest that the call may run
     */
    record Deploy(String reason, long delayMillis, long timeoutMillis) implements Frame {}

    /** Answers {@link Deploy} when every write that the handler made is done. */
    record Deployed(Outcome outcome) implements Frame {}

    record Shutdown() implements Frame {}
}
