package io.millrace.eventing.definition;

import io.millrace.workerprotocol.KafkaClusters;
import io.millrace.workerprotocol.TopicFormat;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON schema of function.json, made from the rules by which the service reads definitions. */
final class FunctionSchema {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String IDENTIFIER = "#/$defs/identifier";

    private FunctionSchema() {}

    static ObjectNode of() {
        ObjectNode schema = JSON.createObjectNode()
                .put("$schema", "https://json-schema.org/draft/2020-12/schema")
                .put("title", "A function of Millrace")
                .put("description", "Name, keyspaces, bindings and settings. Made from the code of the service.");
        ObjectNode members = object(schema, DefinitionReader.KNOWN);
        schema.putArray("required").add("appname").add("depcfg");
        members.putObject("$schema").put("type", "string");
        name(members.putObject("appname"));
        members.putObject("appcode").put("type", "string").put("description", "The code; in files it is in handler.js");
        depcfg(members.putObject("depcfg"));
        settings(members.putObject("settings"));
        identifier(schema.putObject("$defs").putObject("identifier"));
        return schema;
    }

    /** Adds members that may have any value, and allows no others; rules replace those that have one. */
    private static ObjectNode object(ObjectNode schema, Collection<String> members) {
        schema.put("type", "object").put("additionalProperties", false);
        ObjectNode properties = schema.putObject("properties");
        new TreeSet<>(members).forEach(properties::putObject);
        return properties;
    }

    private static void name(ObjectNode schema) {
        schema.put("type", "string")
                .put("pattern", whole(FunctionName.NAME))
                .put("maxLength", FunctionName.MAX_CHARS)
                .put("description", "The name of the function");
    }

    private static String whole(Pattern pattern) {
        return "^(?:" + pattern + ")$";
    }

    private static void depcfg(ObjectNode schema) {
        ObjectNode members = object(schema, DeploymentConfigReader.KNOWN);
        schema.put("description", "Keyspaces and bindings");
        schema.putArray("required").add("metadata_bucket");
        source(schema, members);
        keyspace(members, "source_bucket", "source_scope", "source_collection", true);
        keyspace(members, "metadata_bucket", "metadata_scope", "metadata_collection", false);
        ObjectNode bucket = binding(
                members,
                "buckets",
                "Buckets that the code sees by their aliases",
                DeploymentConfigReader.BUCKET_MEMBERS);
        alias(bucket, "alias");
        keyspace(bucket, "bucket_name", "scope_name", "collection_name", true);
        choice(bucket.putObject("access"), List.of("r", "rw")).put("default", "rw");
        ObjectNode url =
                binding(members, "curl", "URLs that the code may call with curl", DeploymentConfigReader.CURL_MEMBERS);
        alias(url, "value");
        url.putObject("hostname").put("type", "string").put("pattern", "^https?://[^@/]+(?:/.*)?$");
        choice(url.putObject("auth_type"), new TreeSet<>(DeploymentConfigReader.AUTH_TYPES))
                .put("default", "no-auth");
        Stream.of("username", "password", "password_secret", "bearer_key", "bearer_key_secret")
                .forEach(text -> url.putObject(text).put("type", "string"));
        Stream.of("allow_cookies", "validate_ssl_certificate")
                .forEach(flag -> url.putObject(flag).put("type", "boolean"));
        database(binding(
                members,
                "sql",
                "Databases in which the code runs statements with sql",
                DeploymentConfigReader.SQL_MEMBERS));
        topic(binding(
                members, "topics", "Topics to which the code sends messages with publish", TopicBindingReader.MEMBERS));
        ObjectNode constant =
                binding(members, "constants", "Global constants", DeploymentConfigReader.CONSTANT_MEMBERS);
        alias(constant, "value");
        constant.putObject("literal")
                .put("type", "string")
                .put("pattern", "\\S")
                .put("description", "JavaScript");
    }

    private static void source(ObjectNode schema, ObjectNode members) {
        ArrayNode sources = schema.putArray("oneOf");
        sources.addObject().putArray("required").add("source_bucket");
        ObjectNode events = sources.addObject();
        events.putArray("required").add("source_category");
        sources.addObject().putArray("required").add("source_topic");
        ArrayNode others = events.putObject("not").putArray("anyOf");
        Stream.of("source_scope", "source_collection")
                .forEach(part -> others.addObject().putArray("required").add(part));
        members.putObject("source_category")
                .put("type", "string")
                .put("pattern", whole(DeploymentConfigReader.CATEGORY))
                .put("description", "Handles the events of the event streams of this category, in place of documents");
        members.putObject("source_topic")
                .put("type", "string")
                .put("pattern", "%s|%s".formatted(whole(TopicFormat.NAME), whole(KafkaClusters.TOPIC)))
                .put("description", "Handles the messages of this topic, in place of documents");
        members.putObject("source_cluster")
                .put("type", "string")
                .put("pattern", whole(KafkaClusters.NAME))
                .put(
                        "description",
                        "With source_topic: the Kafka cluster of the topic; without it, the topic is in Redis");
        ObjectNode kind = members.putObject("source_kind")
                .put("type", "string")
                .put(
                        "description",
                        "With source_topic: redis-stream, which is usual; redis-channel, whose messages are delivered at most"
                                + " once: those that are published while no node listens are lost; or kafka");
        ArrayNode kinds = kind.putArray("enum");
        DeploymentConfigReader.SOURCE_KINDS.forEach(each -> kinds.add(each.label()));
        members.putObject("source_time")
                .put("type", "string")
                .put("format", "date-time")
                .put(
                        "description",
                        "With source_topic: leaves out messages before this time, such as 2026-01-31T12:00:00Z");
        members.putObject("source_position")
                .put("type", "integer")
                .put("minimum", 0)
                .put("maximum", DeploymentConfigReader.MAX_POSITION)
                .put("description", "With source_category: leaves out events up to this place, the seq of an event");
        ObjectNode together = schema.putObject("dependentRequired");
        together.putArray("source_position").add("source_category");
        together.putArray("source_cluster").add("source_topic");
        together.putArray("source_kind").add("source_topic");
        together.putArray("source_time").add("source_topic");
    }

    private static void database(ObjectNode members) {
        alias(members, "value");
        members.putObject("url").put("type", "string").put("pattern", whole(DeploymentConfigReader.JDBC_URL));
        Stream.of("username", "password", "password_secret")
                .forEach(text -> members.putObject(text).put("type", "string"));
        members.putObject("read_only").put("type", "boolean");
        number(members.putObject("max_rows"), DeploymentConfigReader.MAX_ROWS, DeploymentConfigReader.STANDARD_ROWS);
        number(
                members.putObject("timeout"),
                DeploymentConfigReader.MAX_SQL_SECONDS,
                DeploymentConfigReader.STANDARD_SQL_SECONDS);
        number(
                members.putObject("pool_size"),
                DeploymentConfigReader.MAX_POOL_SIZE,
                DeploymentConfigReader.STANDARD_POOL_SIZE);
    }

    private static void topic(ObjectNode members) {
        alias(members, "value");
        choice(members.putObject("kind"), List.of("cloudevents", "kafka", "redis-channel", "redis-stream"))
                .put("default", "redis-stream");
        members.putObject("cluster").put("type", "string").put("pattern", whole(KafkaClusters.NAME));
        members.putObject("topic")
                .put("type", "string")
                .put("pattern", whole(Pattern.compile(KafkaClusters.TOPIC + "|" + TopicFormat.NAME)));
        number(members.putObject("max_length"), TopicBindingReader.MAX_LENGTH, TopicBindingReader.STANDARD_LENGTH);
        members.putObject("url")
                .put("type", "string")
                .put("description", "For cloudevents: the value of a binding in curl");
        members.putObject(TopicBindingReader.SIGNING_SECRET)
                .put("type", "string")
                .put("description", "For cloudevents: the secret that signs the requests");
    }

    private static void number(ObjectNode schema, int most, int standard) {
        schema.put("type", "integer").put("minimum", 1).put("maximum", most).put("default", standard);
    }

    private static void keyspace(
            ObjectNode members, String bucket, String scope, String collection, boolean wildcards) {
        members.putObject(bucket).put("type", "string").put("pattern", whole(DeploymentConfigReader.BUCKET));
        String name = DeploymentConfigReader.SCOPE_OR_COLLECTION + (wildcards ? "|\\*|" : "|");
        for (String part : List.of(scope, collection)) {
            members.putObject(part)
                    .put("type", "string")
                    .put("pattern", "^(?:" + name + ")$")
                    .put("default", "_default");
        }
    }

    private static ObjectNode binding(ObjectNode members, String name, String description, Set<String> known) {
        ObjectNode list = members.putObject(name)
                .put("type", "array")
                .put("maxItems", DeploymentConfigReader.MAX_BINDINGS)
                .put("description", description);
        ObjectNode item = list.putObject("items");
        ObjectNode properties = object(item, known);
        String[] names = switch (name) {
            case "buckets" -> new String[] {"alias", "bucket_name"};
            case "curl" -> new String[] {"value", "hostname"};
            case "sql" -> new String[] {"value", "url"};
            case "topics" -> new String[] {"value", "topic"};
            default -> new String[] {"value", "literal"};
        };
        Stream.of(names).forEach(item.putArray("required")::add);
        return properties;
    }

    private static void alias(ObjectNode members, String member) {
        members.putObject(member).put("$ref", IDENTIFIER).put("description", "The name that the code uses");
    }

    private static void identifier(ObjectNode schema) {
        schema.put("type", "string").put("pattern", whole(Aliases.IDENTIFIER)).put("maxLength", Aliases.MAX_CHARS);
        Stream<String> queries = Aliases.N1QL.stream().flatMap(word -> Stream.of(word, word.toUpperCase(Locale.ROOT)));
        choice(
                schema.putObject("not"),
                Stream.concat(Stream.of(Aliases.JAVASCRIPT, Aliases.BUILT_IN).flatMap(Set::stream), queries)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static ObjectNode choice(ObjectNode schema, Collection<String> values) {
        values.forEach(schema.putArray("enum")::add);
        return schema;
    }

    private static void settings(ObjectNode schema) {
        schema.put("type", "object").put("additionalProperties", false);
        ObjectNode members = schema.putObject("properties");
        for (Setting setting : Setting.values()) {
            ObjectNode member = members.putObject(setting.jsonName());
            rule(setting.rule(), member);
            if (setting == Setting.CHECKPOINT_INTERVAL) {
                member.put("maximum", 1000L * member.path("maximum").asLong()); // larger values are milliseconds
            }
            member.put("description", setting.description());
            member.set(
                    "default",
                    switch (setting.standard()) {
                        case Env none -> none.json();
                        case SecretNames none -> none.json();
                        default -> JSON.valueToTree(setting.standard());
                    });
        }
        new TreeSet<>(Setting.HISTORICAL)
                .forEach(name -> members.putObject(name)
                        .put("description", "Of other servers; kept without effect")
                        .putArray("type")
                        .add("number")
                        .add("string")
                        .add("boolean")
                        .add("null"));
        Stream.of(Settings.DEPLOYMENT_STATUS, Settings.PROCESSING_STATUS)
                .forEach(flag -> members.putObject(flag).put("type", "boolean"));
        former(members, "ondeploy_timeout", Setting.ON_DEPLOY_TIMEOUT);
        former(members, "function_timeout", Setting.EXECUTION_TIMEOUT);
    }

    private static void former(ObjectNode members, String name, Setting setting) {
        members.putObject(name)
                .put("type", "integer")
                .put("minimum", 1)
                .put("deprecated", true)
                .put("description", "The former name of " + setting.jsonName());
    }

    private static void rule(SettingRule rule, ObjectNode schema) {
        switch (rule) {
            case SettingRule.Whole whole ->
                schema.put("type", "integer").put("minimum", whole.min()).put("maximum", whole.max());
            case SettingRule.Flag ignored -> schema.put("type", "boolean");
            case SettingRule.Text text -> schema.put("type", "string").put("maxLength", text.maxChars());
            case SettingRule.OneOf oneOf -> choice(schema, oneOf.choices());
            case SettingRule.Lines lines -> lines(schema, lines.maxLines(), lines.maxCharsPerLine());
            case SettingRule.CronLines lines -> lines(schema, lines.maxLines(), lines.maxCharsPerLine());
            case SettingRule.Condition condition -> schema.put("type", "string").put("maxLength", condition.maxChars());
            case SettingRule.Folder folder ->
                schema.put("type", "string")
                        .put("maxLength", folder.maxChars())
                        .put("pattern", whole(SettingRule.Folder.PATH));
            case SettingRule.Constants ignored -> constants(schema);
            case SettingRule.Secrets ignored -> secrets(schema);
            case SettingRule.Requests ignored -> schema.put("type", "object");
        }
    }

    private static void lines(ObjectNode schema, int most, int chars) {
        schema.put("type", "array").put("maxItems", most);
        schema.putObject("items").put("type", "string").put("maxLength", chars);
    }

    private static void secrets(ObjectNode schema) {
        schema.put("type", "object").put("maxProperties", SecretNames.MAX_SECRETS);
        schema.putObject("propertyNames").put("$ref", IDENTIFIER);
        schema.putObject("additionalProperties").put("type", "string").put("pattern", whole(SecretNames.NAME));
    }

    private static void constants(ObjectNode schema) {
        schema.put("type", "object").put("maxProperties", Env.MAX_CONSTANTS);
        schema.putObject("propertyNames").put("$ref", IDENTIFIER);
        ObjectNode value = schema.putObject("additionalProperties");
        value.putArray("type").add("number").add("boolean").add("string");
        value.put("maxLength", Env.MAX_CHARS);
    }
}
