package io.millrace.eventing.definition;

import io.millrace.documents.Keyspace;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The source of a function, the keyspace of its metadata and the bindings of its code: {@code depcfg}.
 *
 * @param source scope and collection may be {@code *}
 * @param events which events or messages are handled in place of changes of documents, or null for these
 */
public record DeploymentConfig(
        Keyspace source,
        @Nullable EventSource events,
        Keyspace metadata,
        List<BucketBinding> buckets,
        List<CurlBinding> curl,
        List<SqlBinding> sql,
        List<TopicBinding> topics,
        List<ConstantBinding> constants) {

    public static final String WILDCARD = "*";

    /** Where event streams are stored: the source of a function that handles events. */
    static final Keyspace STREAMS = Keyspace.of("_streams");

    /** The source of a function that handles messages. */
    static final Keyspace TOPICS = Keyspace.of("_topics");

    /**
     * Events of event streams, or messages of a topic.
     *
     * @param category the category of their streams
     * @param after of events, a seqno: only those behind it are handled; of messages, a time in milliseconds since 1970: only those
     *     since then are handled; 0 for all
     * @param topic the topic; empty for event streams
     * @param cluster the Kafka cluster of the topic; empty for topics in Redis
     * @param channel whether the topic is a channel of Redis
     */
    public record EventSource(String category, long after, String topic, String cluster, boolean channel) {

        /** Of events of event streams. */
        public EventSource(String category, long after) {
            this(category, after, "", "", false);
        }

        /** Of messages of a topic. */
        public EventSource(String topic, String cluster) {
            this(topic, cluster, 0);
        }

        /** Of messages of a topic, those since a time. */
        EventSource(String topic, String cluster, long since) {
            this("", since, topic, cluster, false);
        }

        /** Returns that of messages of a channel. */
        static EventSource ofChannel(String topic) {
            return new EventSource("", 0, topic, "", true);
        }

        /** Returns whether the source is a topic. */
        public boolean ofTopic() {
            return !topic.isEmpty();
        }

        /** Returns whether the source is a topic of Kafka. */
        public boolean ofKafka() {
            return !cluster.isEmpty();
        }

        /** Returns the kind of the topic. */
        TopicBinding.Kind kind() {
            return ofKafka()
                    ? TopicBinding.Kind.KAFKA
                    : channel ? TopicBinding.Kind.REDIS_CHANNEL : TopicBinding.Kind.REDIS_STREAM;
        }

        private String shown() {
            String place = ofKafka() ? "kafka:" + cluster + '/' : channel ? "channel:" : "";
            return ofTopic() ? "topic " + place + topic : "event streams " + category;
        }
    }

    public DeploymentConfig {
        buckets = List.copyOf(buckets);
        curl = List.copyOf(curl);
        sql = List.copyOf(sql);
        topics = List.copyOf(topics);
        constants = List.copyOf(constants);
    }

    /** @param target scope and collection may be {@code *} */
    public record BucketBinding(String alias, Keyspace target, boolean writable) {}

    public record CurlBinding(
            String alias,
            String hostname,
            String authType,
            String username,
            Credential password,
            Credential bearerKey,
            boolean allowCookies,
            boolean validateSslCertificate) {

        /** Returns this binding with its masks replaced by the stored secrets, if both name the same account. */
        public CurlBinding withSecretsOf(CurlBinding stored) {
            if (!alias.equals(stored.alias) || !sameAccount(stored)) {
                return this;
            }
            return new CurlBinding(
                    alias,
                    hostname,
                    authType,
                    username,
                    password.masked() ? stored.password : password,
                    bearerKey.masked() ? stored.bearerKey : bearerKey,
                    allowCookies,
                    validateSslCertificate);
        }

        /** Returns this binding with other credentials. */
        public CurlBinding with(Credential otherPassword, Credential otherBearerKey) {
            return new CurlBinding(
                    alias,
                    hostname,
                    authType,
                    username,
                    otherPassword,
                    otherBearerKey,
                    allowCookies,
                    validateSslCertificate);
        }

        /** Returns whether this binding calls the same server in the name of the same user. */
        public boolean sameAccount(CurlBinding other) {
            return hostname.equals(other.hostname)
                    && authType.equals(other.authType)
                    && username.equals(other.username);
        }
    }

    /**
     * A database.
     *
     * @param url its JDBC URL
     * @param mostRows a statement with more rows fails
     * @param timeoutSeconds the longest that a statement may take
     * @param poolSize the most connections of a worker
     */
    public record SqlBinding(
            String alias,
            String url,
            String username,
            Credential password,
            boolean readOnly,
            int mostRows,
            int timeoutSeconds,
            int poolSize) {

        /** Returns this binding with another password. */
        public SqlBinding with(Credential other) {
            return new SqlBinding(alias, url, username, other, readOnly, mostRows, timeoutSeconds, poolSize);
        }

        /** Returns whether this is the same binding to the same database in the name of the same user. */
        public boolean sameAccount(SqlBinding other) {
            return alias.equals(other.alias) && url.equals(other.url) && username.equals(other.username);
        }

        /** Returns this binding with its mask replaced by the stored secret, if both name the same account. */
        SqlBinding withSecretOf(SqlBinding stored) {
            return sameAccount(stored) && password.masked() ? with(stored.password) : this;
        }
    }

    /**
     * A topic to which messages are published.
     *
     * @param cluster the Kafka cluster, by the name that the operator gave it; empty for other kinds
     * @param topic for CloudEvents, their type
     * @param maxLength about how many messages a stream keeps
     * @param url the alias of the URL binding to which CloudEvents are sent; empty for other kinds
     * @param signing the secret that signs CloudEvents, or none
     */
    public record TopicBinding(
            String alias, Kind kind, String cluster, String topic, int maxLength, String url, Credential signing) {

        /** Of a topic in Redis. */
        public TopicBinding(String alias, Kind kind, String topic, int maxLength) {
            this(alias, kind, "", topic, maxLength);
        }

        /** Of a topic in Redis or Kafka. */
        public TopicBinding(String alias, Kind kind, String cluster, String topic, int maxLength) {
            this(alias, kind, cluster, topic, maxLength, "", Credential.NONE);
        }

        /** Returns this binding with another secret. */
        public TopicBinding with(Credential other) {
            return new TopicBinding(alias, kind, cluster, topic, maxLength, url, other);
        }

        /** Returns the topic for people, with where it is. */
        public String shown() {
            return switch (kind) {
                case REDIS_STREAM, REDIS_CHANNEL -> topic;
                case KAFKA -> "kafka:%s/%s".formatted(cluster, topic);
                case CLOUDEVENTS -> "cloudevents:%s/%s".formatted(url, topic);
            };
        }

        /** What keeps the messages. */
        public enum Kind {
            REDIS_STREAM,
            REDIS_CHANNEL,
            KAFKA,
            CLOUDEVENTS;

            /** Returns its name in definitions. */
            public String label() {
                return name().toLowerCase(Locale.ROOT).replace('_', '-');
            }
        }
    }

    public record ConstantBinding(String alias, String literal) {}

    /** Returns this configuration with masks replaced by the secrets of the stored configuration. */
    public DeploymentConfig withSecretsOf(DeploymentConfig stored) {
        List<CurlBinding> unmasked = curl.stream()
                .map(binding ->
                        stored.curl.stream().reduce(binding, CurlBinding::withSecretsOf, (first, second) -> second))
                .toList();
        return withCurl(unmasked)
                .withSql(sql.stream()
                        .map(binding -> stored.sql.stream()
                                .reduce(binding, SqlBinding::withSecretOf, (first, second) -> second))
                        .toList());
    }

    /** Returns this configuration with other URL bindings. */
    public DeploymentConfig withCurl(List<CurlBinding> other) {
        return new DeploymentConfig(source, events, metadata, buckets, other, sql, topics, constants);
    }

    /** Returns this configuration with other database bindings. */
    public DeploymentConfig withSql(List<SqlBinding> other) {
        return new DeploymentConfig(source, events, metadata, buckets, curl, other, topics, constants);
    }

    /** Returns this configuration with other topic bindings. */
    public DeploymentConfig withTopics(List<TopicBinding> other) {
        return new DeploymentConfig(source, events, metadata, buckets, curl, sql, other, constants);
    }

    /** Returns whether a binding has this name. */
    boolean binds(String alias) {
        return Stream.of(
                        buckets.stream().map(BucketBinding::alias),
                        curl.stream().map(CurlBinding::alias),
                        sql.stream().map(SqlBinding::alias),
                        topics.stream().map(TopicBinding::alias),
                        constants.stream().map(ConstantBinding::alias))
                .flatMap(names -> names)
                .anyMatch(alias::equals);
    }

    /** Returns the names of the secrets of all bindings. */
    public List<String> secrets() {
        return Stream.of(
                        curl.stream().flatMap(binding -> Stream.of(binding.password(), binding.bearerKey())),
                        sql.stream().map(SqlBinding::password),
                        topics.stream().map(TopicBinding::signing))
                .flatMap(credentials -> credentials)
                .map(Credential::secret)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Returns the Kafka clusters of the source and of all bindings. */
    public List<String> kafkaClusters() {
        return Stream.concat(
                        Stream.ofNullable(events).map(EventSource::cluster),
                        topics.stream().map(TopicBinding::cluster))
                .filter(cluster -> !cluster.isEmpty())
                .distinct()
                .toList();
    }

    /** Returns whether another configuration has the same source. */
    public boolean sameSource(DeploymentConfig other) {
        return source.equals(other.source) && Objects.equals(events, other.events);
    }

    /** Returns the name of the source for people: a keyspace, a category of event streams, or a topic. */
    public String sourceName() {
        return events == null ? source.toString() : events.shown();
    }

    /** Returns true when the keyspace stands for more than one collection. */
    static boolean wildcard(Keyspace keyspace) {
        return keyspace.scope().equals(WILDCARD) || keyspace.collection().equals(WILDCARD);
    }

    /** Returns true when a write to {@code target} is a change of {@code source}. */
    public static boolean covers(Keyspace source, Keyspace target) {
        return source.bucket().equals(target.bucket())
                && (source.scope().equals(WILDCARD) || source.scope().equals(target.scope()))
                && (source.collection().equals(WILDCARD) || source.collection().equals(target.collection()));
    }

    /** Returns true when a write through a binding to a single collection is a change of {@code source}. */
    public boolean writesTo(Keyspace source) {
        return buckets.stream()
                .anyMatch(binding ->
                        binding.writable() && !wildcard(binding.target()) && covers(source, binding.target()));
    }
}
