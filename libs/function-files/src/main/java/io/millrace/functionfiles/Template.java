package io.millrace.functionfiles;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import tools.jackson.databind.JsonNode;

/**
 * A function to start from.
 *
 * @param name letters, digits and hyphens
 * @param code the JavaScript
 * @param definition bindings and settings in Couchbase's JSON, without the code
 * @param tests what the code should do, as an array of cases: given, when, then
 * @param sample a document of the source: {@code id} and {@code document}
 */
@JsonPropertyOrder({"name", "title", "description", "code", "definition", "tests", "sample"})
public record Template(
        String name,
        String title,
        String description,
        String code,
        JsonNode definition,
        JsonNode tests,
        JsonNode sample) {}
