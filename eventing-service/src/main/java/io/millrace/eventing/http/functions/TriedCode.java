package io.millrace.eventing.http.functions;

import io.millrace.access.Subject;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.SecretNames;
import io.millrace.eventing.functions.FunctionLetters;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.workerprotocol.HandlerSettings;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The code that a dry run or a debugger names: a draft of the code or of the whole definition, a version, or what is saved. */
record TriedCode(FunctionLetters functions) {

    private static final List<String> MEMBERS = List.of("code", "definition", "version");

    /**
     * Returns the code with the values that a request gives in place of the secrets that it reads. Fails like saving the code when
     * it cannot run, or when the asker may not. Blocks.
     *
     * @param given by the names of the constants
     */
    FunctionSpec of(FunctionName name, JsonNode request, JsonNode given, Subject asker) {
        FunctionSpec spec = of(name, request, asker);
        for (var secret : given.properties()) {
            if (!secret.getValue().isString()
                    || spec.handler().constants().stream().noneMatch(constant -> stands(constant, secret.getKey()))) {
                throw FunctionsException.invalidRequest(
                        "secrets can give texts for constants of the setting 'secrets'; '%s' is not one of the function."
                                .formatted(secret.getKey()));
            }
        }
        return with(given, spec);
    }

    /** Returns other code with the values that are given for {@link #of}, as far as it reads the same secrets. */
    FunctionSpec compared(FunctionName name, JsonNode request, JsonNode given, Subject asker) {
        return with(given, of(name, request, asker));
    }

    private static FunctionSpec with(JsonNode given, FunctionSpec spec) {
        return spec.withConstants(spec.handler().constants().stream()
                .map(constant -> stands(constant, constant.name()) && given.has(constant.name())
                        ? new HandlerSettings.Constant(
                                constant.name(), given.path(constant.name()).toString())
                        : constant)
                .toList());
    }

    private static boolean stands(HandlerSettings.Constant constant, String secret) {
        return constant.name().equals(secret) && constant.literal().equals(SecretNames.placeholder(secret));
    }

    private FunctionSpec of(FunctionName name, JsonNode request, Subject asker) {
        if (MEMBERS.stream().filter(request::has).count() > 1) {
            throw FunctionsException.invalidRequest(
                    "code, definition and version each say what is tried; send one of them.");
        }
        if (request.has("code")) {
            return functions.draft(name, request.path("code").asString(""), asker);
        }
        if (request.has("definition")) {
            return functions.draft(name, request.path("definition"), asker);
        }
        if (!request.has("version")) {
            return functions.saved(name, asker);
        }
        long version = request.path("version").asLong(0);
        return functions
                .version(name, version, asker)
                .orElseThrow(() -> FunctionsException.invalidRequest(
                        "The function %s has no version %d, or it is not kept any more.".formatted(name, version)));
    }
}
