package io.millrace.eventing.definition;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The plain constants of a function, the setting {@code env}: names that its code reads. Not for secrets, because everyone
 * who may see the function sees them.
 *
 * @param constants by name; a Long, Double, Boolean or String
 */
public record Env(Map<String, Object> constants) {

    /** The most constants. */
    static final int MAX_CONSTANTS = 100;

    /** The longest text of one. */
    static final int MAX_CHARS = 4096;

    static final Env NONE = new Env(Map.of());

    public Env {
        constants = Collections.unmodifiableMap(new TreeMap<>(constants));
    }

    /** Reads a JSON object; fails with ERR_INVALID_CONFIG naming the constant that is wrong. */
    static Env read(JsonNode json) {
        if (json.size() > MAX_CONSTANTS) {
            throw FunctionsException.invalidConfig(
                    "Setting 'env' has %d constants, at most %d are allowed.".formatted(json.size(), MAX_CONSTANTS));
        }
        Aliases names = new Aliases("Constant of env");
        Map<String, Object> constants = new TreeMap<>();
        json.properties().forEach(constant -> {
            names.add(constant.getKey());
            constants.put(constant.getKey(), value(constant.getKey(), constant.getValue()));
        });
        return new Env(constants);
    }

    private static Object value(String name, JsonNode value) {
        if (value.isString() && value.stringValue().length() <= MAX_CHARS) {
            return value.stringValue();
        }
        if (value.isBoolean()) {
            return value.booleanValue();
        }
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            return value.longValue();
        }
        if (value.isNumber() && Double.isFinite(value.doubleValue())) {
            return value.doubleValue();
        }
        throw FunctionsException.invalidConfig(
                "Constant '%s' of env must be a number, true, false, or a string of at most %d characters."
                        .formatted(name, MAX_CHARS));
    }

    /** Returns the constants as a JSON object. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        constants.forEach((name, value) -> {
            switch (value) {
                case String text -> json.put(name, text);
                case Boolean flag -> json.put(name, flag);
                case Long number -> json.put(name, number);
                default -> json.put(name, (Double) value);
            }
        });
        return json;
    }

    @Override
    public String toString() {
        return json().toString();
    }
}
