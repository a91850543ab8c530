package io.millrace.eventing.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Many functions that are deployed at the same moment, through the REST API and with real workers: those that start must not
 * keep each other from getting there, and none may fall back to undeployed.
 */
class DeployedTogetherIT extends KitService {

    private static final int FUNCTIONS = 30;
    private static final String SOURCE = "together-src";
    private static final String TARGET = "together-dst";
    private static final String META = "together-meta";
    private static final List<String> NAMES =
            IntStream.range(0, FUNCTIONS).mapToObj(i -> "together" + i).toList();

    @BeforeAll
    void buckets() {
        for (String bucket : List.of(SOURCE, TARGET, META)) {
            documents.catalog().createBucket(bucket, 1).join();
        }
    }

    private static ObjectNode definition(String name) {
        ObjectNode definition = JSON.createObjectNode()
                .put("appname", name)
                .put("appcode", "function OnUpdate(doc, meta) { dst[meta.id + ' by %s'] = doc; }".formatted(name));
        ObjectNode bindings = definition.putObject("depcfg");
        bindings.put("source_bucket", SOURCE).put("metadata_bucket", META);
        bindings.putArray("buckets")
                .addObject()
                .put("alias", "dst")
                .put("bucket_name", TARGET)
                .put("access", "rw");
        definition.putObject("settings").put("worker_count", 1).put("dcp_stream_boundary", "everything");
        return definition;
    }

    @Test
    void functionsDeployedAtOnce_areAllDeployed_andHandleWhatTheyFind() throws Exception {
        documents
                .write(Write.upsert(
                        new DocumentKey(Keyspace.of(SOURCE), "first"), "1".getBytes(StandardCharsets.UTF_8)))
                .join();

        assertAccepted(atOnce(
                name -> post("/api/v1/functions/" + name, definition(name).toString())));
        assertAccepted(atOnce(name -> post("/api/v1/functions/" + name + "/deploy", "")));

        for (String name : NAMES) {
            awaitStatus(name, "deployed");
            awaitDocument(TARGET, "first by " + name);
        }
        for (String name : NAMES) {
            awaitStatus(name, "deployed");
            assertThat(statistic(name, "execution_stats", "on_update_failure"))
                    .as(name)
                    .isZero();
        }
        assertAccepted(atOnce(name -> post("/api/v1/functions/" + name + "/undeploy", "")));
        NAMES.forEach(name -> awaitStatus(name, "undeployed"));
    }

    private static void assertAccepted(List<JsonNode> answers) {
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.path("code").asInt(-1))
                        .as(answer.toString())
                        .isZero());
    }

    private static List<JsonNode> atOnce(Function<String, JsonNode> request) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<JsonNode>> requests = NAMES.stream()
                    .<Callable<JsonNode>>map(name -> () -> request.apply(name))
                    .toList();
            return threads.invokeAll(requests).stream().map(Future::resultNow).toList();
        }
    }
}
