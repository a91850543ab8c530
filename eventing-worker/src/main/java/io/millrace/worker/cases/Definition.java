package io.millrace.worker.cases;

import io.millrace.documents.Keyspace;
import io.millrace.handler.requests.RequestSchema;
import io.millrace.handler.requests.UnusableSchema;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.HandlerSettings.TimerSettings;
import io.millrace.workerprotocol.WorkerSetup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A function as its files define it, for a trial in this process.
 *
 * @param source the collection whose changes it handles; the default one where the definition has a wildcard, and an empty one for
 *     a function on event streams or on a topic
 * @param topic the topic whose messages it handles, or null for none
 * @param requests what OnRequest takes by the setting {@code openapi}, or null for everything
 * @param isPublic whether everyone may call OnRequest
 * @param secrets the names of the constants whose values are secrets
 */
record Definition(
        WorkerSetup setup,
        Keyspace source,
        @Nullable SourceTopic topic,
        @Nullable RequestSchema requests,
        boolean isPublic,
        Collection<String> secrets) {

    private static final String WILDCARD = "*";

    /** Where events of streams and messages come from; it stays empty. */
    private static final String NO_DOCUMENTS = "streams";

    private static final long DEFAULT_ALLOCATION_BYTES = 256L << 20;
    private static final long DEFAULT_TIMEOUT_SECONDS = 60;
    private static final int DEFAULT_CONTEXT_BYTES = 1024;
    private static final int DEFAULT_CURSORS = 10;

    /** Nothing is sent there: a trial has no Redis. */
    private static final String NO_REDIS = "redis://127.0.0.1:1";

    /**
     * Reads a definition with its code; settings that it leaves out have the defaults of the service.
     *
     * @param libraries what the code can import, by {@code NAME@VERSION}
     */
    static Definition of(JsonNode json, Map<String, String> libraries) {
        JsonNode bindings = json.path("depcfg");
        JsonNode settings = json.path("settings");
        SourceTopic topic = SourceTopic.of(bindings);
        Keyspace source = new Keyspace(
                bindings.path("source_bucket")
                        .asString(topic != null || bindings.has("source_category") ? NO_DOCUMENTS : ""),
                one(bindings.path("source_scope")),
                one(bindings.path("source_collection")));
        return new Definition(
                new WorkerSetup(
                        json.path("appname").asString(),
                        "test",
                        new WorkerSetup.Source(
                                json.path("appcode").asString(),
                                settings.has("handler_headers")
                                        ? lines(settings.path("handler_headers"))
                                        : List.of("'use strict';"),
                                lines(settings.path("handler_footers")),
                                settings.path("language_compatibility").asString("7.2.0"),
                                settings.path("strict_documents").asBoolean(false),
                                settings.path("language").asString("").equals("typescript"),
                                0,
                                libraries.entrySet().stream()
                                        .map(library -> new WorkerSetup.Library(library.getKey(), library.getValue()))
                                        .toList()),
                        new WorkerSetup.Limits(
                                1,
                                1000 * settings.path("execution_timeout").asLong(DEFAULT_TIMEOUT_SECONDS),
                                settings.path("allocation_limit").asLong(DEFAULT_ALLOCATION_BYTES)),
                        settings.path("log_level").asString("INFO"),
                        source.bucket(),
                        NO_REDIS,
                        aliases(bindings.path("buckets")),
                        handler(bindings, settings, source)),
                source,
                topic,
                requests(settings.path("openapi")),
                settings.path("request_access").asString("").equals("public"),
                settings.path("secrets").propertyNames());
    }

    private static @Nullable RequestSchema requests(JsonNode setting) {
        try {
            return setting.isEmpty() ? null : RequestSchema.of(setting);
        } catch (UnusableSchema unusable) {
            throw new MalformedCase(String.valueOf(unusable.getMessage()));
        }
    }

    private static String one(JsonNode name) {
        String text = name.asString(Keyspace.DEFAULT);
        return text.equals(WILDCARD) ? Keyspace.DEFAULT : text;
    }

    private static List<String> lines(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }

    private static List<WorkerSetup.Alias> aliases(JsonNode buckets) {
        return buckets.valueStream()
                .map(bucket -> new WorkerSetup.Alias(
                        bucket.path("alias").asString(),
                        bucket.path("bucket_name").asString(),
                        bucket.path("scope_name").asString(Keyspace.DEFAULT),
                        bucket.path("collection_name").asString(Keyspace.DEFAULT),
                        bucket.path("access").asString("rw").equals("rw")))
                .toList();
    }

    /** Returns the function with values that are given in place of the secrets that its code reads, by the constants. */
    WorkerSetup withSecrets(JsonNode given) {
        for (Map.Entry<String, JsonNode> value : given.properties()) {
            if (!secrets.contains(value.getKey()) || !value.getValue().isString()) {
                throw new MalformedCase(
                        "secrets gives texts for constants of the setting secrets; '%s' is not one of %s"
                                .formatted(value.getKey(), secrets));
            }
        }
        return setup.withConstants(setup.handler().constants().stream()
                .map(constant -> given.has(constant.name())
                        ? new HandlerSettings.Constant(
                                constant.name(), given.path(constant.name()).toString())
                        : constant)
                .toList());
    }

    /**
     * Returns the constants of the bindings, then those of the setting {@code env}, then those of {@code secrets}: without a value
     * that is given, the name of one in angle brackets.
     */
    private static List<HandlerSettings.Constant> constants(JsonNode bindings, JsonNode settings) {
        Stream<HandlerSettings.Constant> bound = bindings.path("constants")
                .valueStream()
                .map(constant -> new HandlerSettings.Constant(
                        constant.path("value").asString(),
                        constant.path("literal").asString()));
        Stream<HandlerSettings.Constant> env = settings.path("env").properties().stream()
                .map(constant -> new HandlerSettings.Constant(
                        constant.getKey(), constant.getValue().toString()));
        Stream<HandlerSettings.Constant> secrets = settings.path("secrets").propertyNames().stream()
                .map(name -> new HandlerSettings.Constant(
                        name,
                        JsonNodeFactory.instance.stringNode('<' + name + '>').toString()));
        return Stream.of(bound, env, secrets).flatMap(constants -> constants).toList();
    }

    private static HandlerSettings handler(JsonNode bindings, JsonNode settings, Keyspace source) {
        HandlerSettings standard = HandlerSettings.STANDARD;
        return new HandlerSettings(
                        constants(bindings, settings),
                        bindings.path("curl")
                                .valueStream()
                                .map(url -> new HandlerSettings.Url(
                                        url.path("value").asString(),
                                        url.path("hostname").asString(),
                                        "no-auth",
                                        "",
                                        "",
                                        "",
                                        false,
                                        true))
                                .toList(),
                        bindings.path("sql")
                                .valueStream()
                                .map(database -> new HandlerSettings.Database(
                                        database.path("value").asString(),
                                        database.path("url").asString(),
                                        "",
                                        "",
                                        true,
                                        1,
                                        1,
                                        1))
                                .toList(),
                        standard.cacheBytes(),
                        standard.cacheAgeMillis(),
                        standard.curlMaxResponseBytes(),
                        standard.access(),
                        settings.path("lcb_inst_capacity").asInt(DEFAULT_CURSORS),
                        standard.queryRoles(),
                        false,
                        new TimerSettings(
                                bindings.path("metadata_bucket").asString(""),
                                1,
                                "test",
                                1,
                                settings.path("timer_context_size").asInt(DEFAULT_CONTEXT_BYTES),
                                1,
                                1000,
                                settings.path("language_compatibility")
                                                .asString("")
                                                .equals("5.0.0")
                                        ? source.scope() + '.' + source.collection()
                                        : "",
                                List.of()))
                .withTopics(bindings.path("topics")
                        .valueStream()
                        .map(topic -> new HandlerSettings.Topic(
                                topic.path("value").asString(),
                                HandlerSettings.Topic.Kind.REDIS_STREAM,
                                topic.path("topic").asString(),
                                1))
                        .toList());
    }

    /** Returns every collection that the definition names. */
    List<Keyspace> keyspaces() {
        List<Keyspace> all = new ArrayList<>();
        all.add(source);
        if (!setup.handler().timers().bucket().isEmpty()) {
            all.add(Keyspace.of(setup.handler().timers().bucket()));
        }
        setup.aliases().stream().map(Definition::keyspace).forEach(all::add);
        return all;
    }

    private static Keyspace keyspace(WorkerSetup.Alias alias) {
        return new Keyspace(
                alias.bucket(),
                alias.scope().equals(WILDCARD) ? Keyspace.DEFAULT : alias.scope(),
                alias.collection().equals(WILDCARD) ? Keyspace.DEFAULT : alias.collection());
    }

    /** Returns the collection of an alias, or of a name such as {@code bucket} or {@code bucket.scope.collection}. */
    Keyspace named(String name) {
        Optional<Keyspace> bound = setup.aliases().stream()
                .filter(alias -> alias.name().equals(name))
                .findFirst()
                .map(Definition::keyspace);
        String[] parts = name.split("\\.", -1);
        return bound.orElseGet(
                () -> parts.length == 3 ? new Keyspace(parts[0], parts[1], parts[2]) : Keyspace.of(name));
    }
}
