package io.millrace.eventing.definition;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The options of the service, complete. @param values by option; a Long, Boolean or String */
public record ServiceConfig(Map<ServiceOption, Object> values) {

    private static final ServiceConfig STANDARD = standard();

    public ServiceConfig {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    private static ServiceConfig standard() {
        Map<ServiceOption, Object> values = new LinkedHashMap<>();
        for (ServiceOption option : ServiceOption.values()) {
            values.put(option, option.standard());
        }
        return new ServiceConfig(values);
    }

    public static ServiceConfig defaults() {
        return STANDARD;
    }

    /** Returns this configuration with some options replaced; fails with ERR_INVALID_CONFIG naming the invalid one. */
    public ServiceConfig merge(JsonNode changes) {
        if (!changes.isObject()) {
            throw FunctionsException.malformed("The configuration must be a JSON object.");
        }
        Map<ServiceOption, Object> merged = new LinkedHashMap<>(values);
        changes.properties().forEach(change -> {
            ServiceOption option = ServiceOption.named(change.getKey());
            if (option == null) {
                throw FunctionsException.invalidConfig("Unknown option '%s'.".formatted(change.getKey()));
            }
            Object value = option.rule().accept(change.getValue());
            if (value == null || (option == ServiceOption.NUM_NODES_RUNNING && value.equals(0L))) {
                throw FunctionsException.invalidConfig("Option '%s' must be %s%s."
                        .formatted(
                                change.getKey(),
                                option.rule().words(),
                                option == ServiceOption.NUM_NODES_RUNNING ? ", but not 0" : ""));
            }
            merged.put(option, value);
        });
        return new ServiceConfig(merged);
    }

    public long whole(ServiceOption option) {
        return (Long) Objects.requireNonNull(values.get(option));
    }

    public boolean flag(ServiceOption option) {
        return (Boolean) Objects.requireNonNull(values.get(option));
    }

    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        values.forEach((option, value) -> json.putPOJO(option.jsonName(), value));
        return json;
    }
}
