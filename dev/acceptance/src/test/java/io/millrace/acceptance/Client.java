package io.millrace.acceptance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client as users write it: plain HTTP, repeating failed requests with the same {@code Idempotency-Key}. */
final class Client implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
    private final URI documents;
    private final URI functions;

    /**
     * @param documents the URL for documents, of the gateway or subdoc-service
     * @param functions the URL of the gateway, for functions
     */
    Client(URI documents, URI functions) {
        this.documents = documents;
        this.functions = functions;
    }

    void createBucket(String bucket) throws InterruptedException {
        createBucket(bucket, 1);
    }

    void createBucket(String bucket, int shards) throws InterruptedException {
        insist(HttpRequest.newBuilder(documents.resolve("/api/v1/buckets/" + bucket))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"shards\":" + shards + "}")));
    }

    /** Writes a document and repeats the write until it is acknowledged. */
    void put(String bucket, String id, String json) throws InterruptedException {
        insist(HttpRequest.newBuilder(document(bucket, id))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .PUT(BodyPublishers.ofString(json)));
    }

    void createFunction(String name, String definition) throws InterruptedException {
        insist(HttpRequest.newBuilder(functions.resolve("/api/v1/functions/" + name))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(definition)));
    }

    void deploy(String name) throws InterruptedException {
        insist(HttpRequest.newBuilder(functions.resolve("/api/v1/functions/" + name + "/deploy"))
                .POST(BodyPublishers.noBody()));
        awaitStatus(name, "deployed");
    }

    void awaitStatus(String name, String wanted) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        String status = "";
        while (!status.equals(wanted)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(name + " is " + status + " and not " + wanted + " after " + PATIENCE);
            }
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            status = get(functions.resolve("/api/v1/status/" + name))
                    .path("app")
                    .path("composite_status")
                    .asString("");
        }
    }

    JsonNode stats(String name) throws InterruptedException {
        return get(functions.resolve("/api/v1/stats/" + name));
    }

    /** Returns a document, or a missing node if it does not exist. */
    JsonNode document(String bucket, String id, Duration patience) throws InterruptedException {
        HttpResponse<String> answer =
                send(HttpRequest.newBuilder(document(bucket, id)).GET(), patience);
        return answer.statusCode() == 404 ? JSON.missingNode() : JSON.readTree(answer.body());
    }

    JsonNode get(URI uri) throws InterruptedException {
        return JSON.readTree(insist(HttpRequest.newBuilder(uri).GET()).body());
    }

    @Override
    public void close() {
        http.close();
    }

    private URI document(String bucket, String id) {
        return documents.resolve("/api/v1/buckets/" + bucket + "/docs/" + id);
    }

    private HttpResponse<String> insist(HttpRequest.Builder request) throws InterruptedException {
        HttpResponse<String> answer = send(request, PATIENCE);
        if (answer.statusCode() / 100 != 2) {
            throw new AssertionError(
                    answer.request().uri() + " answered " + answer.statusCode() + ": " + answer.body());
        }
        return answer;
    }

    /** Repeats a request until the response does not indicate an outage. */
    private HttpResponse<String> send(HttpRequest.Builder builder, Duration patience) throws InterruptedException {
        HttpRequest request = builder.timeout(Duration.ofSeconds(10))
                .header("Authorization", BuiltSuite.LOGIN.authorization())
                .build();
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            String failure;
            try {
                HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
                if (answer.statusCode() < 502) {
                    return answer;
                }
                failure = answer.statusCode() + ": " + answer.body();
            } catch (IOException e) {
                failure = e.toString();
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError(request.uri() + " still fails after " + patience + ": " + failure);
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }
}
