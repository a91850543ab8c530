package io.millrace.launcher.functions;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A suite that stores functions and runs none: transitions take no time. Code that contains {@code ;;} does not compile, and a
 * deployed function takes OnDeploy only with a pause.
 */
final class FakeSuite implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();

    private static final JsonNode GRAPH = JSON.readTree("""
            {"functions":
              [{"name": "first", "function_scope": {"bucket": "*", "scope": "*"}, "deployed": true, "source": "in._default._default",
                "reads": ["prices._default._default"], "writes": ["mid._default._default"], "calls": ["https://example.com/"], "imports": ["money@1"],
                "wakes": ["shop/_default/second"], "woken_by": []},
               {"name": "second", "function_scope": {"bucket": "shop", "scope": "_default"}, "deployed": false,
                "source": "mid._default._default", "reads": [], "writes": ["out._default._default"], "calls": [], "wakes": [],
                "woken_by": ["first"]}],
             "deploy_order": ["shop/_default/second", "first"], "cycles": [["one", "two"]]}
            """);

    /** A function: all its definitions, the newest last. */
    private static final class Stored {
        final List<ObjectNode> versions = new ArrayList<>();
        /** The numbers of canaries that were rolled back, which are no versions of the function. */
        final Set<Integer> failed = new HashSet<>();

        String state = "undeployed";
    }

    private static final String TRACES = """
            {"traces": [{"trace": "4bf9", "started": "2026-11-23T10:00:00Z", "duration_us": 1500, "spans": [
              {"span": "1", "parent": "0", "name": "PUT", "duration_us": 300, "attributes": {"user": "ann", "document": "a"}},
              {"span": "2", "parent": "1", "name": "queue", "duration_us": 200, "attributes": {}},
              {"span": "3", "parent": "2", "name": "OnUpdate", "duration_us": 1000, "error": "no",
               "attributes": {"function": "totals"}}]}]}""";

    /** Requests that change something, as {@code METHOD path}. */
    final List<String> changes = new CopyOnWriteArrayList<>();

    /** The query of the last definition that was posted. */
    volatile String query = "";

    private final Map<String, Stored> functions = new ConcurrentSkipListMap<>();
    final Map<String, String> libraries = new ConcurrentSkipListMap<>();

    /** What the dependencies are said to be. */
    volatile JsonNode graph = GRAPH;

    /** Lets deployments go on until their state has been asked for, and be noted with the changes when they end. */
    volatile boolean slow;

    /** Whether a deployment is refused because a bucket does not exist. */
    volatile boolean withoutBuckets;

    private final HttpServer server;

    FakeSuite() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (!exchange.getRequestMethod().equals("GET") && !path.endsWith("/diff")) {
                changes.add(exchange.getRequestMethod() + " " + path);
            }
            synchronized (this) {
                answer(exchange, path, body);
            }
        });
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /** Makes the newest version that of a canary which was rolled back. */
    synchronized void rollBackCanary(String name) {
        Stored stored = functions.getOrDefault(name, new Stored());
        stored.failed.add(stored.versions.size());
    }

    /** Returns the names of the functions with their states and versions. */
    synchronized List<String> functions() {
        return functions.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue().state + " "
                        + entry.getValue().versions.size())
                .toList();
    }

    private void answer(HttpExchange exchange, String path, String body) throws IOException {
        String[] parts = path.split("/", -1);
        if (path.equals("/api/v1/status")) {
            ArrayNode apps = JSON.createArrayNode();
            functions.keySet().forEach(name -> apps.add(app(name)));
            send(exchange, 200, JSON.createObjectNode().set("apps", apps));
        } else if (path.equals("/api/v1/dependencies")) {
            send(exchange, 200, graph);
        } else if (path.startsWith("/api/v1/libraries")) {
            library(exchange, parts, body);
        } else if (path.startsWith("/api/v1/status/")) {
            found(
                    exchange,
                    parts[4],
                    functions.containsKey(parts[4]) ? JSON.createObjectNode().set("app", app(parts[4])) : null);
        } else if (path.equals("/api/v1/traces")) {
            boolean known = String.valueOf(exchange.getRequestURI().getQuery()).startsWith("document=a&");
            send(exchange, 200, JSON.readTree(known ? TRACES : "{\"traces\": []}"));
        } else if (path.equals("/getAppLog")) {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("newest\noldest\n".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        } else if (path.startsWith("/api/v1/buckets/")) {
            send(exchange, exchange.getRequestMethod().equals("GET") ? 404 : 200, JSON.createObjectNode());
        } else {
            function(exchange, parts, body);
        }
    }

    /** Knows the imports of a library that has one, as {@code from 'NAME@VERSION'}; functions import all libraries. */
    private void library(HttpExchange exchange, String[] parts, String body) throws IOException {
        String id = parts.length > 6 ? parts[4] + '@' + parts[6] : "";
        switch (exchange.getRequestMethod() + (id.isEmpty() ? "" : " one")) {
            case "GET" -> {
                ArrayNode all = JSON.createArrayNode();
                libraries.keySet().forEach(known -> {
                    String[] words = known.split("@", 2);
                    ObjectNode shown = all.addObject().put("name", words[0]).put("version", words[1]);
                    ArrayNode users = shown.putArray("used_by");
                    functions.keySet().forEach(users::add);
                });
                send(exchange, 200, all);
            }
            case "PUT one" -> {
                String imported = body.contains("from '") ? body.split("'", -1)[1] : id;
                boolean ready = imported.equals(id) || libraries.containsKey(imported);
                if (ready) {
                    libraries.put(id, body);
                }
                send(exchange, ready ? 200 : 400, problem("There is no library " + imported));
            }
            case "DELETE one" -> {
                libraries.remove(id);
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            }
            default ->
                send(
                        exchange,
                        libraries.containsKey(id) ? 200 : 404,
                        problem("There is no library " + id).put("code", String.valueOf(libraries.get(id))));
        }
    }

    private static ObjectNode problem(String detail) {
        return JSON.createObjectNode().put("detail", detail).put("action", "");
    }

    private ObjectNode app(String name) {
        Stored stored = functions.getOrDefault(name, new Stored());
        String state = stored.state;
        if (state.equals("deploying")) {
            stored.state = "deployed";
            changes.add("deployed " + name);
        }
        return JSON.createObjectNode()
                .put("name", name)
                .put("composite_status", state)
                .put("version", stored.versions.size());
    }

    private void function(HttpExchange exchange, String[] parts, String body) throws IOException {
        String name = parts[4];
        String what = parts.length > 5 ? parts[5] : "";
        if (!functions.containsKey(name) && List.of("pause", "undeploy").contains(what)) {
            send(exchange, 400, refusal("ERR_APP_NOT_FOUND", "Function: " + name + " not found"));
            return;
        }
        if (what.equals("deploy") && withoutBuckets) {
            send(exchange, 400, refusal("ERR_BUCKET_MISSING", "Bucket 'totals' does not exist. Create it first."));
            return;
        }
        Stored stored = functions.getOrDefault(name, new Stored());
        switch (exchange.getRequestMethod() + " " + what) {
            case "GET " -> found(exchange, name, functions.containsKey(name) ? stored.versions.getLast() : null);
            case "POST " -> save(exchange, name, (ObjectNode) JSON.readTree(body));
            case "DELETE " -> {
                functions.remove(name);
                send(exchange, 200, JSON.createObjectNode());
            }
            case "POST diff" -> send(exchange, 200, diff(stored, JSON.readTree(body)));
            case "POST dry-run" -> send(exchange, 200, dryRun(body));
            case "POST dead-letters" -> {
                ObjectNode info = JSON.createObjectNode();
                if (body.isEmpty()) {
                    info.put("replaying", 7);
                } else {
                    info.put("handled", 5)
                            .put("failed", body.contains("bad") ? 1 : 0)
                            .put("left", 0);
                    if (body.contains("bad")) {
                        info.putArray("failures")
                                .addObject()
                                .put("letter", "1-10")
                                .put("error", "Error: no")
                                .put("line", 2);
                    }
                }
                send(exchange, 200, JSON.createObjectNode().set("info", info));
            }
            case "GET versions" -> {
                ObjectNode response = JSON.createObjectNode();
                ArrayNode rows = response.putArray("versions");
                for (int i = stored.versions.size(); i > 0; i--) {
                    if (!stored.failed.contains(i)) {
                        rows.addObject().put("version", i);
                    }
                }
                send(exchange, 200, response);
            }
            case "POST versions" -> {
                ObjectNode former = stored.versions.get(Integer.parseInt(parts[6]) - 1);
                stored.versions.add(former);
                send(exchange, 200, JSON.createObjectNode().put("version", stored.versions.size()));
            }
            case "POST deploy", "POST resume" -> move(exchange, stored, "deployed");
            case "POST pause" -> move(exchange, stored, "paused");
            case "POST undeploy" -> move(exchange, stored, "undeployed");
            case "GET canary" ->
                send(exchange, 404, problem("Function: " + name + " not found").put("code", "function_not_found"));
            default ->
                send(
                        exchange,
                        404,
                        JSON.createObjectNode().put("detail", "no " + what).put("action", ""));
        }
    }

    private static ObjectNode dryRun(String body) {
        ObjectNode invocation = JSON.createObjectNode()
                .put("entry_point", "OnUpdate")
                .put("id", "7")
                .put("result", "success");
        invocation
                .putArray("effects")
                .addObject()
                .put("kind", "log")
                .put("level", "INFO")
                .put("text", body);
        ObjectNode response = JSON.createObjectNode().put("changes", 2);
        response.putArray("invocations").add(invocation);
        if (JSON.readTree(body).path("record").asBoolean(false)) {
            ObjectNode answers = response.putObject("answers");
            answers.putArray("responses").addObject().put("url", "http://rates/eur");
            answers.putArray("sql");
            answers.putArray("left_out").add("SELECT 1: too large");
        }
        return response;
    }

    private void move(HttpExchange exchange, Stored stored, String state) throws IOException {
        stored.state = slow && state.equals("deployed") ? "deploying" : state;
        boolean stops = !state.equals("deployed");
        send(exchange, 200, JSON.readTree(stops ? "{\"warning_info\": {\"warnings\": [\"others wait\"]}}" : "{}"));
    }

    private void save(HttpExchange exchange, String name, ObjectNode definition) throws IOException {
        query = String.valueOf(exchange.getRequestURI().getRawQuery());
        if (definition.path("appcode").asString().contains(";;")) {
            send(exchange, 422, JSON.readTree("""
                    {"name": "ERR_HANDLER_COMPILATION", "description": {"errors":
                      [{"description": "two semicolons", "line_number": 3, "column_number": 7}]}}\
                    """));
            return;
        }
        if (query.contains("swap=true") && definition.path("appcode").asString().contains("OnDeploy")) {
            send(exchange, 400, JSON.createObjectNode().put("description", "It needs a pause"));
            return;
        }
        functions.computeIfAbsent(name, absent -> new Stored()).versions.add(definition);
        send(exchange, 200, JSON.createObjectNode());
    }

    private static ObjectNode diff(Stored stored, JsonNode definition) {
        ObjectNode before = stored.versions.getLast();
        ObjectNode json = JSON.createObjectNode();
        ArrayNode changed = json.putArray("changed");
        json.put("code", "");
        if (!before.path("appcode").equals(definition.path("appcode"))) {
            changed.add("code");
            json.put(
                    "code",
                    "-" + before.path("appcode").asString().strip() + "\n+"
                            + definition.path("appcode").asString());
        }
        json.putArray("settings");
        json.putArray("bindings");
        return json;
    }

    private static void found(HttpExchange exchange, String name, @Nullable JsonNode answer) throws IOException {
        send(
                exchange,
                answer == null ? 404 : 200,
                answer == null ? refusal("ERR_APP_NOT_FOUND_TS", "Function: " + name + " not found") : answer);
    }

    private static JsonNode refusal(String name, String description) {
        return JSON.createObjectNode().put("name", name).put("description", description);
    }

    private static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
