package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The parameters of a request; their names are case-insensitive. */
public final class QueryParameters {

    private final Map<String, String> values = new TreeMap<>();
    private final Map<String, String> asSent;

    public QueryParameters(Map<String, String> values) {
        this.asSent = Map.copyOf(values);
        values.forEach((name, value) -> this.values.put(name.toLowerCase(Locale.ROOT), value));
    }

    public Map<String, String> asSent() {
        return asSent;
    }

    @Nullable
    public String get(String name) {
        return values.get(name);
    }

    public boolean isTrue(String name) {
        return "true".equals(values.get(name));
    }

    boolean isFalse(String name) {
        return "false".equals(values.get(name));
    }

    /** Returns a text, which may be sent plain or as a JSON string. */
    @Nullable
    public String text(String name) {
        String value = values.get(name);
        if (value != null && value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")) {
            JsonNode node = json(name);
            return node != null && node.isString() ? node.asString() : value;
        }
        return value;
    }

    /** Returns a parameter that is JSON, or null if it is absent. */
    @Nullable
    public JsonNode json(String name) {
        String value = values.get(name);
        if (value == null) {
            return null;
        }
        try {
            return JsonMapper.shared().readTree(value);
        } catch (JacksonException e) {
            throw CouchException.badRequest("invalid UTF-8 JSON");
        }
    }

    /** Returns a whole number that is not negative, or null if it is absent. */
    @Nullable
    public Long count(String name) {
        String value = values.get(name);
        if (value == null) {
            return null;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw CouchException.badRequest("The %s parameter should be a non-negative integer".formatted(name));
    }
}
