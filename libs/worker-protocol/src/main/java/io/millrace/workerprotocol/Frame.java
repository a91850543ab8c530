package io.millrace.workerprotocol;

import java.util.List;
import java.util.Map;

/**
 * One message on a link. A worker process, called host, has one link of its own, on which it is asked to open workers,
 * and one link for each worker. The host says {@link Hello} when its engine is warm; until then only workers of known code are opened.
 *
 * <pre>
 * host                        service
 *          <-------------------  Prepare    (connect to this Redis before a worker needs it)
 *          <-------------------  Open*      (connect a worker to this socket)
 *          <-------------------  WarmUp     (after these workers)
 *          <-------------------  Open*
 *   Hello  ------------------->
 *          <-------------------  Open*
 *          <-------------------  Halt*      (let no further write of a worker leave, and end it)
 *   Ended* ------------------->             (no further write of this worker will leave)
 *   Counters* ---------------->             (sign of life)
 *          <-------------------  Shutdown   (exit 0)
 * </pre>
 *
 * <p>A worker connects and says {@link Hello}; the service answers with {@link Init}; the worker compiles the handler
 * and says {@link Ready} or {@link Rejected}, or is ready before that if the code is {@linkplain Init#known known}; then
 * batches of events go one way and their outcomes the other, until the service says {@link Shutdown} or closes the
 * socket, at which the worker ends at once.
 *
 * <pre>
 * worker                      service
 *   Hello  ------------------->
 *          <-------------------  Init
 *   Ready | Rejected  -------->
 *          <-------------------  Deploy     (at most once, to one worker)
 *   Deployed ----------------->
 *          <-------------------  Batch* Request* Taken* Abandoned*
 *   Done* Begun* Part* Response* Spans* Log* Counters* ----->
 *          <-------------------  Shutdown   (finish what was received, answer it, end)
 * </pre>
 *
 * <p>A worker whose link ends makes no further write: its successor may get the same events. A worker that dies again
 * and again at the same event would never let the function go on, so the service sends what a dead worker left
 * unanswered in batches of one event and takes an event that was alone when a worker died as lost to {@link
 * WorkerExit}'s reason.
 */
public sealed interface Frame {

    /**
     * Tells a host where its workers will find documents, so that the first of them need not wait for the connection.
     *
     * @param redisUri as in {@link WorkerSetup}
     */
    record Prepare(String redisUri) implements Frame {}

    /** Asks a host to become warm once no worker of it has been starting for a while; sent once. */
    record WarmUp() implements Frame {}

    /**
     * Asks a host to open a worker and connect it to a socket.
     *
     * @param worker a number by which this link refers to the worker; unique in the life of the host
     */
    record Open(long worker, String socket) implements Frame {}

    /** Asks a host to end a worker at once: unfinished events are forgotten, and no further write leaves. */
    record Halt(long worker) implements Frame {}

    /**
     * Says that a worker has ended, of which no further write will leave. With a code that {@link
     * WorkerExit#endsTheHost}, the host ends because of this worker.
     *
     * @param code that of a {@link WorkerExit}
     */
    record Ended(long worker, int code, String message) implements Frame {}

    /**
     * @param pid the process id
     * @param runtime how handlers run: {@code optimized} or {@code interpreted}, with the reason in words after a colon
     */
    record Hello(long pid, String runtime) implements Frame {}

    /**
     * @param setup what the worker is to run
     * @param known whether this code has been loaded before: the worker is ready for events at once then, and loads the code when
     *     the first one comes or when others have started
     */
    record Init(WorkerSetup setup, boolean known) implements Frame {}

    /** The worker takes events. */
    record Ready() implements Frame {}

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
     *
     * @param version the number of the version that handled them, as it came with the code
     */
    record Done(long batch, int thread, List<Outcome> outcomes, long version) implements Frame {

        /** Returns the outcome of an event with the version; that of a success is of no interest. */
        public Outcome outcome(int event) {
            Outcome outcome = outcomes.get(event);
            return outcome.ok() ? outcome : outcome.of(version);
        }

        /** Of code without a version. */
        public Done(long batch, int thread, List<Outcome> outcomes) {
            this(batch, thread, outcomes, 0);
        }
    }

    /** @param lines what the handler logged and what the worker has to say about it, oldest first */
    record Log(List<LogLine> lines) implements Frame {}

    /**
     * Sent about every second, with or without counts: a worker of which nothing is heard for long is taken for dead.
     *
     * @param deltas what was counted since the last such frame, by the statistic's name
     */
    record Counters(Map<String, Long> deltas) implements Frame {

        /** On the link of a host: the memory in bytes that the process held after its latest full collection. */
        public static final String HELD_BYTES = "held_bytes";
    }

    /**
     * What happened on lines of one version of the user's code since the last such frame.
     *
     * @param version the number of the version, as it came with the code
     */
    record Insight(long version, List<LineInsight> lines) implements Frame {}

    /**
     * What invocations that are traced have done. Sent before their outcomes.
     *
     * @param spans as JSON
     */
    record Spans(byte[] spans) implements Frame {}

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

    /**
     * Asks for one call of OnRequest. A request is not repeated: when the worker ends before it has answered, it fails.
     *
     * @param call the number by which {@link Response} refers to it; unique on this link
     * @param thread 0 to {@link WorkerSetup#threads()} - 1
     * @param timeoutMillis how long the call may wait and run in all
     */
    record Request(long call, int thread, long timeoutMillis, HttpRequest request) implements Frame {}

    /**
     * Answers {@link Request} when every write that the handler made is done. Responses come in any order.
     *
     * @param response {@link HttpResponse#NONE} unless the outcome is a success; also after {@link Begun}
     */
    record Response(long call, Outcome outcome, HttpResponse response) implements Frame {}

    /**
     * Begins a response that is given in parts: {@link Part} brings the others, {@link Response} ends it. What the handler wrote
     * before a part is done when the part is sent.
     *
     * @param response status, headers and the first part of the body
     */
    record Begun(long call, HttpResponse response) implements Frame {}

    /** The next part of the body of a response that has {@link Begun}. */
    record Part(long call, byte[] bytes) implements Frame {}

    /**
     * Says that the client has taken bytes of a response that has {@link Begun}, so that the worker may send as many more. May
     * come after its end.
     *
     * @param thread that of the {@link Request}
     */
    record Taken(long call, int thread, long bytes) implements Frame {}

    /** Says that nothing more is wanted of a response that has {@link Begun}. May come after its end. */
    record Abandoned(long call, int thread) implements Frame {}

    /**
     * Asks for a trial, in place of {@link Init}. The worker says {@link Tried} once for each event, or {@link Rejected}; nothing
     * that the code does takes effect.
     *
     * @param answers what the code gets for HTTP requests and statements, as JSON
     */
    record Try(WorkerSetup setup, byte[] answers, List<Event> events) implements Frame {}

    /** @param invocation how the next event was handled, and what the code would have done, as JSON */
    record Tried(byte[] invocation) implements Frame {}

    /**
     * Asks for one invocation that a debugger follows, in place of {@link Init}, by a worker with a process of its own. The worker
     * says {@link Debugging}, or {@link Rejected}; then {@link DebugMessage} goes both ways, and {@link Tried} says how the
     * invocation ended. It begins when the client of the debugger says so; nothing that the code does takes effect.
     *
     * @param answers what the code gets for HTTP requests and statements, as JSON
     */
    record Debug(WorkerSetup setup, byte[] answers, Event event) implements Frame {}

    /** The worker takes messages of a debugger. */
    record Debugging() implements Frame {}

    /** @param text a message of the DevTools protocol, as JSON */
    record DebugMessage(String text) implements Frame {}

    /**
     * Asks a worker that is ready to take other code, each thread between two batches. It says {@link Swapped}, or {@link
     * Rejected} and goes on with the code that it has.
     *
     * @param setup differs from the one before in its source only
     */
    record Swap(WorkerSetup setup) implements Frame {}

    /** All threads run the code of the last {@link Swap}. */
    record Swapped() implements Frame {}

    record Shutdown() implements Frame {}
}
