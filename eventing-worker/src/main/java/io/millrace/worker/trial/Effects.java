package io.millrace.worker.trial;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.handler.host.HttpCall;
import io.millrace.handler.host.PublishCall;
import io.millrace.handler.host.QueryCall;
import io.millrace.handler.host.SqlCall;
import io.millrace.handler.host.TimerCall;
import io.millrace.worker.WorkerLimits;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What one invocation would have done, in the order in which the code did it, as JSON. Thread-safe. */
final class Effects {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final List<ObjectNode> list = new ArrayList<>();
    private int more;

    /** Takes a place in the order for an effect that is known later; a place that stays empty is left out. */
    synchronized ObjectNode place() {
        ObjectNode place = JsonNodeFactory.instance.objectNode();
        if (list.size() < WorkerLimits.MAX_TRIAL_EFFECTS) {
            list.add(place);
        } else {
            more++;
        }
        return place;
    }

    /** Adds the effects since the last call to what is shown of an invocation. */
    synchronized void moveTo(ObjectNode invocation) {
        ArrayNode shown = invocation.putArray("effects");
        list.stream().filter(effect -> !effect.isEmpty()).forEach(shown::add);
        if (more > 0) {
            invocation.put("effects_left_out", more);
        }
        list.clear();
        more = 0;
    }

    static void written(ObjectNode place, DocumentKey key, Optional<Document> before, Optional<Document> after) {
        place.put("kind", after.isPresent() ? "write" : "delete")
                .put("bucket", key.keyspace().bucket())
                .put("scope", key.keyspace().scope())
                .put("collection", key.keyspace().collection())
                .put("id", key.id());
        before.ifPresent(document -> place.set("before", content(document)));
        after.ifPresent(document -> {
            place.set("after", content(document));
            Instant expiry = document.expiry();
            if (expiry != null) {
                place.put("expiry", expiry.toString());
            }
        });
    }

    /** Returns a document as JSON; of one that is not JSON the number of its bytes. */
    static JsonNode content(Document document) {
        return document.datatype() == Datatype.JSON
                ? json(document.body())
                : JsonNodeFactory.instance.objectNode().put("binary_bytes", document.body().length);
    }

    static JsonNode json(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (JacksonException notJson) {
            return JsonNodeFactory.instance.stringNode(new String(body, StandardCharsets.UTF_8));
        }
    }

    void timer(TimerCall timer, String reference) {
        ObjectNode place = place().put("kind", "timer")
                .put("callback", timer.callback())
                .put("reference", reference)
                .put("due", Instant.ofEpochMilli(timer.dueMillis()).toString());
        String context = timer.context();
        if (context != null) {
            place.set("context", json(context.getBytes(StandardCharsets.UTF_8)));
        }
    }

    void cancelled(String callback, String reference, boolean existed) {
        place().put("kind", "cancel_timer")
                .put("callback", callback)
                .put("reference", reference)
                .put("existed", existed);
    }

    /** @param answer what the code got, or null when it got an error */
    void request(HttpCall call, String url, HttpCall.@Nullable Answer answer, boolean assumed) {
        ObjectNode place = place().put("kind", "request")
                .put("method", call.method())
                .put("binding", call.binding())
                .put("url", url)
                .put("path", call.path());
        List<HttpCall.Parameter> parameters = call.parameters();
        if (parameters != null) {
            ObjectNode query = place.putObject("parameters");
            parameters.forEach(parameter -> query.put(parameter.name(), parameter.value()));
        } else if (call.query() != null) {
            place.put("query", call.query());
        }
        if (!call.headers().isEmpty()) {
            ObjectNode headers = place.putObject("headers");
            call.headers().forEach(headers::put);
        }
        byte[] body = call.body();
        if (body != null) {
            place.set("body", json(body));
        }
        if (answer != null) {
            place.put("status", answer.status());
        }
        if (assumed) {
            place.put("assumed", true);
        }
    }

    /** Returns the place, which may still get the plan. */
    ObjectNode statement(QueryCall call, boolean answered) {
        ObjectNode place = place().put("kind", "statement").put("text", call.statement());
        JsonNode named = json(call.named());
        JsonNode positional = json(call.positional());
        if (!named.isEmpty()) {
            place.set("named", named);
        }
        if (!positional.isEmpty()) {
            place.set("positional", positional);
        }
        if (answered) {
            place.put("answered", true);
        }
        return place;
    }

    void sql(SqlCall call, boolean assumed) {
        ObjectNode place =
                place().put("kind", "sql").put("binding", call.binding()).put("text", call.statement());
        parameters(call, place);
        if (assumed) {
            place.put("assumed", true);
        }
    }

    /** Adds {@code named} or {@code positional} unless there are none. */
    static void parameters(SqlCall call, ObjectNode place) {
        if (!call.parameters().isEmpty() && call.named()) {
            ObjectNode named = place.putObject("named");
            call.parameters().forEach(each -> named.set(String.valueOf(each.name()), shown(each.value())));
        } else if (!call.parameters().isEmpty()) {
            ArrayNode positional = place.putArray("positional");
            call.parameters().forEach(each -> positional.add(shown(each.value())));
        }
    }

    private static JsonNode shown(@Nullable Object value) {
        return switch (value) {
            case byte[] bytes -> JsonNodeFactory.instance.objectNode().put("binary_bytes", bytes.length);
            case SqlCall.Json json -> json(json.text().getBytes(StandardCharsets.UTF_8));
            case Instant time -> JsonNodeFactory.instance.stringNode(time.toString());
            case null -> JsonNodeFactory.instance.nullNode();
            default -> JSON.valueToTree(value);
        };
    }

    /** @param url where a CloudEvent is sent; "" for other messages */
    void message(PublishCall call, String topic, String url) {
        ObjectNode place =
                place().put("kind", "message").put("binding", call.binding()).put("topic", topic);
        if (!url.isEmpty()) {
            place.put("url", url);
        }
        if (call.key() != null) {
            place.put("key", call.key());
        }
        if (!call.headers().isEmpty()) {
            ObjectNode headers = place.putObject("headers");
            call.headers().forEach(headers::put);
        }
        place.set(
                "content",
                switch (call.type()) {
                    case JSON -> json(call.content());
                    case TEXT ->
                        JsonNodeFactory.instance.stringNode(new String(call.content(), StandardCharsets.UTF_8));
                    case BYTES -> shown(call.content());
                });
    }

    void log(LogLevel level, String line) {
        place().put("kind", "log").put("level", level.name()).put("text", line);
    }
}
