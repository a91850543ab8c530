package io.millrace.benchmarks.suite;

import io.millrace.launcher.gateway.Login;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A client of the part of the functions API that benchmarks need. */
public final class FunctionsClient {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LOOK = Duration.ofMillis(50);

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI gateway;
    private final Login login;

    public FunctionsClient(URI gateway, Login login) {
        this.gateway = gateway;
        this.login = login;
    }

    /** Stores a function with one worker and a binding to one bucket, whose alias is the bucket's name. */
    public void create(String name, String code, String source, String destination, String metadata)
            throws IOException, InterruptedException {
        create(name, code, source, destination, metadata, Map.of());
    }

    public void create(
            String name, String code, String source, String destination, String metadata, Map<String, ?> settings)
            throws IOException, InterruptedException {
        post("/api/v1/functions/" + name, definition(name, code, source, destination, metadata, settings));
    }

    /** Returns the definition of a function with one worker and a binding to one bucket. */
    public static String definition(
            String name, String code, String source, String destination, String metadata, Map<String, ?> settings) {
        ObjectNode definition = JSON.createObjectNode().put("appname", name).put("appcode", code);
        ObjectNode deployment = definition.putObject("depcfg");
        deployment.put("source_bucket", source).put("metadata_bucket", metadata);
        deployment.putArray("buckets").addObject().put("alias", destination).put("bucket_name", destination);
        ObjectNode all = definition.putObject("settings").put("worker_count", 1);
        settings.forEach(all::putPOJO);
        return definition.toString();
    }

    public void deploy(String name) throws IOException, InterruptedException {
        ask(name, "deploy");
        awaitStatus(name, "deployed", LOOK);
    }

    public void undeploy(String name) throws IOException, InterruptedException {
        ask(name, "undeploy");
        awaitStatus(name, "undeployed", LOOK);
    }

    public void pause(String name) throws IOException, InterruptedException {
        ask(name, "pause");
        awaitStatus(name, "paused", LOOK);
    }

    public void resume(String name) throws IOException, InterruptedException {
        ask(name, "resume");
        awaitStatus(name, "deployed", LOOK);
    }

    /** Requests a change of state, such as {@code deploy}, and does not wait for it. */
    public void ask(String name, String change) throws IOException, InterruptedException {
        post("/api/v1/functions/" + name + "/" + change, "");
    }

    /** Saves a definition and returns the status of the answer. */
    public int save(String name, String definition) throws IOException, InterruptedException {
        return statusOf("/api/v1/functions/" + name, definition);
    }

    /** Saves a definition over a function that is deployed, which takes it, and returns the status of the answer. */
    public int deploy(String name, String definition) throws IOException, InterruptedException {
        return statusOf("/api/v1/functions/" + name + "/deploy", definition);
    }

    /** Requests a change of state, which may be refused, and returns the status of the answer. */
    public int attempt(String name, String change) throws IOException, InterruptedException {
        return statusOf("/api/v1/functions/" + name + "/" + change, "");
    }

    private int statusOf(String path, String body) throws IOException, InterruptedException {
        return http.send(
                        posting(path, body)
                                .header("Authorization", login.authorization())
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    /** Returns how many functions are deployed; 0 while no answer can be had. */
    public int deployed() throws InterruptedException {
        try {
            int deployed = 0;
            for (JsonNode app : get("/api/v1/status").path("apps")) {
                deployed += app.path("composite_status").asString("").equals("deployed") ? 1 : 0;
            }
            return deployed;
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns the state of a function as its status names it. */
    public String status(String name) throws IOException, InterruptedException {
        return get("/api/v1/status/" + name)
                .path("app")
                .path("composite_status")
                .asString("");
    }

    /** Returns how many invocations of {@code OnUpdate} have ended well. */
    public long updated(String name) throws IOException, InterruptedException {
        return get("/getExecutionStats?name=" + name).path("on_update_success").asLong();
    }

    public JsonNode definition(String name) throws IOException, InterruptedException {
        return get("/api/v1/functions/" + name);
    }

    /** Returns how the workers of a function run handlers: optimized or interpreted. */
    public String workerRuntime(String name) throws IOException, InterruptedException {
        return get("/api/v1/stats/" + name + "?type=debug").toString().contains("optimized")
                ? "optimized"
                : "interpreted";
    }

    /** @param every how often the status is read */
    public void awaitStatus(String name, String wanted, Duration every) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!status(name).equals(wanted)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(name + " is not " + wanted + " after " + PATIENCE);
            }
            LockSupport.parkNanos(every.toNanos());
        }
    }

    /** Waits until this many nodes share the vbuckets of a function as planned and none is moving. */
    public void awaitBalanced(String name, int nodes) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!balanced(name, nodes)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        nodes + " nodes do not share the vbuckets of " + name + " after " + PATIENCE);
            }
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        }
    }

    private boolean balanced(String name, int nodes) throws IOException, InterruptedException {
        JsonNode map = get("/getOwnershipMap");
        return map.path("planned").size() == nodes
                && map.path("functions")
                        .path(name)
                        .path("unsettled")
                        .asString("unknown")
                        .isEmpty()
                && !get("/getAggRebalanceStatus").asBoolean();
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(gateway.resolve(path)).GET());
    }

    private void post(String path, String body) throws IOException, InterruptedException {
        send(posting(path, body));
    }

    private HttpRequest.Builder posting(String path, String body) {
        return HttpRequest.newBuilder(gateway.resolve(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                http.send(request.header("Authorization", login.authorization()).build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(
                    answer.request().uri() + " returned status " + answer.statusCode() + ": " + answer.body());
        }
        return JSON.readTree(answer.body());
    }
}
