package io.millrace.eventing.definition;

import io.millrace.eventing.definition.DeploymentConfig.CurlBinding;
import io.millrace.eventing.definition.DeploymentConfig.TopicBinding;
import io.millrace.eventing.definition.DeploymentConfig.TopicBinding.Kind;
import io.millrace.workerprotocol.KafkaClusters;
import io.millrace.workerprotocol.TopicFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Reads one element of {@code depcfg.topics}; fails with ERR_INVALID_CONFIG. */
final class TopicBindingReader {

    static final String SIGNING_SECRET = "signing_secret";
    static final Set<String> MEMBERS = Set.of("value", "kind", "cluster", "topic", "max_length", "url", SIGNING_SECRET);
    static final int STANDARD_LENGTH = 100_000;
    static final int MAX_LENGTH = 100_000_000;

    private final JsonNode binding;
    private final String alias;

    private TopicBindingReader(JsonNode binding) {
        this.binding = binding;
        this.alias = text("value");
    }

    /** @param urls the URL bindings of the function */
    static TopicBinding read(JsonNode binding, List<CurlBinding> urls) {
        return new TopicBindingReader(binding).read(urls);
    }

    private TopicBinding read(List<CurlBinding> urls) {
        Kind kind = kind();
        requireKind(kind, "cluster", Kind.KAFKA, "topics of the kind kafka");
        requireKind(kind, "url", Kind.CLOUDEVENTS, "topics of the kind cloudevents");
        requireKind(kind, SIGNING_SECRET, Kind.CLOUDEVENTS, "topics of the kind cloudevents");
        return switch (kind) {
            case REDIS_STREAM, REDIS_CHANNEL -> inRedis(kind);
            case KAFKA -> inKafka();
            case CLOUDEVENTS -> cloudEvents(urls);
        };
    }

    private Kind kind() {
        String named = DeploymentConfigReader.text(binding, "kind", Kind.REDIS_STREAM.label());
        return Stream.of(Kind.values())
                .filter(one -> one.label().equals(named))
                .findFirst()
                .orElseThrow(() -> FunctionsException.invalidConfig("kind of alias '%s' must be one of %s."
                        .formatted(
                                alias, Stream.of(Kind.values()).map(Kind::label).collect(Collectors.joining(", ")))));
    }

    private void requireKind(Kind kind, String member, Kind needed, String what) {
        if (kind != needed && binding.has(member)) {
            throw FunctionsException.invalidConfig(
                    "%s of alias '%s' is for %s; remove it, or set the kind.".formatted(member, alias, what));
        }
    }

    private TopicBinding inRedis(Kind kind) {
        String topic = name("topic");
        if (kind == Kind.REDIS_CHANNEL) {
            requireNoLength("a channel keeps no messages");
        }
        return new TopicBinding(
                alias, kind, topic, DeploymentConfigReader.whole(binding, "max_length", STANDARD_LENGTH, MAX_LENGTH));
    }

    private TopicBinding inKafka() {
        String cluster = text("cluster");
        if (!KafkaClusters.NAME.matcher(cluster).matches()) {
            throw FunctionsException.invalidConfig(
                    "cluster of alias '%s' must be the name of a Kafka cluster: 1 to 100 letters, digits, hyphens and underscores."
                            .formatted(alias));
        }
        String topic = text("topic");
        if (!KafkaClusters.TOPIC.matcher(topic).matches()) {
            throw FunctionsException.invalidConfig(
                    "topic of alias '%s' must have 1 to 249 letters, digits, dots, hyphens and underscores."
                            .formatted(alias));
        }
        requireNoLength("how long Kafka keeps messages is a setting of the topic there");
        return new TopicBinding(alias, Kind.KAFKA, cluster, topic, STANDARD_LENGTH);
    }

    private TopicBinding cloudEvents(List<CurlBinding> urls) {
        String type = name("topic");
        requireNoLength("the server keeps what it accepts");
        String url = text("url");
        if (urls.stream().noneMatch(one -> one.alias().equals(url))) {
            throw FunctionsException.invalidConfig(
                    "url of alias '%s' must be the value of one of the bindings in depcfg.curl%s."
                            .formatted(alias, url.isEmpty() ? "" : ", and none of them is '" + url + "'"));
        }
        String secret = text(SIGNING_SECRET);
        return new TopicBinding(
                alias,
                Kind.CLOUDEVENTS,
                "",
                type,
                STANDARD_LENGTH,
                url,
                secret.isEmpty() ? Credential.NONE : Credential.secret(secret));
    }

    private String name(String member) {
        String name = text(member);
        if (!TopicFormat.NAME.matcher(name).matches()) {
            throw FunctionsException.invalidConfig(
                    "%s of alias '%s' must have 1 to 200 letters, digits, dots, colons, hyphens and underscores."
                            .formatted(member, alias));
        }
        return name;
    }

    private void requireNoLength(String why) {
        if (binding.has("max_length")) {
            throw FunctionsException.invalidConfig(
                    "max_length of alias '%s' is for streams; %s.".formatted(alias, why));
        }
    }

    private String text(String member) {
        return DeploymentConfigReader.text(binding, member, "");
    }
}
