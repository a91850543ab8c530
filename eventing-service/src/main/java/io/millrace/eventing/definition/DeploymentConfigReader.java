package io.millrace.eventing.definition;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.definition.DeploymentConfig.BucketBinding;
import io.millrace.eventing.definition.DeploymentConfig.ConstantBinding;
import io.millrace.eventing.definition.DeploymentConfig.CurlBinding;
import io.millrace.eventing.definition.DeploymentConfig.EventSource;
import io.millrace.eventing.definition.DeploymentConfig.SqlBinding;
import io.millrace.eventing.definition.DeploymentConfig.TopicBinding;
import io.millrace.workerprotocol.KafkaClusters;
import io.millrace.workerprotocol.TopicFormat;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads {@code depcfg}; fails with ERR_INVALID_CONFIG naming the part that is wrong. */
final class DeploymentConfigReader {

    static final int MAX_BINDINGS = 256;
    static final int MAX_TEXT_CHARS = 65_536;

    static final Set<String> KNOWN = Set.of(
            "source_bucket",
            "source_scope",
            "source_collection",
            "source_category",
            "source_position",
            "source_topic",
            "source_cluster",
            "source_kind",
            "source_time",
            "metadata_bucket",
            "metadata_scope",
            "metadata_collection",
            "buckets",
            "curl",
            "sql",
            "topics",
            "constants");
    static final String PASSWORD_SECRET = "password_secret";
    static final String BEARER_KEY_SECRET = "bearer_key_secret";

    static final Set<String> BUCKET_MEMBERS = Set.of("alias", "bucket_name", "scope_name", "collection_name", "access");
    static final Set<String> CURL_MEMBERS = Set.of(
            "hostname",
            "value",
            "auth_type",
            "username",
            "password",
            PASSWORD_SECRET,
            "bearer_key",
            BEARER_KEY_SECRET,
            "allow_cookies",
            "validate_ssl_certificate");
    static final Set<String> SQL_MEMBERS = Set.of(
            "value", "url", "username", "password", PASSWORD_SECRET, "read_only", "max_rows", "timeout", "pool_size");
    static final Set<String> CONSTANT_MEMBERS = Set.of("value", "literal");
    static final Set<String> AUTH_TYPES = Set.of("no-auth", "basic", "bearer", "digest");
    static final Pattern JDBC_URL = Pattern.compile("jdbc:[A-Za-z][A-Za-z0-9]*:\\S+");
    static final int STANDARD_ROWS = 1_000;
    static final int MAX_ROWS = 100_000;
    static final int STANDARD_SQL_SECONDS = 10;
    static final int MAX_SQL_SECONDS = 3_600;
    static final int STANDARD_POOL_SIZE = 2;
    static final int MAX_POOL_SIZE = 64;
    static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.%-]{0,99}");
    static final Pattern SCOPE_OR_COLLECTION = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_%-]{0,250}");

    /** What can be the source of a function; the first one in Redis is the usual one. */
    static final List<TopicBinding.Kind> SOURCE_KINDS =
            List.of(TopicBinding.Kind.REDIS_STREAM, TopicBinding.Kind.REDIS_CHANNEL, TopicBinding.Kind.KAFKA);

    static final Pattern CATEGORY = Pattern.compile("[^-\\p{Cntrl}]{1,100}");
    static final long MAX_POSITION = (1L << 53) - 1;

    private final JsonNode depcfg;
    private final Aliases aliases = new Aliases("Alias");
    private final List<String> ignored;

    /** @param ignored receives the names of unknown fields */
    DeploymentConfigReader(JsonNode depcfg, List<String> ignored) {
        if (!depcfg.isObject()) {
            throw FunctionsException.invalidConfig(
                    "depcfg is required: an object with source_bucket and metadata_bucket.");
        }
        this.depcfg = depcfg;
        this.ignored = ignored;
        depcfg.propertyNames().stream()
                .filter(name -> !KNOWN.contains(name))
                .forEach(name -> ignored.add("depcfg." + name));
    }

    DeploymentConfig read() {
        EventSource events = events();
        Keyspace source = events == null
                ? keyspace(depcfg, "source_bucket", "source_scope", "source_collection", true)
                : events.ofTopic() ? DeploymentConfig.TOPICS : DeploymentConfig.STREAMS;
        Keyspace metadata = keyspace(depcfg, "metadata_bucket", "metadata_scope", "metadata_collection", false);
        if (source.equals(metadata)) {
            throw FunctionsException.of(
                    ErrorCode.ERR_SRC_MB_SAME,
                    "Source keyspace and metadata keyspace are both %s; they must differ.".formatted(source));
        }
        List<BucketBinding> buckets = new ArrayList<>();
        for (JsonNode binding : bindings("buckets")) {
            buckets.add(bucketBinding(binding));
        }
        List<CurlBinding> curl = new ArrayList<>();
        for (JsonNode binding : bindings("curl")) {
            curl.add(curlBinding(binding));
        }
        List<SqlBinding> sql = new ArrayList<>();
        for (JsonNode binding : bindings("sql")) {
            sql.add(sqlBinding(binding));
        }
        List<TopicBinding> topics = new ArrayList<>();
        for (JsonNode binding : bindings("topics")) {
            topics.add(topicBinding(binding, curl));
        }
        List<ConstantBinding> constants = new ArrayList<>();
        for (JsonNode binding : bindings("constants")) {
            constants.add(constantBinding(binding));
        }
        return new DeploymentConfig(source, events, metadata, buckets, curl, sql, topics, constants);
    }

    /** Reads the source of a function that handles events. */
    private @Nullable EventSource events() {
        String category = text(depcfg, "source_category", "");
        JsonNode position = depcfg.path("source_position");
        boolean positioned = !position.isMissingNode() && !position.isNull();
        if (!text(depcfg, "source_topic", "").isEmpty()) {
            return messages();
        }
        if (!text(depcfg, "source_cluster", "").isEmpty()) {
            throw FunctionsException.invalidConfig(
                    "source_cluster is the Kafka cluster of a topic, so it needs source_topic.");
        }
        if (!text(depcfg, "source_kind", "").isEmpty()) {
            throw FunctionsException.invalidConfig("source_kind is the kind of a topic, so it needs source_topic.");
        }
        if (!text(depcfg, "source_time", "").isEmpty()) {
            throw FunctionsException.invalidConfig("source_time is a time among messages, so it needs source_topic.");
        }
        if (category.isEmpty()) {
            if (positioned) {
                throw FunctionsException.invalidConfig(
                        "source_position is a place among events, so it needs source_category.");
            }
            return null;
        }
        for (String field : List.of("source_bucket", "source_scope", "source_collection")) {
            if (!text(depcfg, field, "").isEmpty()) {
                throw FunctionsException.invalidConfig(
                        "depcfg has both source_category and %s; a function handles either events or documents, so remove one of them."
                                .formatted(field));
            }
        }
        if (!CATEGORY.matcher(category).matches()) {
            throw FunctionsException.invalidConfig(
                    "source_category '%s' is not a category: 1 to 100 characters without hyphens, as in the names of streams, CATEGORY-ID."
                            .formatted(category));
        }
        if (positioned
                && (!position.isIntegralNumber()
                        || !position.canConvertToLong()
                        || position.longValue() < 0
                        || position.longValue() > MAX_POSITION)) {
            throw FunctionsException.invalidConfig(
                    "source_position must be a whole number from 0 to %d, such as the seq of an event."
                            .formatted(MAX_POSITION));
        }
        return new EventSource(category, positioned ? position.longValue() : 0);
    }

    /** Reads the source of a function that handles messages. */
    private EventSource messages() {
        for (String field : List.of("source_bucket", "source_scope", "source_collection", "source_category")) {
            if (!text(depcfg, field, "").isEmpty()) {
                throw FunctionsException.invalidConfig(
                        "depcfg has both source_topic and %s; a function has one source, so remove one of them."
                                .formatted(field));
            }
        }
        if (depcfg.has("source_position")) {
            throw FunctionsException.invalidConfig(
                    "source_position is a place among events of streams; give a topic source_time instead.");
        }
        String topic = text(depcfg, "source_topic", "");
        TopicBinding.Kind kind = kindOfSource();
        if (kind == TopicBinding.Kind.KAFKA) {
            return kafkaMessages(topic, text(depcfg, "source_cluster", ""));
        }
        if (!TopicFormat.NAME.matcher(topic).matches()) {
            throw FunctionsException.invalidConfig(
                    "source_topic must have 1 to 200 letters, digits, dots, colons, hyphens and underscores.");
        }
        if (kind != TopicBinding.Kind.REDIS_CHANNEL) {
            return new EventSource(topic, "", since());
        }
        if (since() > 0) {
            throw FunctionsException.invalidConfig(
                    "source_time is a time among messages that are kept; a channel keeps none, so remove it.");
        }
        return EventSource.ofChannel(topic);
    }

    /** Returns the time from which messages are handled, in milliseconds since 1970; 0 for none. */
    private long since() {
        String given = text(depcfg, "source_time", "");
        try {
            long millis = given.isEmpty() ? 0 : Instant.parse(given).toEpochMilli();
            if (millis > 0 || given.isEmpty()) {
                return millis;
            }
        } catch (DateTimeException | ArithmeticException invalid) {
            // said below
        }
        throw FunctionsException.invalidConfig(
                "source_time must be a time since 1970 such as 2026-01-31T12:00:00Z, not '%s'.".formatted(given));
    }

    private TopicBinding.Kind kindOfSource() {
        boolean clustered = depcfg.has("source_cluster");
        String given = text(depcfg, "source_kind", "");
        TopicBinding.Kind kind = SOURCE_KINDS.stream()
                .filter(known -> given.isEmpty()
                        ? clustered == (known == TopicBinding.Kind.KAFKA)
                        : known.label().equals(given))
                .findFirst()
                .orElseThrow(() -> FunctionsException.invalidConfig(
                        "source_kind must be redis-stream, redis-channel or kafka, not '%s'.".formatted(given)));
        if (clustered && kind != TopicBinding.Kind.KAFKA) {
            throw FunctionsException.invalidConfig(
                    "source_cluster is the Kafka cluster of a topic, and source_kind is %s; remove one of them."
                            .formatted(given));
        }
        return kind;
    }

    private EventSource kafkaMessages(String topic, String cluster) {
        if (!KafkaClusters.NAME.matcher(cluster).matches()) {
            throw FunctionsException.invalidConfig(
                    "source_cluster must be the name of a Kafka cluster: 1 to 100 letters, digits, hyphens and underscores.");
        }
        if (!KafkaClusters.TOPIC.matcher(topic).matches()) {
            throw FunctionsException.invalidConfig(
                    "source_topic must have 1 to 249 letters, digits, dots, hyphens and underscores.");
        }
        return new EventSource(topic, cluster, since());
    }

    private List<JsonNode> bindings(String name) {
        JsonNode list = depcfg.path(name);
        if (list.isMissingNode() || list.isNull()) {
            return List.of();
        }
        if (!list.isArray()) {
            throw FunctionsException.invalidConfig("depcfg.%s must be an array.".formatted(name));
        }
        if (list.size() > MAX_BINDINGS) {
            throw FunctionsException.invalidConfig(
                    "depcfg.%s has %d bindings, at most %d are allowed.".formatted(name, list.size(), MAX_BINDINGS));
        }
        for (JsonNode binding : list) {
            if (!binding.isObject()) {
                throw FunctionsException.invalidConfig("The elements of depcfg.%s must be objects.".formatted(name));
            }
        }
        return list.valueStream().toList();
    }

    private BucketBinding bucketBinding(JsonNode binding) {
        note(binding, "buckets", BUCKET_MEMBERS);
        String alias = text(binding, "alias", "");
        aliases.add(alias);
        String access = text(binding, "access", "rw");
        if (!access.equals("r") && !access.equals("rw")) {
            throw FunctionsException.invalidConfig(
                    "Access of alias '%s' is '%s'; it must be 'r' or 'rw'.".formatted(alias, access));
        }
        Keyspace target = keyspace(binding, "bucket_name", "scope_name", "collection_name", true);
        return new BucketBinding(alias, target, access.equals("rw"));
    }

    private CurlBinding curlBinding(JsonNode binding) {
        note(binding, "curl", CURL_MEMBERS);
        String alias = text(binding, "value", "");
        aliases.add(alias);
        String hostname = text(binding, "hostname", "");
        if (!isHttpUrl(hostname)) {
            throw FunctionsException.invalidConfig(
                    "hostname of alias '%s' must be an http or https URL without a user name in it.".formatted(alias));
        }
        String authType = text(binding, "auth_type", "no-auth").toLowerCase(Locale.ROOT);
        if (!AUTH_TYPES.contains(authType)) {
            throw FunctionsException.invalidConfig(
                    "auth_type of alias '%s' must be one of no-auth, basic, bearer, digest.".formatted(alias));
        }
        return new CurlBinding(
                alias,
                hostname,
                authType,
                text(binding, "username", ""),
                credential(binding, "password", PASSWORD_SECRET, alias),
                credential(binding, "bearer_key", BEARER_KEY_SECRET, alias),
                flag(binding, "allow_cookies"),
                flag(binding, "validate_ssl_certificate"));
    }

    private SqlBinding sqlBinding(JsonNode binding) {
        note(binding, "sql", SQL_MEMBERS);
        String alias = text(binding, "value", "");
        aliases.add(alias);
        String url = text(binding, "url", "");
        if (!JDBC_URL.matcher(url).matches()) {
            throw FunctionsException.invalidConfig(
                    "url of alias '%s' must be a JDBC URL such as jdbc:postgresql://host:5432/database."
                            .formatted(alias));
        }
        return new SqlBinding(
                alias,
                url,
                text(binding, "username", ""),
                credential(binding, "password", PASSWORD_SECRET, alias),
                flag(binding, "read_only"),
                whole(binding, "max_rows", STANDARD_ROWS, MAX_ROWS),
                whole(binding, "timeout", STANDARD_SQL_SECONDS, MAX_SQL_SECONDS),
                whole(binding, "pool_size", STANDARD_POOL_SIZE, MAX_POOL_SIZE));
    }

    private TopicBinding topicBinding(JsonNode binding, List<CurlBinding> urls) {
        note(binding, "topics", TopicBindingReader.MEMBERS);
        TopicBinding read = TopicBindingReader.read(binding, urls);
        aliases.add(read.alias());
        return read;
    }

    static int whole(JsonNode node, String field, int standard, int most) {
        JsonNode value = node.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return standard;
        }
        if (!value.canConvertToExactIntegral()
                || !value.canConvertToInt()
                || value.intValue() < 1
                || value.intValue() > most) {
            throw FunctionsException.invalidConfig("%s must be a whole number from 1 to %d.".formatted(field, most));
        }
        return value.intValue();
    }

    private static Credential credential(JsonNode binding, String field, String secretField, String alias) {
        Credential clear = Credential.clear(text(binding, field, ""));
        String secret = text(binding, secretField, "");
        if (secret.isEmpty()) {
            return clear;
        }
        if (clear.open()) {
            throw FunctionsException.invalidConfig(
                    "The binding '%s' has both %s and %s; use one of them.".formatted(alias, field, secretField));
        }
        return Credential.secret(secret);
    }

    private static boolean isHttpUrl(String text) {
        try {
            URI uri = URI.create(text);
            return uri.getHost() != null
                    && uri.getUserInfo() == null
                    && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
        } catch (IllegalArgumentException notAnUri) {
            return false;
        }
    }

    private ConstantBinding constantBinding(JsonNode binding) {
        note(binding, "constants", CONSTANT_MEMBERS);
        String alias = text(binding, "value", "");
        aliases.add(alias);
        String literal = text(binding, "literal", "");
        if (literal.isBlank()) {
            throw FunctionsException.invalidConfig("Constant '%s' has no literal.".formatted(alias));
        }
        return new ConstantBinding(alias, literal);
    }

    private static Keyspace keyspace(
            JsonNode node, String bucketField, String scopeField, String collectionField, boolean wildcards) {
        String bucket = text(node, bucketField, "");
        if (bucket.isEmpty()) {
            throw FunctionsException.invalidConfig("%s is required.".formatted(bucketField));
        }
        if (!BUCKET.matcher(bucket).matches()) {
            throw FunctionsException.invalidConfig(
                    "%s '%s' is not a valid bucket name.".formatted(bucketField, bucket));
        }
        String scope = part(node, scopeField, wildcards);
        String collection = part(node, collectionField, wildcards);
        if (scope.equals(DeploymentConfig.WILDCARD) && !collection.equals(DeploymentConfig.WILDCARD)) {
            throw FunctionsException.invalidConfig(
                    "%s is '*', so %s must be '*' too.".formatted(scopeField, collectionField));
        }
        return new Keyspace(bucket, scope, collection);
    }

    private static String part(JsonNode node, String field, boolean wildcards) {
        String name = text(node, field, Keyspace.DEFAULT);
        if (name.isEmpty()) {
            return Keyspace.DEFAULT;
        }
        if (name.equals(DeploymentConfig.WILDCARD)) {
            if (!wildcards) {
                throw FunctionsException.invalidConfig("%s cannot be '*'.".formatted(field));
            }
            return name;
        }
        if (!SCOPE_OR_COLLECTION.matcher(name).matches()) {
            throw FunctionsException.invalidConfig("%s '%s' is not a valid name.".formatted(field, name));
        }
        return name;
    }

    static String text(JsonNode node, String field, String standard) {
        JsonNode value = node.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return standard;
        }
        if (!value.isString()) {
            throw FunctionsException.invalidConfig("%s must be a string.".formatted(field));
        }
        if (value.stringValue().length() > MAX_TEXT_CHARS) {
            throw FunctionsException.invalidConfig("%s has more than %d characters.".formatted(field, MAX_TEXT_CHARS));
        }
        return value.stringValue();
    }

    static boolean flag(JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return false;
        }
        if (!value.isBoolean()) {
            throw FunctionsException.invalidConfig("%s must be true or false.".formatted(field));
        }
        return value.booleanValue();
    }

    private void note(JsonNode binding, String list, Set<String> known) {
        binding.propertyNames().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> ignored.add("depcfg." + list + "." + name));
    }
}
