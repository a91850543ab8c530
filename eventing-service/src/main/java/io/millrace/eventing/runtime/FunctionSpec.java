package io.millrace.eventing.runtime;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Everything that a producer needs to know of a function.
 *
 * @param name the function's name, unique on a node; names log lines and statistics
 * @param instance new with every deployment from undeployed, the same over pause, resume and restarts; mutations that
 *     the handler makes carry it as their origin. Has no colon
 * @param functionId names the function's checkpoints; letters, digits, {@code _} and {@code -}
 * @param code the user's JavaScript, unchanged
 * @param source whose changes are handled; scope and collection may be {@code *} for every one
 * @param metadata where the checkpoints are kept
 * @param boundary where to start when there are no checkpoints
 * @param workerCount how many worker processes
 * @param threadsPerWorker how many threads run handlers in each of them
 * @param executionTimeout the longest that one invocation may run
 * @param allocationLimitBytes the most that one invocation may allocate
 * @param strictDocuments documents are plain JavaScript objects instead of proxies
 * @param languageCompatibility {@code 5.0.0}, {@code 6.0.0}, {@code 6.5.0}, {@code 6.6.2} or {@code 7.2.0}
 * @param logLevel the least severe level that is logged
 * @param headers lines put before the code
 * @param footers lines put after it
 * @param checkpointInterval how often checkpoints are written; after a crash at most so much is handled again
 * @param handler what the handler has beside buckets
 * @param hopLimit a change to which more functions in a row have led is not handled
 * @param handling what becomes of changes that fail, or that change nothing
 */
public record FunctionSpec(
        String name,
        String instance,
        String functionId,
        String code,
        Keyspace source,
        Keyspace metadata,
        FeedBoundary boundary,
        int workerCount,
        int threadsPerWorker,
        Duration executionTimeout,
        long allocationLimitBytes,
        boolean strictDocuments,
        String languageCompatibility,
        String logLevel,
        List<String> headers,
        List<String> footers,
        List<WorkerSetup.Alias> aliases,
        Duration checkpointInterval,
        HandlerSettings handler,
        int hopLimit,
        Handling handling) {

    /** How many functions in a row may lead to a change that is still handled, unless told otherwise. */
    public static final int STANDARD_HOP_LIMIT = 100;

    /**
     * Returns where the function's checkpoints and dead letters are. Each deployment has its own: who ends an earlier one
     * late does no harm to the next.
     */
    public CheckpointGroup checkpoints() {
        return new CheckpointGroup(metadata.bucket(), functionId + ':' + instance);
    }

    /**
     * Returns what a worker of this function is told.
     *
     * @param redisUri where it finds the documents
     * @param curlRefused addresses that curl never calls: {@code host}, {@code host:port} or {@code :port}
     */
    public WorkerSetup setup(String redisUri, List<String> curlRefused) {
        return new WorkerSetup(
                name,
                instance,
                code,
                headers,
                footers,
                threadsPerWorker,
                executionTimeout.toMillis(),
                allocationLimitBytes,
                strictDocuments,
                languageCompatibility,
                logLevel,
                source.bucket(),
                redisUri,
                aliases,
                handler.withAccess(curlRefused));
    }

    /** Returns a copy that handles changes in another way. */
    public FunctionSpec withHandling(Handling other) {
        return copy(code, handler, other);
    }

    /** Returns a copy with other code. */
    public FunctionSpec withCode(String other) {
        return copy(other, handler, handling);
    }

    /** Returns a copy whose timers lie in so many shards of the metadata bucket. */
    public FunctionSpec withTimerShards(int shards) {
        return copy(code, handler.withTimerShards(shards), handling);
    }

    private FunctionSpec copy(String otherCode, HandlerSettings otherHandler, Handling otherHandling) {
        return new FunctionSpec(
                name,
                instance,
                functionId,
                otherCode,
                source,
                metadata,
                boundary,
                workerCount,
                threadsPerWorker,
                executionTimeout,
                allocationLimitBytes,
                strictDocuments,
                languageCompatibility,
                logLevel,
                headers,
                footers,
                aliases,
                checkpointInterval,
                otherHandler,
                hopLimit,
                otherHandling);
    }

    /** In place of a scope or a collection of the source: every one. */
    public static final String WILDCARD = "*";

    public FunctionSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(metadata, "metadata");
        if (workerCount < 1 || threadsPerWorker < 1) {
            throw new IllegalArgumentException(
                    "A function has at least one worker with one thread: " + workerCount + " x " + threadsPerWorker);
        }
        if (executionTimeout.isNegative() || executionTimeout.isZero()) {
            throw new IllegalArgumentException("An execution timeout is longer than nothing: " + executionTimeout);
        }
        if (checkpointInterval.isNegative() || checkpointInterval.isZero()) {
            throw new IllegalArgumentException("A checkpoint interval is longer than nothing: " + checkpointInterval);
        }
        headers = List.copyOf(headers);
        footers = List.copyOf(footers);
        aliases = List.copyOf(aliases);
    }
}
