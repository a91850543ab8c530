package io.millrace.eventing.definition;

import io.millrace.eventing.definition.DeploymentConfig.BucketBinding;
import io.millrace.eventing.definition.DeploymentConfig.ConstantBinding;
import io.millrace.eventing.definition.DeploymentConfig.CurlBinding;
import io.millrace.eventing.definition.DeploymentConfig.EventSource;
import io.millrace.eventing.definition.DeploymentConfig.SqlBinding;
import io.millrace.eventing.definition.DeploymentConfig.TopicBinding;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes definitions in Couchbase's JSON, which is also the format of exports. */
public final class DefinitionWriter {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private DefinitionWriter() {}

    /** How secrets are written. */
    public enum Secrets {
        /** All by name, as definitions are stored. */
        NAMED,
        /** Those with a name of a user by this name, others masked. */
        MASKED
    }

    public static ObjectNode definition(FunctionDefinition definition, LifecycleFlags flags, Secrets secrets) {
        ObjectNode json = NODES.objectNode();
        json.put("appcode", definition.code());
        json.set("depcfg", deployment(definition.deployment(), secrets));
        json.put("version", FunctionDefinition.VERSION);
        json.put("enforce_schema", definition.enforceSchema());
        json.put("handleruuid", definition.handlerUuid());
        json.put("function_instance_id", definition.instanceId());
        json.put("appname", definition.name().name());
        json.set("settings", settings(definition.settings(), flags));
        json.set("function_scope", scope(definition.name()));
        return json;
    }

    public static ObjectNode scope(FunctionName name) {
        return NODES.objectNode().put("bucket", name.bucket()).put("scope", name.scope());
    }

    public static ObjectNode settings(Settings settings, LifecycleFlags flags) {
        ObjectNode json = NODES.objectNode();
        json.put(Settings.DEPLOYMENT_STATUS, flags.deployment());
        json.put(Settings.PROCESSING_STATUS, flags.processing());
        for (Map.Entry<String, Object> setting : settings.values().entrySet()) {
            json.set(setting.getKey(), value(setting.getValue()));
        }
        return json;
    }

    private static JsonNode value(Object value) {
        return switch (value) {
            case Long number -> NODES.numberNode(number);
            case Boolean flag -> NODES.booleanNode(flag);
            case String text -> NODES.stringNode(text);
            case Collection<?> lines -> {
                ArrayNode array = NODES.arrayNode();
                lines.forEach(line -> array.add(line.toString()));
                yield array;
            }
            case Env env -> env.json();
            case SecretNames secrets -> secrets.json();
            case RequestPaths paths -> paths.json();
            case JsonNode historical -> historical;
            default -> throw new IllegalStateException("No setting has a " + value.getClass());
        };
    }

    public static ObjectNode deployment(DeploymentConfig deployment, Secrets secrets) {
        ObjectNode json = NODES.objectNode();
        ArrayNode buckets = json.putArray("buckets");
        for (BucketBinding binding : deployment.buckets()) {
            buckets.addObject()
                    .put("alias", binding.alias())
                    .put("bucket_name", binding.target().bucket())
                    .put("scope_name", binding.target().scope())
                    .put("collection_name", binding.target().collection())
                    .put("access", binding.writable() ? "rw" : "r");
        }
        ArrayNode curl = json.putArray("curl");
        for (CurlBinding binding : deployment.curl()) {
            ObjectNode one = curl.addObject()
                    .put("hostname", binding.hostname())
                    .put("value", binding.alias())
                    .put("auth_type", binding.authType())
                    .put("username", binding.username())
                    .put("password", text(binding.password(), secrets))
                    .put("bearer_key", text(binding.bearerKey(), secrets))
                    .put("allow_cookies", binding.allowCookies())
                    .put("validate_ssl_certificate", binding.validateSslCertificate());
            name(one, DeploymentConfigReader.PASSWORD_SECRET, binding.password(), secrets);
            name(one, DeploymentConfigReader.BEARER_KEY_SECRET, binding.bearerKey(), secrets);
        }
        if (!deployment.sql().isEmpty()) {
            ArrayNode sql = json.putArray("sql");
            deployment.sql().forEach(binding -> sql(sql.addObject(), binding, secrets));
        }
        if (!deployment.topics().isEmpty()) {
            ArrayNode topics = json.putArray("topics");
            deployment.topics().forEach(binding -> topic(topics.addObject(), binding, secrets));
        }
        ArrayNode constants = json.putArray("constants");
        for (ConstantBinding binding : deployment.constants()) {
            constants.addObject().put("value", binding.alias()).put("literal", binding.literal());
        }
        EventSource events = deployment.events();
        if (events == null) {
            json.put("source_bucket", deployment.source().bucket());
            json.put("source_scope", deployment.source().scope());
            json.put("source_collection", deployment.source().collection());
        } else if (events.ofTopic()) {
            if (events.ofKafka()) {
                json.put("source_cluster", events.cluster());
            }
            if (events.channel()) {
                json.put("source_kind", events.kind().label());
            }
            json.put("source_topic", events.topic());
            if (events.after() > 0) {
                json.put("source_time", Instant.ofEpochMilli(events.after()).toString());
            }
        } else {
            json.put("source_category", events.category());
            if (events.after() > 0) {
                json.put("source_position", events.after());
            }
        }
        json.put("metadata_bucket", deployment.metadata().bucket());
        json.put("metadata_scope", deployment.metadata().scope());
        json.put("metadata_collection", deployment.metadata().collection());
        return json;
    }

    private static void topic(ObjectNode json, TopicBinding binding, Secrets secrets) {
        json.put("value", binding.alias()).put("kind", binding.kind().label());
        if (binding.kind() == TopicBinding.Kind.KAFKA) {
            json.put("cluster", binding.cluster());
        }
        json.put("topic", binding.topic());
        if (binding.kind() == TopicBinding.Kind.REDIS_STREAM) {
            json.put("max_length", binding.maxLength());
        }
        if (binding.kind() == TopicBinding.Kind.CLOUDEVENTS) {
            json.put("url", binding.url());
            name(json, TopicBindingReader.SIGNING_SECRET, binding.signing(), secrets);
        }
    }

    private static void sql(ObjectNode json, SqlBinding binding, Secrets secrets) {
        json.put("value", binding.alias())
                .put("url", binding.url())
                .put("username", binding.username())
                .put("password", text(binding.password(), secrets))
                .put("read_only", binding.readOnly())
                .put("max_rows", binding.mostRows())
                .put("timeout", binding.timeoutSeconds())
                .put("pool_size", binding.poolSize());
        name(json, DeploymentConfigReader.PASSWORD_SECRET, binding.password(), secrets);
    }

    private static String text(Credential credential, Secrets secrets) {
        if (secrets == Secrets.NAMED) {
            return credential.clear();
        }
        return credential.clear().isEmpty() && !credential.generated() ? "" : Credential.MASK;
    }

    private static void name(ObjectNode json, String field, Credential credential, Secrets secrets) {
        boolean shown = secrets == Secrets.NAMED || !credential.generated();
        if (shown && !credential.secret().isEmpty()) {
            json.put(field, credential.secret());
        }
    }
}
