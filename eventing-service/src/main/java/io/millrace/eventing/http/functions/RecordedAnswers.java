package io.millrace.eventing.http.functions;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The answers that dry runs of a request have recorded, as the next one takes them. */
final class RecordedAnswers {

    private static final String RECORDED = "recorded";
    private static final List<String> KINDS = List.of("responses", "sql");

    private final ObjectNode answers = JsonNodeFactory.instance.objectNode();
    private final Set<String> leftOut = new LinkedHashSet<>();

    RecordedAnswers() {
        KINDS.forEach(answers::putArray);
    }

    /** Takes what was recorded out of invocations. */
    void takeFrom(List<ObjectNode> invocations) {
        for (ObjectNode invocation : invocations) {
            JsonNode recorded = invocation.path(RECORDED);
            invocation.remove(RECORDED);
            KINDS.forEach(kind -> recorded.path(kind).forEach(answers.withArray(kind)::add));
            recorded.path("left_out").forEach(what -> leftOut.add(what.asString()));
        }
    }

    /** Returns a request whose code gets these answers too. */
    JsonNode givenTo(JsonNode request) {
        ObjectNode more = (ObjectNode) request.deepCopy();
        for (String kind : KINDS) {
            ArrayNode given = JsonNodeFactory.instance.arrayNode();
            request.path(kind).forEach(given::add);
            answers.path(kind).forEach(given::add);
            more.set(kind, given);
        }
        return more;
    }

    /** Returns {@code responses}, {@code sql} and {@code left_out}, what could not be recorded. */
    ObjectNode json() {
        ObjectNode json = answers.deepCopy();
        leftOut.forEach(json.putArray("left_out")::add);
        return json;
    }
}
