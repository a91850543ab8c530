package io.millrace.functionfiles;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A function to start from.
 *
 * @param name letters, digits and hyphens
 * @param code the JavaScript
 * @param definition bindings and settings in Couchbase's JSON, without the code
 * @param tests what the code should do, as an array of cases: given, when, then
 * @param sample a document of the source: {@code id} and {@code document}; of event streams the name of a stream, and {@code type}
 *     and data of an event
 */
@JsonPropertyOrder({"name", "title", "description", "code", "definition", "tests", "sample"})
public record Template(
        String name,
        String title,
        String description,
        String code,
        JsonNode definition,
        JsonNode tests,
        JsonNode sample) {

    /** The types of the arguments of entry points and of callbacks, by their names in the templates. */
    private static final Map<String, String> ARGUMENTS =
            Map.of("meta", "EventMeta", "options", "DeleteOptions", "request", "FunctionRequest");

    /** The type of what OnEvent is told about an event has another name. */
    private static final Pattern ON_EVENT = Pattern.compile("(function OnEvent\\(.*meta: )EventMeta");

    private static final Pattern DECLARATION = Pattern.compile("^function (\\w+)\\(([\\w, ]*)\\)", Pattern.MULTILINE);

    /** Returns the code as TypeScript: arguments of functions have the types of the language. */
    public String typescript() {
        String typed = DECLARATION
                .matcher(code)
                .replaceAll(match -> "function %s(%s)".formatted(match.group(1), typed(match.group(2))));
        return ON_EVENT.matcher(typed).replaceAll("$1StreamEventMeta");
    }

    private static String typed(String arguments) {
        return arguments.isBlank()
                ? ""
                : Arrays.stream(arguments.split(", "))
                        .map(name -> name + ": " + ARGUMENTS.getOrDefault(name, "any"))
                        .collect(Collectors.joining(", "));
    }
}
