package io.millrace.eventing.definition;

import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * All settings of one function; a setting that was not given has its default. The pair of lifecycle flags is not among
 * them, because it is a state of the function.
 *
 * @param values by name; a Long, Boolean, String, list of strings, {@link Env}, {@link
 *     SecretNames}, {@link RequestPaths}, or for historical settings a JSON value
 */
public record Settings(Map<String, Object> values) {

    public static final String DEPLOYMENT_STATUS = "deployment_status";
    public static final String PROCESSING_STATUS = "processing_status";
    private static final Settings STANDARD = standard();

    public Settings {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    private static Settings standard() {
        Map<String, Object> values = new TreeMap<>();
        for (Setting setting : Setting.values()) {
            values.put(setting.jsonName(), setting.standard());
        }
        return new Settings(values);
    }

    /** Returns the default of every setting. */
    static Settings defaults() {
        return STANDARD;
    }

    /** Returns these settings with some replaced; fails with ERR_INVALID_CONFIG naming the invalid setting. */
    public Settings merge(JsonNode changes) {
        if (!changes.isObject()) {
            throw FunctionsException.malformed("Settings must be a JSON object.");
        }
        Map<String, Object> merged = new TreeMap<>(values);
        String headers = Setting.HANDLER_HEADERS.jsonName();
        changes.properties().forEach(change -> put(merged, change.getKey(), change.getValue()));
        String language =
                changes.path(Setting.LANGUAGE_COMPATIBILITY.jsonName()).asString("");
        if (isFirstDesign(language) && merged.get(headers) == STANDARD.values.get(headers)) {
            merged.put(headers, List.of());
        }
        return new Settings(merged);
    }

    /** Returns whether the code is of the first design, which is not strict and has document timers. */
    public boolean firstDesign() {
        return isFirstDesign(text(Setting.LANGUAGE_COMPATIBILITY));
    }

    /** Returns whether the code is TypeScript. */
    public boolean typescript() {
        return text(Setting.LANGUAGE).equals("typescript");
    }

    private static boolean isFirstDesign(String language) {
        return language.equals(LanguageCompatibility.V5_0_0.version());
    }

    private static void put(Map<String, Object> merged, String given, JsonNode givenValue) {
        if (DEPLOYMENT_STATUS.equals(given)
                || PROCESSING_STATUS.equals(given)
                || Setting.FORMER_PASSWORD.equals(given)) {
            return;
        }
        String name = currentName(given);
        JsonNode value = currentValue(given, givenValue);
        Setting setting = Setting.named(name);
        if (setting == null) {
            if (!Setting.historical(name)) {
                throw FunctionsException.invalidConfig("Unknown setting '%s'.".formatted(given));
            }
            if (!value.isValueNode()) {
                throw FunctionsException.invalidConfig(
                        "Setting '%s' must be a number, a string or a boolean.".formatted(given));
            }
            merged.put(name, value);
            return;
        }
        Object accepted = setting.rule().accept(value);
        if (accepted == null) {
            throw FunctionsException.invalidConfig("Setting '%s' is %s; it must be %s."
                    .formatted(given, shortened(givenValue), setting.rule().words()));
        }
        merged.put(
                name,
                setting == Setting.DCP_STREAM_BOUNDARY && "from_prior".equals(accepted) ? "everything" : accepted);
    }

    private static String currentName(String given) {
        return switch (given) {
            case "ondeploy_timeout" -> Setting.ON_DEPLOY_TIMEOUT.jsonName();
            case "function_timeout" -> Setting.EXECUTION_TIMEOUT.jsonName();
            default -> given;
        };
    }

    /** Returns the value in the present unit: the first design had {@code function_timeout} in milliseconds. */
    private static JsonNode currentValue(String given, JsonNode value) {
        boolean inMillis = value.isIntegralNumber()
                && ("function_timeout".equals(given)
                        || (Setting.CHECKPOINT_INTERVAL.jsonName().equals(given) && value.longValue() > 3_600));
        return inMillis ? tools.jackson.databind.node.LongNode.valueOf(Math.ceilDiv(value.longValue(), 1000)) : value;
    }

    private static String shortened(JsonNode value) {
        String text = value.toString();
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }

    public long whole(Setting setting) {
        return (Long) get(setting);
    }

    public boolean flag(Setting setting) {
        return (Boolean) get(setting);
    }

    public String text(Setting setting) {
        return (String) get(setting);
    }

    public List<String> lines(Setting setting) {
        return ((List<?>) get(setting)).stream().map(String.class::cast).toList();
    }

    /** Returns which requests the function takes. */
    public RequestPaths openapi() {
        return (RequestPaths) get(Setting.OPENAPI);
    }

    /** Returns the constants of the function. */
    public Env env() {
        return (Env) get(Setting.ENV);
    }

    /** Returns the constants of the function whose values are secrets. */
    public SecretNames secrets() {
        return (SecretNames) get(Setting.SECRETS);
    }

    /** Returns whether these have the same constants as others, and the same secrets as constants. */
    public boolean sameEnv(Settings other) {
        return env().equals(other.env()) && secrets().equals(other.secrets());
    }

    /** Returns these settings with the constants of others, and their secrets. */
    public Settings withEnvOf(Settings other) {
        Map<String, Object> merged = new TreeMap<>(values);
        merged.put(Setting.ENV.jsonName(), other.env());
        merged.put(Setting.SECRETS.jsonName(), other.secrets());
        return new Settings(merged);
    }

    private Object get(Setting setting) {
        return Objects.requireNonNull(values.get(setting.jsonName()));
    }

    /** Returns the names of the settings in which the two differ. */
    public Set<String> differences(Settings other) {
        Set<String> names = new TreeSet<>(values.keySet());
        names.addAll(other.values.keySet());
        names.removeIf(name -> Objects.equals(values.get(name), other.values.get(name)));
        return names;
    }

    /** Returns the first setting that must not change to that of {@code other} in this state, or null. */
    @Nullable
    public String firstFrozen(Settings other, Setting.When state) {
        return differences(other).stream()
                .filter(name -> {
                    Setting setting = Setting.named(name);
                    Setting.When changeable = setting == null ? Setting.When.PAUSED : setting.changeable();
                    return changeable.compareTo(state) < 0;
                })
                .findFirst()
                .orElse(null);
    }
}
