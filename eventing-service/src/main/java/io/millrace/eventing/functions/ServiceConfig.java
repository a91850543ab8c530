package io.millrace.eventing.functions;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The options of the service, complete. @param values by option; a Long, Boolean or String */
record ServiceConfig(Map<ConfigOption, Object> values) {

    private static final ServiceConfig STANDARD = standard();

    ServiceConfig {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    private static ServiceConfig standard() {
        Map<ConfigOption, Object> values = new LinkedHashMap<>();
        for (ConfigOption option : ConfigOption.values()) {
            values.put(option, option.standard());
        }
        return new ServiceConfig(values);
    }

    static ServiceConfig defaults() {
        return STANDARD;
    }

    /** Returns this configuration with some options replaced; fails with ERR_INVALID_CONFIG naming the wrong one. */
    ServiceConfig merge(JsonNode changes) {
        if (!changes.isObject()) {
            throw FunctionsException.malformed("The configuration is a JSON object.");
        }
        Map<ConfigOption, Object> merged = new LinkedHashMap<>(values);
        changes.properties().forEach(change -> {
            ConfigOption option = ConfigOption.named(change.getKey());
            if (option == null) {
                throw FunctionsException.invalidConfig("There is no option '%s'.".formatted(change.getKey()));
            }
            Object value = option.rule().accept(change.getValue());
            if (value == null || (option == ConfigOption.NUM_NODES_RUNNING && value.equals(0L))) {
                throw FunctionsException.invalidConfig("Option '%s' must be %s%s."
                        .formatted(
                                change.getKey(),
                                option.rule().words(),
                                option == ConfigOption.NUM_NODES_RUNNING ? ", but not 0" : ""));
            }
            merged.put(option, value);
        });
        return new ServiceConfig(merged);
    }

    long whole(ConfigOption option) {
        return (Long) Objects.requireNonNull(values.get(option));
    }

    boolean flag(ConfigOption option) {
        return (Boolean) Objects.requireNonNull(values.get(option));
    }

    ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        values.forEach((option, value) -> json.putPOJO(option.jsonName(), value));
        return json;
    }
}
