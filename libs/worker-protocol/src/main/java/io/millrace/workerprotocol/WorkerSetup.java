package io.millrace.workerprotocol;

import java.util.List;
import java.util.Objects;

/**
 * Everything that a worker needs to run a function; travels as JSON.
 *
 * @param function the function's name
 * @param instance the id of this deployment; mutations that the handler makes carry it as their origin
 * @param source the JavaScript and how to read it
 * @param limits what the worker may use
 * @param logLevel the least severe level that is sent
 * @param sourceBucket the bucket whose changes arrive
 * @param redisUri where documents are stored, as a Redis URI; {@code redis-cluster://host:port,host:port} for a cluster
 * @param aliases the collections that the handler reaches by name
 * @param handler what the handler can use in addition to buckets
 */
public record WorkerSetup(
        String function,
        String instance,
        Source source,
        Limits limits,
        String logLevel,
        String sourceBucket,
        String redisUri,
        List<Alias> aliases,
        HandlerSettings handler) {

    /** The most threads that one worker runs handlers on. */
    public static final int MAX_THREADS = 64;

    /** A function that uses only buckets. */
    public WorkerSetup(
            String function,
            String instance,
            Source source,
            Limits limits,
            String logLevel,
            String sourceBucket,
            String redisUri,
            List<Alias> aliases) {
        this(function, instance, source, limits, logLevel, sourceBucket, redisUri, aliases, HandlerSettings.STANDARD);
    }

    public WorkerSetup {
        Objects.requireNonNull(function, "function");
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(logLevel, "logLevel");
        Objects.requireNonNull(sourceBucket, "sourceBucket");
        Objects.requireNonNull(redisUri, "redisUri");
        aliases = List.copyOf(aliases);
        Objects.requireNonNull(handler, "handler");
    }

    /** Returns a copy in which an invocation may allocate so much. */
    public WorkerSetup withAllocationLimitBytes(long limit) {
        return with(
                new Limits(limits.threads(), limits.executionTimeoutMillis(), limit, limits.writePatienceMillis()),
                handler);
    }

    /** Returns a copy in which an invocation may run so long. */
    public WorkerSetup withExecutionTimeoutMillis(long limit) {
        return with(new Limits(limits.threads(), limit, limits.allocationLimitBytes()), handler);
    }

    /** Returns a copy with other constants. */
    public WorkerSetup withConstants(List<HandlerSettings.Constant> others) {
        return with(limits, handler.withConstants(others));
    }

    /** Returns a copy whose databases refuse statements that change something. */
    public WorkerSetup withReadOnlyDatabases() {
        return with(limits, handler.withReadOnlyDatabases());
    }

    private WorkerSetup with(Limits given, HandlerSettings settings) {
        return new WorkerSetup(function, instance, source, given, logLevel, sourceBucket, redisUri, aliases, settings);
    }

    /** Leaves out the code and the URI, which may hold a password. */
    @Override
    public String toString() {
        return "WorkerSetup[function=%s, instance=%s, threads=%d]".formatted(function, instance, limits.threads());
    }

    /**
     * The code of a function and how to read it.
     *
     * @param code the user's JavaScript or TypeScript, unchanged
     * @param headers lines put before the code, {@code 'use strict';} by default; they do not count in line numbers
     * @param footers lines put after it
     * @param languageCompatibility {@code 5.0.0}, {@code 6.0.0}, {@code 6.5.0}, {@code 6.6.2} or {@code 7.2.0}
     * @param strictDocuments documents are made by JSON.parse instead of decoded when they are read
     * @param typescript the code is TypeScript
     * @param version the number of the version that the code belongs to, 0 for none
     * @param libraries all that the code imports, directly and through others
     */
    public record Source(
            String code,
            List<String> headers,
            List<String> footers,
            String languageCompatibility,
            boolean strictDocuments,
            boolean typescript,
            long version,
            List<Library> libraries) {

        /** Code that imports nothing. */
        public Source(
                String code,
                List<String> headers,
                List<String> footers,
                String languageCompatibility,
                boolean strictDocuments,
                boolean typescript,
                long version) {
            this(code, headers, footers, languageCompatibility, strictDocuments, typescript, version, List.of());
        }

        /** JavaScript without a version. */
        public Source(
                String code,
                List<String> headers,
                List<String> footers,
                String languageCompatibility,
                boolean strictDocuments) {
            this(code, headers, footers, languageCompatibility, strictDocuments, false, 0);
        }

        public Source {
            Objects.requireNonNull(code, "code");
            headers = List.copyOf(headers);
            footers = List.copyOf(footers);
            Objects.requireNonNull(languageCompatibility, "languageCompatibility");
            libraries = List.copyOf(libraries);
        }
    }

    /**
     * A module that the code imports, or another library.
     *
     * @param id {@code NAME@VERSION}
     * @param code JavaScript
     */
    public record Library(String id, String code) {}

    /**
     * What a worker may use.
     *
     * @param threads how many threads run handlers
     * @param executionTimeoutMillis the longest that one invocation may run
     * @param allocationLimitBytes the most that one invocation may hold
     * @param writePatienceMillis how long after it was made a write is repeated while Redis is away or full; then the worker ends
     */
    public record Limits(
            int threads, long executionTimeoutMillis, long allocationLimitBytes, long writePatienceMillis) {

        /** Writes are as patient as an invocation may be long, and at least as patient as is usual. */
        public Limits(int threads, long executionTimeoutMillis, long allocationLimitBytes) {
            this(
                    threads,
                    executionTimeoutMillis,
                    allocationLimitBytes,
                    Math.max(executionTimeoutMillis, WorkerProtocolLimits.MIN_WRITE_PATIENCE_MILLIS));
        }

        public Limits {
            if (threads < 1 || threads > MAX_THREADS) {
                throw new IllegalArgumentException("threads must be 1 to %d: %d".formatted(MAX_THREADS, threads));
            }
            if (executionTimeoutMillis < 1 || allocationLimitBytes < 1) {
                throw new IllegalArgumentException("executionTimeoutMillis and allocationLimitBytes must be positive");
            }
        }
    }

    /**
     * A name under which the handler reaches a collection.
     *
     * @param writable false refuses writes with an EventingError
     */
    public record Alias(String name, String bucket, String scope, String collection, boolean writable) {}
}
