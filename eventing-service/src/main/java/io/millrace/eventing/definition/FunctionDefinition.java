package io.millrace.eventing.definition;

import io.millrace.eventing.definition.DeploymentConfig.ConstantBinding;
import io.millrace.eventing.definition.DeploymentConfig.EventSource;
import io.millrace.n1ql.DocumentCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * A function as its author wrote it, with its ids.
 *
 * <p>Fails with ERR_INVALID_CONFIG when a constant of a setting has the name of a binding or of another constant.
 *
 * @param handlerUuid the stable id, from 1 to 2^32-1
 * @param instanceId the id of the deployment; changes with each deployment from undeployed
 */
public record FunctionDefinition(
        FunctionName name,
        String code,
        DeploymentConfig deployment,
        Settings settings,
        boolean enforceSchema,
        long handlerUuid,
        String instanceId) {

    /** The {@code version} of exported definitions, which names their format. */
    static final String VERSION = "evt-7.0.0-0000-ee";

    public FunctionDefinition {
        for (String constant : settings.env().constants().keySet()) {
            if (deployment.binds(constant)) {
                throw FunctionsException.invalidConfig(
                        "Constant '%s' of env has the name of a binding; rename one of them.".formatted(constant));
            }
        }
        for (String constant : settings.secrets().names().keySet()) {
            if (deployment.binds(constant) || settings.env().constants().containsKey(constant)) {
                throw FunctionsException.invalidConfig(
                        "Constant '%s' of secrets has the name of a binding or of a constant of env; rename one of them."
                                .formatted(constant));
            }
        }
        EventSource events = deployment.events();
        if (events != null) {
            checkEvents(events, settings);
        }
        String filter = settings.text(Setting.FILTER);
        if (!settings.flag(Setting.BEFORE_IMAGE)
                && !filter.isBlank()
                && DocumentCondition.of(filter).readsOld()) {
            throw FunctionsException.invalidConfig(
                    "The filter '%s' uses META().old, the document before the change, which is known only with before_image; set before_image to true."
                            .formatted(filter));
        }
    }

    /** Fails if a setting is about changes of documents but the function handles events. */
    private static void checkEvents(EventSource events, Settings settings) {
        String document = Stream.of(Setting.SKIP_UNCHANGED, Setting.BEFORE_IMAGE)
                .filter(settings::flag)
                .map(Setting::jsonName)
                .findFirst()
                .orElse(settings.text(Setting.FILTER).isBlank() ? "" : Setting.FILTER.jsonName());
        if (!document.isEmpty()) {
            throw FunctionsException.invalidConfig(
                    "The setting %s is about changes of documents, and a function with %s handles %s; remove it and decide in %s."
                            .formatted(
                                    document,
                                    events.ofTopic() ? "source_topic" : "source_category",
                                    events.ofTopic() ? "messages" : "events",
                                    events.ofTopic() ? "OnMessage" : "OnEvent"));
        }
        if (settings.firstDesign()) {
            throw FunctionsException.invalidConfig(
                    "%s needs a language_compatibility of 6.5.0 or later, without timers of documents."
                            .formatted(events.ofTopic() ? "source_topic" : "source_category"));
        }
        if (events.after() > 0 && settings.text(Setting.DCP_STREAM_BOUNDARY).equals("from_now")) {
            throw FunctionsException.invalidConfig(
                    "%s and dcp_stream_boundary from_now name two places to start at; remove one of them."
                            .formatted(events.ofTopic() ? "source_time" : "source_position"));
        }
    }

    public static long newHandlerUuid() {
        return ThreadLocalRandom.current().nextLong(1, 1L << 32);
    }

    public static String newInstanceId() {
        return Long.toString(ThreadLocalRandom.current().nextLong(1L << 60, Long.MAX_VALUE), 36);
    }

    /** Returns the names of the secrets that bindings send and that the code reads. */
    public List<String> secrets() {
        return Stream.concat(deployment.secrets().stream(), settings.secrets().names().values().stream())
                .toList();
    }

    /**
     * Returns the constants of the bindings, then those of the setting {@code env}, then those of {@code secrets} with {@link
     * SecretNames#placeholder}.
     */
    public List<ConstantBinding> constants() {
        List<ConstantBinding> all = new ArrayList<>(deployment.constants());
        settings.env()
                .json()
                .properties()
                .forEach(constant -> all.add(new ConstantBinding(
                        constant.getKey(), constant.getValue().toString())));
        settings.secrets()
                .names()
                .keySet()
                .forEach(constant -> all.add(new ConstantBinding(constant, SecretNames.placeholder(constant))));
        return all;
    }

    public FunctionDefinition withCode(String newCode) {
        return new FunctionDefinition(name, newCode, deployment, settings, enforceSchema, handlerUuid, instanceId);
    }

    public FunctionDefinition withDeployment(DeploymentConfig newDeployment) {
        return new FunctionDefinition(name, code, newDeployment, settings, enforceSchema, handlerUuid, instanceId);
    }

    public FunctionDefinition withSettings(Settings newSettings) {
        return new FunctionDefinition(name, code, deployment, newSettings, enforceSchema, handlerUuid, instanceId);
    }

    public FunctionDefinition withIds(long newHandlerUuid, String newInstanceId) {
        return new FunctionDefinition(name, code, deployment, settings, enforceSchema, newHandlerUuid, newInstanceId);
    }
}
