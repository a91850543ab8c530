package io.millrace.eventing.definition;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The secrets that the code of a function reads, the setting {@code secrets}: constants whose values are stored apart, each for
 * this function alone.
 *
 * @param names the names of the secrets, by those of the constants
 */
public record SecretNames(Map<String, String> names) {

    /** The most secrets of a function. */
    static final int MAX_SECRETS = 100;

    /** What a secret that a user stores may be called. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    static final SecretNames NONE = new SecretNames(Map.of());

    public SecretNames {
        names = Collections.unmodifiableMap(new TreeMap<>(names));
    }

    /** Reads a JSON object; fails with ERR_INVALID_CONFIG naming the constant that is wrong. */
    static SecretNames read(JsonNode json) {
        if (json.size() > MAX_SECRETS) {
            throw FunctionsException.invalidConfig(
                    "Setting 'secrets' has %d constants, at most %d are allowed.".formatted(json.size(), MAX_SECRETS));
        }
        Aliases aliases = new Aliases("Constant of secrets");
        Map<String, String> names = new TreeMap<>();
        json.properties().forEach(constant -> {
            String secret = constant.getValue().asString("");
            aliases.add(constant.getKey());
            if (!constant.getValue().isString() || !NAME.matcher(secret).matches()) {
                throw FunctionsException.invalidConfig(
                        "Constant '%s' of secrets must have the name of a secret: 1 to 100 letters, digits, '.', '_' and '-', the first one a letter or a digit."
                                .formatted(constant.getKey()));
            }
            names.put(constant.getKey(), secret);
        });
        return new SecretNames(names);
    }

    /** Returns the names of the secrets as a JSON object. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        names.forEach(json::put);
        return json;
    }

    /** Returns what code finds in a constant where it must not have the value, as JavaScript. */
    public static String placeholder(String constant) {
        return JsonNodeFactory.instance.stringNode("<" + constant + ">").toString();
    }

    @Override
    public String toString() {
        return json().toString();
    }
}
