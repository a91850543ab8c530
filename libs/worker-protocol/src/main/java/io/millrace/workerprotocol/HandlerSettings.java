package io.millrace.workerprotocol;

import java.util.List;

/**
 * What a handler can use in addition to buckets: constants, URLs, databases, queries and timers, with their limits.
 *
 * @param constants global variables with fixed values
 * @param urls what curl may call
 * @param databases where sql runs statements
 * @param cacheBytes how much {@code couchbase.get} with {@code cache} keeps in a worker
 * @param cacheAgeMillis for how long
 * @param curlMaxResponseBytes the longest answer that curl takes, 0 for any
 * @param access which addresses curl may call and which databases sql may use
 * @param queryCursors how many results of queries a thread may have open
 * @param queryRoles the roles that its queries run with, those of the function's owner
 * @param insight whether calls, times and errors are counted by line
 * @param timers where its timers are stored
 * @param topics where publish sends messages
 */
public record HandlerSettings(
        List<Constant> constants,
        List<Url> urls,
        List<Database> databases,
        long cacheBytes,
        long cacheAgeMillis,
        long curlMaxResponseBytes,
        Access access,
        int queryCursors,
        List<String> queryRoles,
        boolean insight,
        TimerSettings timers,
        List<Topic> topics) {

    /** The defaults. */
    public static final HandlerSettings STANDARD = new HandlerSettings(
            List.of(),
            List.of(),
            List.of(),
            64L << 20,
            1000,
            100L << 20,
            Access.PUBLIC,
            10,
            List.of("admin"),
            true,
            TimerSettings.NONE);

    /** Settings without topics. */
    public HandlerSettings(
            List<Constant> constants,
            List<Url> urls,
            List<Database> databases,
            long cacheBytes,
            long cacheAgeMillis,
            long curlMaxResponseBytes,
            Access access,
            int queryCursors,
            List<String> queryRoles,
            boolean insight,
            TimerSettings timers) {
        this(
                constants,
                urls,
                databases,
                cacheBytes,
                cacheAgeMillis,
                curlMaxResponseBytes,
                access,
                queryCursors,
                queryRoles,
                insight,
                timers,
                List.of());
    }

    public HandlerSettings {
        constants = List.copyOf(constants);
        urls = List.copyOf(urls);
        databases = List.copyOf(databases);
        queryRoles = List.copyOf(queryRoles);
        topics = List.copyOf(topics);
    }

    /** Returns a copy with what the service decides for all functions. */
    public HandlerSettings withAccess(Access other) {
        return copy(constants, other, insight, timers, topics);
    }

    /** Returns a copy that counts by line, or does not. */
    public HandlerSettings withInsight(boolean counted) {
        return copy(constants, access, counted, timers, topics);
    }

    /** Returns a copy with other timers. */
    public HandlerSettings withTimers(TimerSettings others) {
        return copy(constants, access, insight, others, topics);
    }

    /** Returns a copy with timers that are spread over so many shards of the metadata bucket. */
    public HandlerSettings withTimerShards(int shards) {
        return withTimers(timers.withShards(shards));
    }

    /** Returns a copy with other constants. */
    public HandlerSettings withConstants(List<Constant> others) {
        return copy(others, access, insight, timers, topics);
    }

    /** Returns a copy with other topics. */
    public HandlerSettings withTopics(List<Topic> others) {
        return copy(constants, access, insight, timers, others);
    }

    HandlerSettings withReadOnlyDatabases() {
        return new HandlerSettings(
                constants,
                urls,
                databases.stream().map(Database::reading).toList(),
                cacheBytes,
                cacheAgeMillis,
                curlMaxResponseBytes,
                access,
                queryCursors,
                queryRoles,
                insight,
                timers,
                topics);
    }

    private HandlerSettings copy(
            List<Constant> otherConstants,
            Access otherAccess,
            boolean counted,
            TimerSettings otherTimers,
            List<Topic> otherTopics) {
        return new HandlerSettings(
                otherConstants,
                urls,
                databases,
                cacheBytes,
                cacheAgeMillis,
                curlMaxResponseBytes,
                otherAccess,
                queryCursors,
                queryRoles,
                counted,
                otherTimers,
                otherTopics);
    }

    /**
     * What all handlers may reach, as the operator decides. Addresses of Redis, link-local ones and the metadata services of
     * clouds are never called.
     *
     * @param allowed hosts with private addresses that may be called: {@code host} or {@code host:port}
     * @param refused what is never called: {@code host}, {@code host:port} or {@code :port}
     * @param databases what sql may use although it has a private address or no address at all: a JDBC URL, {@code host} or
     *     {@code host:port}
     * @param drivers the directory of the JDBC drivers
     * @param kafka the directory with the settings of the Kafka clusters, which cannot be reached without
     */
    public record Access(
            List<String> allowed, List<String> refused, List<String> databases, String drivers, String kafka) {

        /** Public addresses only. */
        public static final Access PUBLIC = new Access(List.of(), List.of(), List.of(), "drivers", "kafka");

        public Access {
            allowed = List.copyOf(allowed);
            refused = List.copyOf(refused);
            databases = List.copyOf(databases);
        }
    }

    /**
     * Where the timers of a function are stored, and their limits.
     *
     * @param bucket the metadata bucket, "" for nowhere
     * @param shards how many index shards it has, over which the partitions are spread
     * @param functionId the function
     * @param partitions over how many partitions they are spread
     * @param contextBytes the largest context
     * @param attempts how often at most a callback is called that fails
     * @param retryPauseMillis before it is called again; each further pause is twice as long
     * @param documents the scope and the collection, with a dot between them, whose documents keep traces of their
     *     document timers; empty for none
     * @param schedules callbacks that are called again and again, each a line as in crontab
     */
    public record TimerSettings(
            String bucket,
            int shards,
            String functionId,
            int partitions,
            int contextBytes,
            int attempts,
            long retryPauseMillis,
            String documents,
            List<String> schedules) {

        public TimerSettings {
            schedules = List.copyOf(schedules);
        }

        /** Those of a function without a metadata bucket. */
        public static final TimerSettings NONE = new TimerSettings("", 1, "", 1, 0, 1, 0, "", List.of());

        TimerSettings withShards(int number) {
            return new TimerSettings(
                    bucket,
                    number,
                    functionId,
                    partitions,
                    contextBytes,
                    attempts,
                    retryPauseMillis,
                    documents,
                    schedules);
        }
    }

    /** @param literal any JavaScript expression; it may be a secret */
    public record Constant(String name, String literal) {

        /** Leaves out the literal. */
        @Override
        public String toString() {
            return "Constant[name=%s]".formatted(name);
        }
    }

    /**
     * A database under a name.
     *
     * @param url its JDBC URL
     * @param readOnly whether statements that change something are refused
     * @param mostRows a statement with more rows fails
     * @param timeoutMillis the longest that a statement may take
     * @param connections how many connections a worker may have
     */
    public record Database(
            String name,
            String url,
            String username,
            String password,
            boolean readOnly,
            int mostRows,
            long timeoutMillis,
            int connections) {

        Database reading() {
            return new Database(name, url, username, password, true, mostRows, timeoutMillis, connections);
        }

        /** Leaves out the secret. */
        @Override
        public String toString() {
            return "Database[name=%s, url=%s, username=%s]".formatted(name, url, username);
        }
    }

    /**
     * A topic under a name.
     *
     * @param cluster the Kafka cluster, by the name that the operator gave it; "" in Redis
     * @param topic what the topic is called where it is stored
     * @param longest about how many messages a stream keeps; older ones are removed
     * @param url the name of the {@link Url} to which CloudEvents are sent; "" for other kinds
     * @param signingSecret signs the requests; "" for none
     */
    public record Topic(
            String name, Kind kind, String cluster, String topic, long longest, String url, String signingSecret) {

        /** A topic in Redis. */
        public Topic(String name, Kind kind, String topic, long longest) {
            this(name, kind, "", topic, longest);
        }

        /** A topic in Redis or Kafka. */
        public Topic(String name, Kind kind, String cluster, String topic, long longest) {
            this(name, kind, cluster, topic, longest, "", "");
        }

        /** Leaves out the secret. */
        @Override
        public String toString() {
            return "Topic[name=%s, kind=%s, cluster=%s, topic=%s, url=%s]".formatted(name, kind, cluster, topic, url);
        }

        /** What keeps its messages. */
        public enum Kind {
            /** A stream in the Redis of the suite. */
            REDIS_STREAM,
            /** A channel there, which keeps none: who does not listen misses them. */
            REDIS_CHANNEL,
            /** A topic of a Kafka cluster. */
            KAFKA,
            /** CloudEvents that are sent to a URL; the topic is their type. */
            CLOUDEVENTS
        }
    }

    /**
     * A URL under a name.
     *
     * @param url the only one that can be called under this name, with everything below it
     * @param authType {@code no-auth}, {@code basic}, {@code digest} or {@code bearer}
     * @param allowCookies whether cookies of answers are sent with later requests
     * @param validateCertificate false accepts any certificate of the server
     */
    public record Url(
            String name,
            String url,
            String authType,
            String username,
            String password,
            String bearerKey,
            boolean allowCookies,
            boolean validateCertificate) {

        /** Leaves out the secrets. */
        @Override
        public String toString() {
            return "Url[name=%s, url=%s, authType=%s]".formatted(name, url, authType);
        }
    }
}
