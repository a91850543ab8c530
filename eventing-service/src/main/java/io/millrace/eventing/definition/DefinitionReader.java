package io.millrace.eventing.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads definitions in the JSON that Couchbase exports; fails with {@link FunctionsException}. */
public final class DefinitionReader {

    private static final long MAX_UUID = 0xFFFF_FFFFL;

    /** Fields that are read, and fields of older exports that have no meaning here. */
    static final Set<String> KNOWN = Set.of(
            "appname",
            "appcode",
            "depcfg",
            "settings",
            "version",
            "enforce_schema",
            "handleruuid",
            "function_instance_id",
            "function_scope",
            "function_id",
            "id",
            "owner",
            "metainfo",
            "using_timer",
            "using_doc_timer",
            "src_mutation",
            "src_mutation_enabled",
            "timestamp");

    private DefinitionReader() {}

    /**
     * A definition that was read.
     *
     * @param requested the lifecycle flags in its settings, or null when it has none
     * @param warnings sentences about ignored fields and unusual settings
     */
    public record Read(
            FunctionDefinition definition, @Nullable LifecycleFlags requested, List<String> warnings) {}

    /**
     * Reads one definition.
     *
     * @param addressed the name in the path and query of the request, or null
     * @param limit the largest code; larger code fails with ERR_APPCODE_SIZE
     */
    public static Read read(JsonNode json, @Nullable FunctionName addressed, CodeLimit limit) {
        if (!json.isObject()) {
            throw FunctionsException.malformed("A function definition must be a JSON object.");
        }
        if (json.path("version").isNumber()) {
            throw FunctionsException.invalidRequest(
                    "Definitions whose version is a number are not supported; export with a version such as \"%s\"."
                            .formatted(FunctionDefinition.VERSION));
        }
        List<String> ignored = new ArrayList<>();
        json.propertyNames().stream().filter(name -> !KNOWN.contains(name)).forEach(ignored::add);
        FunctionName name = name(json, addressed);
        String code = code(appcode(json), limit);
        DeploymentConfig deployment = new DeploymentConfigReader(json.path("depcfg"), ignored).read();
        JsonNode settingsJson = json.path("settings");
        Settings settings = settingsJson.isMissingNode() || settingsJson.isNull()
                ? Settings.defaults()
                : Settings.defaults().merge(settingsJson);
        boolean enforceSchema = DeploymentConfigReader.flag(json, "enforce_schema");
        if (enforceSchema && !ignored.isEmpty()) {
            throw FunctionsException.invalidConfig("Unknown fields: %s.".formatted(String.join(", ", ignored)));
        }
        FunctionDefinition definition = new FunctionDefinition(
                name, code, deployment, settings, enforceSchema, handlerUuid(json), text(json, "function_instance_id"));
        List<String> warnings = warnings(definition, ignored);
        if (settingsJson
                .path(Setting.DCP_STREAM_BOUNDARY.jsonName())
                .asString("")
                .equals("from_prior")) {
            warnings.add(
                    "dcp_stream_boundary from_prior does not exist any more; the function starts with everything.");
        }
        List<String> idle = settingsJson.propertyNames().stream()
                .filter(Setting::historical)
                .sorted()
                .toList();
        if (!idle.isEmpty()) {
            warnings.add("Kept without effect, because Millrace has no such setting: %s."
                    .formatted(String.join(", ", idle)));
        }
        if (settingsJson.has(Setting.FORMER_PASSWORD)) {
            warnings.add(
                    "The setting %s was not kept: definitions contain no passwords, and a function acts with the rights of"
                                    .formatted(Setting.FORMER_PASSWORD)
                            + " its owner.");
        }
        return new Read(definition, LifecycleFlags.in(settingsJson), warnings);
    }

    static List<String> warnings(FunctionDefinition definition, List<String> ignored) {
        List<String> warnings = new ArrayList<>();
        ignored.forEach(field -> warnings.add("Field '%s' is unknown and was ignored.".formatted(field)));
        long workers = definition.settings().whole(Setting.WORKER_COUNT);
        int cores = Runtime.getRuntime().availableProcessors();
        if (workers > cores) {
            warnings.add("The function has %d workers; this machine has %d cores.".formatted(workers, cores));
        }
        return warnings;
    }

    /** Reads {@code depcfg} alone; ignores unknown fields. */
    public static DeploymentConfig deployment(JsonNode depcfg) {
        return new DeploymentConfigReader(depcfg, new ArrayList<>()).read();
    }

    private static FunctionName name(JsonNode json, @Nullable FunctionName addressed) {
        String name = text(json, "appname");
        JsonNode scope = json.path("function_scope");
        String bucket = text(scope, "bucket");
        String scopeName = text(scope, "scope");
        if (addressed == null) {
            return FunctionName.of(bucket, scopeName, name);
        }
        if (!name.isEmpty() && !name.equals(addressed.name())) {
            throw FunctionsException.of(
                    ErrorCode.ERR_APPNAME_MISMATCH,
                    "Function name in the path is '%s', in the body '%s'; they must be the same."
                            .formatted(addressed.name(), name));
        }
        boolean scopeInUrl = !addressed.bucket().equals(FunctionName.ANY);
        return scopeInUrl ? addressed : FunctionName.of(bucket, scopeName, addressed.name());
    }

    private static String appcode(JsonNode json) {
        JsonNode code = json.path("appcode");
        if (!code.isMissingNode() && !code.isNull() && !code.isString()) {
            throw FunctionsException.invalidConfig("appcode must be a string.");
        }
        return code.asString("");
    }

    public static String code(String code, CodeLimit limit) {
        if (code.isBlank()) {
            throw FunctionsException.invalidConfig("appcode is required: the JavaScript of the function.");
        }
        limit.require(code);
        return code;
    }

    private static long handlerUuid(JsonNode json) {
        JsonNode uuid = json.path("handleruuid");
        if (uuid.isMissingNode() || uuid.isNull()) {
            return 0;
        }
        if (!uuid.isIntegralNumber()
                || !uuid.canConvertToLong()
                || uuid.longValue() < 0
                || uuid.longValue() > MAX_UUID) {
            throw FunctionsException.invalidConfig("handleruuid must be a whole number from 0 to 4294967295.");
        }
        return uuid.longValue();
    }

    private static String text(JsonNode node, String field) {
        return DeploymentConfigReader.text(node, field, "");
    }
}
