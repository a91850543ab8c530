package io.millrace.worker.cases;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.timers.Timer;
import io.millrace.worker.trial.Trial;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a case expects, below {@code then}. */
final class Expectation {

    private static final int MOST_DOCUMENTS = 10_000;
    private static final Set<String> FAILED = Set.of("threw", "timed_out", "out_of_memory");

    private final JsonNode then;
    private final Definition function;

    Expectation(JsonNode then, Definition function) {
        this.then = then;
        this.function = function;
        Cases.members("then", then, Set.of("documents", "log", "error", "requests", "responses", "messages", "timers"));
        if (then.isEmpty()) {
            throw new MalformedCase(
                    "then expects nothing; it can have documents, log, error, requests, responses, messages and timers");
        }
    }

    /** Returns where the outcome differs from what is expected, a sentence each. */
    List<String> compare(Trial trial, List<ObjectNode> invocations) {
        List<String> found = new ArrayList<>();
        error(invocations, found);
        for (Map.Entry<String, JsonNode> each : then.path("documents").properties()) {
            JsonNode actual = documents(trial.documents(), function.named(each.getKey()));
            Difference.of("documents." + each.getKey(), each.getValue(), actual, true)
                    .ifPresent(found::add);
        }
        if (then.has("requests")) {
            compare(
                    "requests",
                    then.path("requests"),
                    effects(invocations, "request").toList(),
                    found);
        }
        if (then.has("responses")) {
            compare("responses", lowered(then.path("responses")), responses(invocations), found);
        }
        if (then.has("messages")) {
            compare(
                    "messages",
                    then.path("messages"),
                    effects(invocations, "message").toList(),
                    found);
        }
        if (then.has("timers")) {
            compare(
                    "timers",
                    then.path("timers"),
                    trial.timers().stream().map(Expectation::timer).toList(),
                    found);
        }
        log(invocations, found);
        return found;
    }

    private void error(List<ObjectNode> invocations, List<String> found) {
        List<String> errors = invocations.stream()
                .filter(each -> FAILED.contains(each.path("result").asString()))
                .map(each -> "%s of '%s' failed at line %d, column %d: %s"
                        .formatted(
                                each.path("entry_point").asString(),
                                each.path("id").asString(),
                                each.path("line").asInt(),
                                each.path("column").asInt(),
                                each.path("error").asString()))
                .toList();
        if (!then.has("error")) {
            found.addAll(errors);
            return;
        }
        String expected = then.path("error").asString();
        if (errors.stream().noneMatch(error -> error.contains(expected))) {
            found.add("error: expected an error that contains '%s', but %s"
                    .formatted(expected, errors.isEmpty() ? "the code did not fail" : errors.getFirst()));
        }
    }

    private static ObjectNode documents(DocumentStore store, Keyspace keyspace) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        for (String id : store.ids(keyspace, IdRange.ALL, MOST_DOCUMENTS).join()) {
            store.get(new DocumentKey(keyspace, id)).join().ifPresent(document -> all.set(id, Trial.content(document)));
        }
        return all;
    }

    private static Stream<JsonNode> effects(List<ObjectNode> invocations, String kind) {
        return invocations.stream()
                .flatMap(each -> each.path("effects").valueStream())
                .filter(effect -> effect.path("kind").asString().equals(kind));
    }

    private static List<JsonNode> responses(List<ObjectNode> invocations) {
        return invocations.stream()
                .map(each -> each.path("response"))
                .filter(JsonNode::isObject)
                .toList();
    }

    private static JsonNode timer(Timer timer) {
        ObjectNode shown = JsonNodeFactory.instance
                .objectNode()
                .put("callback", timer.id().callback())
                .put("reference", timer.id().reference())
                .put("due", Instant.ofEpochMilli(timer.due()).toString());
        String context = timer.context();
        if (context != null) {
            shown.set("context", JsonMapper.shared().readTree(context));
        }
        return shown;
    }

    /** Names of headers mean the same in upper and lower case. */
    private static JsonNode lowered(JsonNode responses) {
        JsonNode copy = responses.deepCopy();
        for (JsonNode response : copy) {
            if (response.path("headers") instanceof ObjectNode headers) {
                List.copyOf(headers.propertyNames())
                        .forEach(name -> headers.set(name.toLowerCase(Locale.ROOT), headers.remove(name)));
            }
        }
        return copy;
    }

    /** Members that the case does not mention may have any value. */
    private static void compare(String what, JsonNode expected, List<JsonNode> actual, List<String> found) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        actual.forEach(array::add);
        if (array.size() != expected.size()) {
            found.add("%s: expected %d, but there are %d: %s".formatted(what, expected.size(), array.size(), array));
            return;
        }
        Difference.of(what, expected, array, false).ifPresent(found::add);
    }

    /** Lines in this order, with any others between them. */
    private void log(List<ObjectNode> invocations, List<String> found) {
        List<String> lines = effects(invocations, "log")
                .map(line -> line.path("text").asString())
                .toList();
        int at = 0;
        for (JsonNode expected : then.path("log")) {
            while (at < lines.size() && !lines.get(at).contains(expected.asString())) {
                at++;
            }
            if (at++ >= lines.size()) {
                found.add("log: expected a line that contains '%s', but the lines are %s"
                        .formatted(expected.asString(), lines));
                return;
            }
        }
    }
}
