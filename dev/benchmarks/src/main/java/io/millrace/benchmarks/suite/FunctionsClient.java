package io.millrace.benchmarks.suite;

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

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI service;

    public FunctionsClient(URI service) {
        this.service = service;
    }

    /** Stores a function with one worker and a binding to one bucket, whose alias is the bucket's name. */
    public void create(String name, String code, String source, String destination, String metadata)
            throws IOException, InterruptedException {
        create(name, code, source, destination, metadata, Map.of());
    }

    public void create(
            String name, String code, String source, String destination, String metadata, Map<String, Integer> settings)
            throws IOException, InterruptedException {
        ObjectNode definition = JSON.createObjectNode().put("appname", name).put("appcode", code);
        ObjectNode deployment = definition.putObject("depcfg");
        deployment.put("source_bucket", source).put("metadata_bucket", metadata);
        deployment.putArray("buckets").addObject().put("alias", destination).put("bucket_name", destination);
        ObjectNode all = definition.putObject("settings").put("worker_count", 1);
        settings.forEach(all::put);
        post("/api/v1/functions/" + name, definition.toString());
    }

    public void deploy(String name) throws IOException, InterruptedException {
        post("/api/v1/functions/" + name + "/deploy", "");
        awaitStatus(name, "deployed");
    }

    public void undeploy(String name) throws IOException, InterruptedException {
        post("/api/v1/functions/" + name + "/undeploy", "");
        awaitStatus(name, "undeployed");
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

    private void awaitStatus(String name, String wanted) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!get("/api/v1/status/" + name)
                .path("app")
                .path("composite_status")
                .asString("")
                .equals(wanted)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(name + " is not " + wanted + " after " + PATIENCE);
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
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
        return send(HttpRequest.newBuilder(service.resolve(path)).GET());
    }

    private void post(String path, String body) throws IOException, InterruptedException {
        send(HttpRequest.newBuilder(service.resolve(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(
                    answer.request().uri() + " returned status " + answer.statusCode() + ": " + answer.body());
        }
        return JSON.readTree(answer.body());
    }
}
