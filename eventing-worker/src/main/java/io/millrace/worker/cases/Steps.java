package io.millrace.worker.cases;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.handler.requests.RequestSchema;
import io.millrace.handler.requests.Verdict;
import io.millrace.worker.trial.Trial;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The steps of a case, below {@code when}: changes of documents, events of streams, messages, requests, time that passes, calls of
 * functions.
 */
final class Steps {

    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m|h|d)");

    private final Trial trial;
    private final Definition function;
    private final Keyspace source;
    private final MessageStep messages;

    /** The number of events of each stream. */
    private final Map<String, Long> versions = new HashMap<>();

    Steps(Trial trial, Definition function) {
        this.trial = trial;
        this.function = function;
        this.source = function.source();
        this.messages = new MessageStep(function.topic());
    }

    /** Carries out one step and returns the invocations that it caused. */
    List<ObjectNode> run(JsonNode step) {
        Cases.members(
                "a step",
                step,
                Set.of("update", "delete", "expire", "append", "message", "request", "advance", "call"));
        if (step.size() != 1) {
            throw new MalformedCase(
                    "A step has one of update, delete, expire, append, message, request, advance and call, not "
                            + step);
        }
        String kind = step.propertyNames().iterator().next();
        JsonNode what = step.path(kind);
        return switch (kind) {
            case "update" -> List.of(trial.handle(update(what)));
            case "delete" -> List.of(trial.handle(gone(what, Event.Kind.DELETION)));
            case "expire" -> List.of(trial.handle(gone(what, Event.Kind.EXPIRATION)));
            case "append" -> List.of(trial.handle(appended(what)));
            case "message" -> List.of(trial.handle(messages.read(what, trial.now())));
            case "request" -> List.of(request(what));
            case "advance" -> trial.advance(duration(what.asString("")));
            default -> List.of(trial.handle(call(what)));
        };
    }

    private DocumentKey key(JsonNode what) {
        String id = what.path("id").asString("");
        if (id.isEmpty()) {
            throw new MalformedCase("A change needs the id of its document: " + what);
        }
        return new DocumentKey(
                new Keyspace(
                        source.bucket(),
                        what.path("scope").asString(source.scope()),
                        what.path("collection").asString(source.collection())),
                id);
    }

    private Event update(JsonNode what) {
        Cases.members("update", what, Set.of("id", "document", "base64", "scope", "collection", "xattrs", "expiry"));
        if (what.has("document") == what.has("base64")) {
            throw new MalformedCase("update needs a document, or base64 with the bytes of a binary one: " + what);
        }
        Write write = content(what);
        if (what.has("expiry")) {
            write = write.withExpiry(Expiry.at(time("expiry", what.path("expiry"))));
        }
        return trial.change(what.has("xattrs") ? write.withXattrs(bytes(what.path("xattrs")), null) : write);
    }

    private Write content(JsonNode what) {
        if (what.has("document")) {
            return Write.upsert(key(what), bytes(what.path("document")));
        }
        return Write.upsert(key(what), Cases.bytes(what.path("base64"))).withDatatype(Datatype.BINARY);
    }

    /** Reads a time of a case. */
    static Instant time(String what, JsonNode text) {
        try {
            return Instant.parse(text.asString(""));
        } catch (DateTimeParseException e) {
            throw new MalformedCase("%s must be a time such as 2026-01-01T00:00:00Z, not %s".formatted(what, text));
        }
    }

    private static byte[] bytes(JsonNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** A document that the case does not give is deleted all the same: its deletion is the event. */
    private Event gone(JsonNode what, Event.Kind kind) {
        Cases.members("a deletion", what, Set.of("id", "scope", "collection"));
        DocumentKey key = key(what);
        Optional<Document> there = trial.documents().get(key).join();
        if (there.isEmpty()) {
            trial.change(Write.upsert(key, bytes(what)));
        }
        Event event = trial.change(Write.remove(key));
        return new Event(kind, event.key(), event.version(), event.content());
    }

    private ObjectNode request(JsonNode what) {
        HttpRequest request = RequestStep.read(what).toPublicFunction(function.isPublic());
        RequestSchema taken = function.requests();
        return taken != null && taken.check(RequestStep.described(what, request)) instanceof Verdict.Refused refused
                ? refused(RequestStep.id(what), refused)
                : trial.request(RequestStep.id(what), request);
    }

    /** Returns what the caller gets from the service, which does not call the function. */
    private ObjectNode refused(String id, Verdict.Refused refused) {
        String detail = refused.detail(function.setup().function());
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.put("entry_point", "OnRequest")
                .put("id", id)
                .put("result", "refused")
                .put("error", detail);
        ObjectNode response = shown.putObject("response").put("status", refused.status());
        response.putObject("body")
                .put("status", refused.status())
                .put("code", refused.code())
                .put("detail", detail);
        shown.putArray("effects");
        return shown;
    }

    private Event appended(JsonNode what) {
        Cases.members("append", what, Set.of("stream", "type", "data", "meta", "correlationId", "causationId"));
        String stream = what.path("stream").asString("");
        int hyphen = stream.indexOf('-');
        if (hyphen < 1 || what.path("type").asString("").isEmpty()) {
            throw new MalformedCase("append needs a stream, such as Basket-7, and the type of an event: " + what);
        }
        long version = versions.merge(stream, 1L, Long::sum);
        ObjectNode about = JsonNodeFactory.instance
                .objectNode()
                .put("stream", stream)
                .put("category", stream.substring(0, hyphen))
                .put("id", stream.substring(hyphen + 1))
                .put("index", version - 1)
                .put("seq", version)
                .put("type", what.path("type").asString())
                .put("time", trial.now().toString());
        for (String optional : List.of("meta", "correlationId", "causationId")) {
            if (what.has(optional)) {
                about.set(optional, what.path(optional));
            }
        }
        byte[] data = what.has("data") ? bytes(what.path("data")) : "null".getBytes(StandardCharsets.UTF_8);
        return new Event(
                Event.Kind.APPENDED,
                new Event.Key(source.scope(), source.collection(), stream, 0),
                new Event.Version(version, version - 1, 0),
                new Event.Content(0, 0, false, data, bytes(about), null));
    }

    private static Event call(JsonNode what) {
        Cases.members("call", what, Set.of("function", "context", "argument", "reference"));
        JsonNode context = what.path("context");
        return Trial.timer(
                what.path("function").asString(""),
                what.path("reference").asString(""),
                context.isMissingNode() ? null : context.toString(),
                what.path("argument").asString(""),
                0);
    }

    /** Returns a duration such as {@code 3d}, {@code 1h30m} or {@code 500ms}. */
    static Duration duration(String text) {
        Matcher parts = DURATION.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (parts.find() && parts.start() == end) {
            long number = Long.parseLong(parts.group(1));
            sum = sum.plus(
                    switch (parts.group(2)) {
                        case "ms" -> Duration.ofMillis(number);
                        case "s" -> Duration.ofSeconds(number);
                        case "m" -> Duration.ofMinutes(number);
                        case "h" -> Duration.ofHours(number);
                        default -> Duration.ofDays(number);
                    });
            end = parts.end();
        }
        if (end == 0 || end != text.length()) {
            throw new MalformedCase("advance needs a duration such as 3d, 1h30m or 500ms, not '%s'".formatted(text));
        }
        return sum;
    }
}
