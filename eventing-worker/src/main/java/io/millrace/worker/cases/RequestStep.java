package io.millrace.worker.cases;

import io.millrace.handler.requests.RequestSchema;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A step {@code request}: an HTTP request as {@code OnRequest} sees it when a client sends it. */
final class RequestStep {

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    private static final String TYPE = "content-type";

    private RequestStep() {}

    /** Returns what the request is called in messages: its method and path. */
    static String id(JsonNode step) {
        return method(step) + " " + target(step);
    }

    static HttpRequest read(JsonNode step) {
        Cases.members("request", step, Set.of("method", "path", "headers", "user", "body", "base64"));
        if (step.has("body") && step.has("base64")) {
            throw new MalformedCase("request has a body, or base64 with its bytes, not both: " + step);
        }
        HttpBody body = body(step);
        ObjectNode head = JsonNodeFactory.instance.objectNode();
        String method = method(step);
        head.put("method", method.equals("HEAD") ? "GET" : method);
        String[] target = target(step).split("\\?", 2);
        head.put("path", target[0]);
        ArrayNode segments = head.putArray("segments");
        segments(target[0]).stream().filter(segment -> !segment.isEmpty()).forEach(segments::add);
        query(target.length == 1 ? "" : target[1], head.putObject("query"));
        headers(step.path("headers"), body, head.putObject("headers"));
        head.put("user", step.path("user").isString() ? step.path("user").asString() : null);
        return new HttpRequest(head.toString().getBytes(StandardCharsets.UTF_8), body);
    }

    /** Returns what the setting {@code openapi} is compared with. @param read the request of the step */
    static RequestSchema.Request described(JsonNode step, HttpRequest read) {
        JsonNode head = JsonMapper.shared().readTree(read.head());
        Map<String, List<String>> query = new HashMap<>();
        head.path("query").properties().forEach(each -> {
            JsonNode value = each.getValue();
            query.put(
                    each.getKey(),
                    value.isArray()
                            ? value.valueStream().map(JsonNode::asString).toList()
                            : List.of(value.asString()));
        });
        JsonNode headers = head.path("headers");
        return new RequestSchema.Request(
                head.path("method").asString(),
                segments(target(step)),
                query,
                name -> headers.path(name.toLowerCase(Locale.ROOT))
                        .asStringOpt()
                        .orElse(null),
                headers.path(TYPE).asStringOpt().orElse(null),
                read.body().bytes());
    }

    /** Returns what is between the slashes of the path, decoded; also what is empty. */
    private static List<String> segments(String target) {
        return Arrays.stream(target.split("\\?", 2)[0].split("/", -1))
                .skip(1)
                .map(segment -> decoded(segment.replace("+", "%2B"))) // a plus is a space in the query only
                .toList();
    }

    private static String method(JsonNode step) {
        String method = step.path("method").asString("GET");
        if (!METHODS.contains(method)) {
            throw new MalformedCase("The method of a request is one of %s, not '%s'"
                    .formatted(String.join(", ", METHODS.stream().sorted().toList()), method));
        }
        return method;
    }

    private static String target(JsonNode step) {
        String target = step.path("path").asString("/");
        if (!target.startsWith("/")) {
            throw new MalformedCase(
                    "The path of a request is what follows /fn/NAME, such as /orders/7?full=yes, not '%s'"
                            .formatted(target));
        }
        return target;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new MalformedCase("'%s' in the path of a request is not percent-encoded".formatted(text));
        }
    }

    private static void query(String text, ObjectNode to) {
        for (String pair : text.split("&")) {
            if (pair.isEmpty()) {
                continue;
            }
            String[] parts = pair.split("=", 2);
            String name = decoded(parts[0]);
            String value = parts.length == 1 ? "" : decoded(parts[1]);
            switch (to.path(name)) {
                case ArrayNode several -> several.add(value);
                case JsonNode one
                when one.isString() -> to.putArray(name).add(one.asString()).add(value);
                default -> to.put(name, value);
            }
        }
    }

    private static void headers(JsonNode given, HttpBody body, ObjectNode to) {
        given.properties()
                .forEach(header -> to.put(
                        header.getKey().toLowerCase(Locale.ROOT),
                        header.getValue().asString()));
        String type = switch (body.kind()) {
            case NONE -> "";
            case JSON -> "application/json";
            case TEXT -> "text/plain;charset=UTF-8";
            case BYTES -> "application/octet-stream";
        };
        if (!type.isEmpty() && !to.has(TYPE)) {
            to.put(TYPE, type);
        }
    }

    /** A string is text unless the request says that it is JSON, as in what {@code OnRequest} returns. */
    private static HttpBody body(JsonNode step) {
        JsonNode body = step.path("body");
        if (step.has("base64")) {
            if (saysJson(step.path("headers"))) {
                throw new MalformedCase("base64 is for bodies that are not JSON; give the JSON as body: " + step);
            }
            return new HttpBody(HttpBody.Kind.BYTES, Cases.bytes(step.path("base64")));
        }
        if (body.isMissingNode()) {
            return new HttpBody(HttpBody.Kind.NONE, new byte[0]);
        }
        return body.isString() && !saysJson(step.path("headers"))
                ? new HttpBody(HttpBody.Kind.TEXT, body.asString().getBytes(StandardCharsets.UTF_8))
                : new HttpBody(HttpBody.Kind.JSON, body.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static boolean saysJson(JsonNode headers) {
        return headers.properties().stream()
                .anyMatch(header -> header.getKey().equalsIgnoreCase(TYPE)
                        && header.getValue().asString().contains("json"));
    }
}
