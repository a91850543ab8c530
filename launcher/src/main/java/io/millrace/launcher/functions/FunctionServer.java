package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.gateway.GatewayClient;
import io.millrace.launcher.gateway.GatewayClient.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The functions of a running suite. Methods fail with {@link LauncherException} in the words of the server. */
final class FunctionServer implements AutoCloseable {

    private static final String FUNCTIONS = "/api/v1/functions/";
    private static final String LIBRARIES = "/api/v1/libraries";
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration STREAM = Duration.ofMinutes(1);

    private final GatewayClient gateway;

    FunctionServer(GatewayClient gateway) {
        this.gateway = gateway;
    }

    @Override
    public void close() {
        gateway.close();
    }

    /** Returns the states of all functions. */
    List<JsonNode> all() {
        return json(gateway.get("/api/v1/status"), "list the functions")
                .path("apps")
                .valueStream()
                .toList();
    }

    /** Returns which functions wake which others. */
    JsonNode dependencies() {
        return json(gateway.get("/api/v1/dependencies"), "read the dependencies of the functions");
    }

    /** Returns all versions of all libraries, without their code. */
    List<JsonNode> libraries() {
        return json(gateway.get(LIBRARIES), "list the libraries").valueStream().toList();
    }

    /** Returns {@code NAME@VERSION} of an element of {@link #libraries}. */
    static String libraryId(JsonNode library) {
        return library.path("name").asString() + '@' + library.path("version").asString();
    }

    /** Returns the code of a library. */
    String library(String id) {
        return json(gateway.get(libraryPath(id)), "read " + id).path("code").asString();
    }

    /** Returns the code of the libraries that a function imports, directly and through others, by their ids. */
    Map<String, String> librariesOf(FunctionId id) {
        Map<String, String> used = new TreeMap<>();
        for (JsonNode library : libraries()) {
            if (library.path("used_by")
                    .valueStream()
                    .anyMatch(user -> user.asString().equals(id.toString()))) {
                used.put(libraryId(library), library(libraryId(library)));
            }
        }
        return used;
    }

    void deleteLibrary(String id) {
        require(gateway.delete(libraryPath(id)), "delete " + id);
    }

    /** Saves libraries, in whatever order they import each other; those that are saved already must have the same code. */
    void saveLibraries(Map<String, String> libraries) {
        Map<String, String> open = new TreeMap<>(libraries);
        while (!open.isEmpty()) {
            Map<String, Answer> refused = new TreeMap<>();
            open.forEach((id, code) -> {
                Answer answer = gateway.put(libraryPath(id), code);
                if (!answer.isSuccess()) {
                    refused.put(id, answer);
                }
            });
            if (refused.size() == open.size()) {
                refused.forEach((id, answer) -> require(answer, "save the library " + id));
            }
            open.keySet().retainAll(refused.keySet());
        }
    }

    private static String libraryPath(String id) {
        int at = id.indexOf('@');
        if (at < 0) {
            throw new LauncherException("'%s' is not a library; a library has the form NAME@VERSION".formatted(id));
        }
        return LIBRARIES + '/' + GatewayClient.segment(id.substring(0, at)) + "/versions/"
                + GatewayClient.segment(id.substring(at + 1));
    }

    /** Returns the state of a function, or nothing if it does not exist. */
    Optional<JsonNode> find(FunctionId id) {
        Answer answer = gateway.get(id.path("/api/v1/status/", ""));
        return answer.status() == 404
                ? Optional.empty()
                : Optional.of(json(answer, "read the state of " + id).path("app"));
    }

    /** Returns the state of a function. */
    JsonNode state(FunctionId id) {
        return find(id).orElseThrow(() ->
                new LauncherException("There is no function " + id + "; './millrace fn list' lists the functions"));
    }

    JsonNode definition(FunctionId id) {
        return read(id, "");
    }

    JsonNode versions(FunctionId id, int limit) {
        return read(id, "/versions?limit=" + limit).path("versions");
    }

    JsonNode version(FunctionId id, long version) {
        return read(id, "/versions/" + version);
    }

    JsonNode diff(FunctionId id, long version, long from) {
        return read(id, "/versions/" + version + "/diff?from=" + from);
    }

    private JsonNode read(FunctionId id, String what) {
        return json(gateway.get(id.path(FUNCTIONS, what)), "read " + id);
    }

    /** Returns what saving a definition would change; the function exists. */
    JsonNode compare(FunctionId id, JsonNode definition) {
        return json(gateway.post(id.path(FUNCTIONS, "/diff"), definition.toString()), "compare " + id);
    }

    /** Returns the state of a function in an answer of {@link #all}, {@link #find} or {@link #state}. */
    static String statusOf(JsonNode app) {
        return app.path("composite_status").asString();
    }

    /** Returns what a function would do; nothing takes effect. */
    JsonNode dryRun(FunctionId id, JsonNode request) {
        return json(gateway.post(id.path(FUNCTIONS, "/dry-run"), request.toString()), "run " + id);
    }

    /** Starts a debugger and returns its state. */
    JsonNode debug(FunctionId id, JsonNode request) {
        return json(gateway.post(id.path(FUNCTIONS, "/debug"), request.toString()), "debug " + id);
    }

    /** Returns the state of the debugger of a function. */
    JsonNode debugger(FunctionId id) {
        return read(id, "/debug");
    }

    /** Saves a definition; a function that is deployed takes it, with a pause if it needs one. Returns the warnings. */
    List<String> save(FunctionId id, JsonNode definition, String note) {
        return save(id, definition, "save ", withRestart(note));
    }

    /** Has a function that is deployed take a definition without a pause; returns the warnings. */
    List<String> swap(Plan.Save save, String note) {
        return save(save.id(), save.definition(), "swap ", "?swap=true" + noted(note));
    }

    private List<String> save(FunctionId id, JsonNode definition, String what, String query) {
        Answer answer = gateway.post(id.path(FUNCTIONS, query), definition.toString());
        require(answer, what + id, FunctionDirectory.codeFile(definition));
        return warnings(answer.json());
    }

    private static List<String> warnings(JsonNode answer) {
        return answer.at("/warning_info/warnings")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    long rollBack(FunctionId id, long version, String note) {
        String query = "/versions/" + version + "/rollback" + withRestart(note);
        return json(gateway.post(id.path(FUNCTIONS, query), ""), "roll back " + id)
                .path("version")
                .asLong();
    }

    /** Returns the canary of a function, or its last one, compared with the other version. */
    JsonNode canary(FunctionId id) {
        return read(id, "/canary");
    }

    JsonNode startCanary(FunctionId id, JsonNode request, String note) {
        String query = note.isEmpty() ? "" : "?note=" + GatewayClient.segment(note);
        return json(gateway.post(id.path(FUNCTIONS, "/canary" + query), request.toString()), "begin a canary of " + id);
    }

    /** @param how {@code promote} or {@code rollback} */
    JsonNode endCanary(FunctionId id, String how, String note) {
        String query = note.isEmpty() ? "" : "?note=" + GatewayClient.segment(note);
        return json(gateway.post(id.path(FUNCTIONS, "/canary/" + how + query), ""), how + " the canary of " + id);
    }

    private static String withRestart(String note) {
        return "?restart=true" + noted(note);
    }

    private static String noted(String note) {
        return note.isEmpty() ? "" : "&note=" + GatewayClient.segment(note);
    }

    /**
     * Replays all dead letters.
     *
     * @param code a draft that handles them at once, null for the deployed code
     */
    JsonNode replay(FunctionId id, @Nullable String code) {
        String body = code == null
                ? ""
                : JsonNodeFactory.instance.objectNode().put("code", code).toString();
        return json(gateway.post(id.path(FUNCTIONS, "/dead-letters/replay"), body), "replay the dead letters of " + id)
                .path("info");
    }

    /** Requests {@code deploy}, {@code undeploy}, {@code pause} or {@code resume}; returns the warnings. */
    List<String> move(FunctionId id, String request) {
        return warnings(json(gateway.post(id.path(FUNCTIONS, "/" + request), ""), request + " " + id));
    }

    /** Saves a definition if that changes something, and requests what the plan says; returns the warnings. */
    List<String> carryOut(Plan.Save save, String note) {
        List<String> warnings = saveOf(save, note);
        begin(save);
        return warnings;
    }

    /** Saves a definition if that changes something; returns the warnings. */
    List<String> saveOf(Plan.Save save, String note) {
        return save.exists() && save.changed().isEmpty() ? List.of() : save(save.id(), save.definition(), note);
    }

    /** Requests what the plan says about a function that was saved. */
    void begin(Plan.Save save) {
        if (!save.action().isEmpty()) {
            move(save.id(), save.action());
        }
    }

    /** Undeploys a function and waits until it is; returns the warnings. */
    List<String> undeploy(FunctionId id) {
        List<String> warnings = move(id, "undeploy");
        await(id, "undeployed");
        return warnings;
    }

    /** Deletes an undeployed function; returns the warnings. */
    List<String> delete(FunctionId id) {
        return warnings(json(gateway.delete(id.path(FUNCTIONS, "")), "delete " + id));
    }

    /**
     * Waits until a function is in a state, which is not one on the way; fails with the reason if it ends in another, or goes on
     * with the version that it had.
     */
    void await(FunctionId id, String wanted) {
        while (true) {
            JsonNode app = state(id);
            String state = statusOf(app);
            JsonNode failure = app.path("failure");
            boolean swapping = app.path("swapping").asBoolean();
            boolean refused = state.equals("deployed") && !failure.isMissingNode();
            if (state.equals(wanted) && !swapping && !refused) {
                return;
            }
            if (!swapping && List.of("undeployed", "paused", "deployed").contains(state)) {
                int line = failure.path("line").asInt();
                throw new LauncherException("%s is %s, not %s%s"
                        .formatted(
                                id,
                                state,
                                refused ? "in the version that was saved" : wanted,
                                failure.isMissingNode()
                                        ? ""
                                        : ": " + failure.path("message").asString()
                                                + (line > 0 ? " (line " + line + " of the code)" : "")));
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    JsonNode templates() {
        return json(gateway.get("/api/v1/templates"), "list the templates");
    }

    /** Creates the buckets that a definition names and that do not exist; returns their names. */
    List<String> createBuckets(JsonNode definition) {
        List<String> wanted = new ArrayList<>();
        wanted.add(definition.at("/depcfg/source_bucket").asString(""));
        wanted.add(definition.at("/depcfg/metadata_bucket").asString(""));
        definition
                .at("/depcfg/buckets")
                .forEach(binding -> wanted.add(binding.path("bucket_name").asString("")));
        List<String> created = new ArrayList<>();
        for (String bucket :
                wanted.stream().distinct().filter(name -> !name.isEmpty()).toList()) {
            String path = "/api/v1/buckets/" + GatewayClient.segment(bucket);
            if (gateway.get(path).status() == 404) {
                json(gateway.put(path, ""), "create the bucket " + bucket);
                created.add(bucket);
            }
        }
        return created;
    }

    /** Returns the newest lines of a function's log, oldest first. */
    List<String> log(FunctionId id, int lines) {
        Answer answer = gateway.get(id.path("/getAppLog?size=1048576&name=", ""));
        require(answer, "read the log of " + id);
        return answer.body().lines().limit(lines).toList().reversed();
    }

    /** @param path of the request, with a query that says which */
    List<JsonNode> traces(String path, int limit) {
        return json(gateway.get(path + "&limit=" + limit), "read traces")
                .path("traces")
                .valueStream()
                .toList();
    }

    /** Follows the log of a function; the caller closes the stream. */
    InputStream follow(FunctionId id) {
        HttpResponse<InputStream> response =
                gateway.open("GET", id.path(FUNCTIONS, "/log"), BodyPublishers.noBody(), STREAM);
        if (response.statusCode() != 200) {
            try (InputStream body = response.body()) {
                require(
                        new Answer(response.statusCode(), new String(body.readAllBytes(), StandardCharsets.UTF_8)),
                        "follow the log of " + id);
            } catch (IOException e) {
                throw new LauncherException("Cannot follow the log of " + id + ": HTTP " + response.statusCode(), e);
            }
        }
        return response.body();
    }

    private static JsonNode json(Answer answer, String what) {
        require(answer, what);
        return answer.json();
    }

    private static void require(Answer answer, String what) {
        require(answer, what, FunctionDirectory.CODE);
    }

    /** @param file the file with the code that the server may find mistakes in */
    private static void require(Answer answer, String what, String file) {
        if (!answer.isSuccess()) {
            throw new LauncherException("Cannot " + what + ": " + reason(answer, file));
        }
    }

    /** Returns what the server said: problem details, or Couchbase's error body with the mistakes in the code. */
    private static String reason(Answer answer, String file) {
        JsonNode body;
        try {
            body = answer.json();
        } catch (LauncherException notJson) {
            return "HTTP " + answer.status() + " " + answer.body().strip();
        }
        JsonNode errors = body.has("errors") ? body.path("errors") : body.at("/description/errors");
        if (!errors.isEmpty()) {
            StringBuilder text = new StringBuilder("the code has mistakes");
            errors.forEach(error -> text.append("\n  %s:%d:%d: %s"
                    .formatted(
                            file,
                            error.path("line_number").asInt(),
                            error.path("column_number").asInt(),
                            error.path("description").asString())));
            return text.toString();
        }
        String name = body.path("name").asString("");
        if (body.path("code").asString("").equals("function_not_found") || name.startsWith("ERR_APP_NOT_FOUND")) {
            return "There is no such function; './millrace fn list' lists the functions";
        }
        if (name.equals("ERR_BUCKET_MISSING")) {
            return body.path("description").asString() + " './millrace fn deploy --create-buckets' creates buckets.";
        }
        if (body.has("detail")) {
            return body.path("detail").asString() + " " + body.path("action").asString();
        }
        return body.path("description")
                .asString(Map.of("status", answer.status()).toString());
    }
}
