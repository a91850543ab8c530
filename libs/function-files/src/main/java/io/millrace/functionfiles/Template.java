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
 *     and data of an event; of a topic the key and the content of a message
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

    /** What is told about an event of a stream and about a message has types of other names. */
    private static final Map<String, String> METAS = Map.of("OnEvent", "StreamEventMeta", "OnMessage", "MessageMeta");

    private static final Pattern DECLARATION = Pattern.compile("^function (\\w+)\\(([\\w, ]*)\\)", Pattern.MULTILINE);

    /** Returns the code as TypeScript: arguments of functions have the types of the language. */
    public String typescript() {
        return DECLARATION
                .matcher(code)
                .replaceAll(
                        match -> "function %s(%s)".formatted(match.group(1), typed(match.group(1), match.group(2))));
    }

    private static String typed(String function, String arguments) {
        return arguments.isBlank()
                ? ""
                : Arrays.stream(arguments.split(", "))
                        .map(name -> name + ": " + type(function, name))
                        .collect(Collectors.joining(", "));
    }

    private static String type(String function, String argument) {
        String usual = ARGUMENTS.getOrDefault(argument, "any");
        return argument.equals("meta") ? METAS.getOrDefault(function, usual) : usual;
    }
}
