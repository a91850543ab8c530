package io.millrace.eventing.definition;

import io.millrace.handler.requests.RequestSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The setting {@code openapi}: which requests a function takes, as {@link RequestSchema} reads it.
 *
 * @param text a JSON object, <code>{}</code> for all requests
 */
public record RequestPaths(String text) {

    static final RequestPaths NONE = new RequestPaths("{}");

    public boolean isNone() {
        return equals(NONE);
    }

    public JsonNode json() {
        return JsonMapper.shared().readTree(text);
    }
}
