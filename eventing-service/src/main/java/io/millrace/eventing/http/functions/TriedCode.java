package io.millrace.eventing.http.functions;

import io.millrace.access.Subject;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.FunctionLetters;
import io.millrace.eventing.runtime.FunctionSpec;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The code that a dry run or a debugger names: a draft of the code or of the whole definition, a version, or what is saved. */
record TriedCode(FunctionLetters functions) {

    private static final List<String> MEMBERS = List.of("code", "definition", "version");

    /** Fails like saving the code when it cannot run, or when the asker may not. Blocks. */
    FunctionSpec of(FunctionName name, JsonNode request, Subject asker) {
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
