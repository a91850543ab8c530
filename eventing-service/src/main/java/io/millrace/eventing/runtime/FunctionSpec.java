package io.millrace.eventing.runtime;

import io.github.resilience4j.core.IntervalFunction;
import io.millrace.documents.Keyspace;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.consumer.Placement;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a producer needs to know of a function.
 *
 * @param code the user's JavaScript, unchanged
 * @param metadata where the checkpoints are kept
 * @param checkpointInterval how often checkpoints are written; after a crash at most this much is handled again
 * @param logLevel the least severe level that is logged
 * @param aliases the keyspaces that the handler may use
 * @param handler URLs, constants, timers and the other settings of handlers
 * @param handling what happens to changes that fail, or that change nothing
 */
public record FunctionSpec(
        Identity identity,
        String code,
        Language language,
        Source source,
        Keyspace metadata,
        Workers workers,
        Limits limits,
        Duration checkpointInterval,
        String logLevel,
        List<WorkerSetup.Alias> aliases,
        HandlerSettings handler,
        Handling handling) {

    /** How many functions in a row may lead to a change that is still handled, unless the settings say otherwise. */
    public static final int STANDARD_HOP_LIMIT = 100;

    /** In place of a scope or a collection of the source: every one. */
    public static final String WILDCARD = "*";

    public FunctionSpec {
        Objects.requireNonNull(metadata, "metadata");
        requirePositive(checkpointInterval, "checkpoint interval");
        aliases = List.copyOf(aliases);
    }

    /**
     * The names of a function.
     *
     * @param name unique on a node; names log lines and statistics
     * @param instance changes with every deployment from undeployed and stays the same over pause, resume and restarts;
     *     mutations that the handler makes carry it as their origin. Has no colon
     * @param functionId names the function's checkpoints; letters, digits, {@code _} and {@code -}
     * @param version the number of the version that runs
     */
    public record Identity(String name, String instance, String functionId, long version) {

        public Identity {
            Objects.requireNonNull(name, "name");
        }
    }

    /**
     * How the code is read.
     *
     * @param compatibility {@code 5.0.0}, {@code 6.0.0}, {@code 6.5.0}, {@code 6.6.2} or {@code 7.2.0}
     * @param headers lines put before the code
     * @param footers lines put after it
     * @param strictDocuments documents are parsed by JSON.parse instead of decoded when read
     * @param typescript the code is TypeScript
     * @param libraries all that the code imports, directly and through others
     */
    public record Language(
            String compatibility,
            List<String> headers,
            List<String> footers,
            boolean strictDocuments,
            boolean typescript,
            List<WorkerSetup.Library> libraries) {

        /** Code that imports nothing. */
        public Language(
                String compatibility,
                List<String> headers,
                List<String> footers,
                boolean strictDocuments,
                boolean typescript) {
            this(compatibility, headers, footers, strictDocuments, typescript, List.of());
        }

        /** JavaScript. */
        public Language(String compatibility, List<String> headers, List<String> footers, boolean strictDocuments) {
            this(compatibility, headers, footers, strictDocuments, false);
        }

        public Language {
            headers = List.copyOf(headers);
            footers = List.copyOf(footers);
            libraries = List.copyOf(libraries);
        }

        private Language withLibraries(List<WorkerSetup.Library> others) {
            return new Language(compatibility, headers, footers, strictDocuments, typescript, others);
        }
    }

    /**
     * The changes that are handled.
     *
     * @param keyspace scope and collection may be {@link #WILDCARD}
     * @param boundary where to start when there are no checkpoints
     * @param filter the condition of N1QL that a change must meet; blank for none
     * @param category handles the events of the event streams of this category in the keyspace; empty for changes of documents
     * @param after of events, those up to this seqno are left out; of messages, those before this time in milliseconds since 1970
     * @param topic handles the messages of this topic; empty for changes of documents, or events
     * @param cluster the Kafka cluster of the topic; empty for topics in Redis
     * @param channel whether the topic is a channel of Redis, which keeps nothing
     */
    public record Source(
            Keyspace keyspace,
            FeedBoundary boundary,
            String filter,
            String category,
            long after,
            String topic,
            String cluster,
            boolean channel) {

        public Source {
            Objects.requireNonNull(keyspace, "keyspace");
        }

        /** Of changes of documents. */
        public Source(Keyspace keyspace, FeedBoundary boundary, String filter) {
            this(keyspace, boundary, filter, "", 0);
        }

        /** Of changes of documents or events. */
        public Source(Keyspace keyspace, FeedBoundary boundary, String filter, String category, long after) {
            this(keyspace, boundary, filter, category, after, "", "", false);
        }

        /** Of messages of a topic; the cluster is empty for topics in Redis. */
        public Source(Keyspace keyspace, FeedBoundary boundary, String topic, String cluster) {
            this(keyspace, boundary, "", "", 0, topic, cluster, false);
        }

        /** Returns whether events are handled and not changes of documents. */
        public boolean ofEvents() {
            return !category.isEmpty();
        }

        /** Returns whether messages of a topic are handled. */
        public boolean ofMessages() {
            return !topic.isEmpty();
        }

        /** Returns whether the topic is one of Kafka. */
        public boolean ofKafka() {
            return !cluster.isEmpty();
        }

        /** Returns whether the topic is a stream in Redis. */
        public boolean ofStream() {
            return ofMessages() && !ofKafka() && !channel;
        }
    }

    /** Where a function starts in the feed of its source when it has no checkpoints. */
    public enum FeedBoundary {
        /** With the oldest change. */
        EVERYTHING,
        /** Behind the newest change at the time of the deployment. */
        FROM_NOW
    }

    /**
     * The size of a function on a node.
     *
     * @param count how many workers
     * @param threads how many threads run handlers in each of them
     * @param placement with whom they may share processes
     */
    public record Workers(int count, int threads, Placement placement) {

        public Workers {
            if (count < 1 || threads < 1) {
                throw new IllegalArgumentException(
                        "A function needs at least one worker with one thread, not " + count + " x " + threads);
            }
        }
    }

    /**
     * The limits of one invocation.
     *
     * @param executionTimeout the longest that it may run
     * @param allocationBytes the most that it may allocate
     * @param hops a change that more functions in a row have led to is not handled
     * @param writePatience how long its writes are repeated while Redis is away or full; null for as long as is usual
     */
    public record Limits(
            Duration executionTimeout,
            long allocationBytes,
            int hops,
            @Nullable Duration writePatience) {

        /** With the usual patience of writes. */
        public Limits(Duration executionTimeout, long allocationBytes, int hops) {
            this(executionTimeout, allocationBytes, hops, null);
        }

        public Limits {
            requirePositive(executionTimeout, "execution timeout");
        }

        private WorkerSetup.Limits of(int threads) {
            long millis = executionTimeout.toMillis();
            return writePatience == null
                    ? new WorkerSetup.Limits(threads, millis, allocationBytes)
                    : new WorkerSetup.Limits(threads, millis, allocationBytes, writePatience.toMillis());
        }
    }

    /**
     * What a function does beyond calling its handler once for each change.
     *
     * @param retries how often a change that failed is tried again
     * @param firstPause before it is tried again for the first time; each further pause is twice as long
     * @param longestPause where the doubling ends
     * @param deadLetters how many changes are kept whose last attempt failed, 0 for none
     * @param skipUnchanged whether updates are skipped that leave the body as it was when it was handled last
     * @param beforeImages whether handlers receive the previous document
     */
    public record Handling(
            int retries,
            Duration firstPause,
            Duration longestPause,
            int deadLetters,
            boolean skipUnchanged,
            boolean beforeImages) {

        /** Each change is tried once and forgotten, as Couchbase does. */
        public static final Handling AS_COUCHBASE =
                new Handling(0, Duration.ofSeconds(1), Duration.ofMinutes(1), 0, false, false);

        public Handling {
            if (retries < 0 || deadLetters < 0) {
                throw new IllegalArgumentException(
                        "Numbers of retries and dead letters must not be negative: " + retries + ", " + deadLetters);
            }
            requirePositive(firstPause, "pause before a retry");
        }

        /** Returns whether the state of each document that was handled last must be known. */
        public boolean remembers() {
            return skipUnchanged || beforeImages;
        }

        /** Returns whether a failure has no consequences. */
        public boolean forgetful() {
            return retries == 0 && deadLetters == 0;
        }

        /** Returns the pause before the next attempt, which doubles with each failure. */
        public Duration pauseAfter(int failures) {
            return Duration.ofMillis(IntervalFunction.ofExponentialBackoff(firstPause, 2, longestPause)
                    .apply(failures));
        }
    }

    public String name() {
        return identity.name;
    }

    /** Returns the id of this deployment. */
    public String instance() {
        return identity.instance;
    }

    public String functionId() {
        return identity.functionId;
    }

    /** Returns the number of the version that runs. */
    public long version() {
        return identity.version;
    }

    /** Returns whether this does the same as another: a version may differ from the one before in its description only. */
    public boolean runsLike(@Nullable FunctionSpec other) {
        return other == this || other != null && equals(other.withVersion(identity.version));
    }

    /**
     * Returns whether workers that run another can take this without a pause: only code, libraries and constants differ, and nothing
     * has to be called before it handles changes.
     */
    public boolean swapsWith(@Nullable FunctionSpec other) {
        return other != null
                && withCode(other.code)
                        .withConstants(other.handler.constants())
                        .withLibraries(other.language.libraries)
                        .runsLike(other)
                && !code.contains("OnDeploy");
    }

    /** Returns a copy that is another version. */
    public FunctionSpec withVersion(long version) {
        return new FunctionSpec(
                new Identity(identity.name, identity.instance, identity.functionId, version),
                code,
                language,
                source,
                metadata,
                workers,
                limits,
                checkpointInterval,
                logLevel,
                aliases,
                handler,
                handling);
    }

    /**
     * Returns the group of the function's checkpoints and dead letters. Each deployment has its own, so that a node that ends
     * an earlier deployment late does not touch those of the next.
     */
    public CheckpointGroup checkpoints() {
        return new CheckpointGroup(metadata.bucket(), functionId() + ':' + instance());
    }

    /**
     * Returns what a worker of this function receives at its start.
     *
     * @param redisUri where it finds the documents
     * @param access which addresses its curl may call
     */
    public WorkerSetup setup(String redisUri, HandlerSettings.Access access) {
        return new WorkerSetup(
                name(),
                instance(),
                new WorkerSetup.Source(
                        code,
                        language.headers,
                        language.footers,
                        language.compatibility,
                        language.strictDocuments,
                        language.typescript,
                        version(),
                        language.libraries),
                limits.of(workers.threads),
                logLevel,
                source.keyspace.bucket(),
                redisUri,
                aliases,
                handler.withAccess(access));
    }

    /** Returns a copy that handles changes in another way. */
    public FunctionSpec withHandling(Handling other) {
        return copy(code, handler, other);
    }

    /** Returns a copy with other code. */
    public FunctionSpec withCode(String other) {
        return copy(other, handler, handling);
    }

    /** Returns a copy with other constants. */
    public FunctionSpec withConstants(List<HandlerSettings.Constant> others) {
        return copy(code, handler.withConstants(others), handling);
    }

    /** Returns a copy whose code imports these libraries. */
    public FunctionSpec withLibraries(List<WorkerSetup.Library> others) {
        return new FunctionSpec(
                identity,
                code,
                language.withLibraries(others),
                source,
                metadata,
                workers,
                limits,
                checkpointInterval,
                logLevel,
                aliases,
                handler,
                handling);
    }

    /** Returns a copy with another number of workers. */
    public FunctionSpec withWorkers(int count) {
        return new FunctionSpec(
                identity,
                code,
                language,
                source,
                metadata,
                new Workers(count, workers.threads, workers.placement),
                limits,
                checkpointInterval,
                logLevel,
                aliases,
                handler,
                handling);
    }

    /** Returns a copy whose timers are in this many shards of the metadata bucket. */
    public FunctionSpec withTimerShards(int shards) {
        return copy(code, handler.withTimerShards(shards), handling);
    }

    private FunctionSpec copy(String otherCode, HandlerSettings otherHandler, Handling otherHandling) {
        return new FunctionSpec(
                identity,
                otherCode,
                language,
                source,
                metadata,
                workers,
                limits,
                checkpointInterval,
                logLevel,
                aliases,
                otherHandler,
                otherHandling);
    }

    private static void requirePositive(Duration duration, String what) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("The " + what + " must be longer than 0: " + duration);
        }
    }
}
