package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.testkit.OpenApiExamples;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Runs the examples of the OpenAPI document as Swagger UI sends them. */
class OpenApiExamplesWebTest extends WebTest {

    /** Need one of several parameters, a timer, a dead letter, a worker or a master key or a library, do not end, or are always refused: other tests cover them. */
    private static final Set<String> NEED_MORE = Set.of(
            "debugFunction",
            "getDebugger",
            "endDebugger",
            "startDebugger",
            "getDebuggerUrl",
            "stopDebugger",
            "fireTimer",
            "moveTimer",
            "cancelTimer",
            "getDeadLetter",
            "dropDeadLetter",
            "replayDeadLetter",
            "followLog",
            "followTopic",
            "findTraces",
            "listSecrets",
            "putSecret",
            "deleteSecret",
            "rewrapSecrets",
            "getLibrary",
            "getRequests",
            "deleteLibrary",
            "deleteServiceConfig",
            "callByGet",
            "callByHead",
            "callByPost",
            "callByPut",
            "callByPatch",
            "callByDelete",
            "callByOptions");

    /** Deployed, with a canary. */
    private static final String CANARY = "canary";

    /** The state in which an operation finds the function; undeployed unless it is named here. */
    private static final Map<String, String> STATES = Map.of(
            "undeploy",
            "deployed",
            "pause",
            "deployed",
            "resume",
            "paused",
            "startCanary",
            "deployed",
            "getCanary",
            CANARY,
            "promoteCanary",
            CANARY,
            "rollBackCanary",
            CANARY);

    @Autowired
    DocumentStore documents;

    @BeforeEach
    void createBuckets() {
        for (String bucket : new String[] {"orders", "enriched", "eventing"}) {
            documents.catalog().createBucket(bucket, 1).join();
        }
    }

    @Test
    void examples_answer2xxWhenRunAsTheyAre() throws Exception {
        Map<String, String> refused = new TreeMap<>();
        int run = 0;
        boolean unchanged = false;
        try (OpenApiExamples api = OpenApiExamples.of("http://127.0.0.1:" + port, "Administrator:password")) {
            for (String operation : api.operations()) {
                if (NEED_MORE.contains(operation)) {
                    continue;
                }
                boolean reads = api.method(operation).equals("GET");
                if (!reads || !unchanged || STATES.containsKey(operation)) {
                    prepare(api, operation);
                }
                unchanged = reads && !STATES.containsKey(operation);
                OpenApiExamples.Result result = api.run(operation, 0);
                run++;
                if (result.status() / 100 != 2) {
                    refused.put(operation, result.status() + " " + result.body());
                }
            }
        }

        assertThat(refused).isEmpty();
        assertThat(run).isGreaterThan(50);
    }

    /** Creates the function of the examples. */
    private void prepare(OpenApiExamples api, String operation) throws Exception {
        startWithoutFunctions();
        assertThat(api.run("saveFunction", 0).status()).isEqualTo(200);
        String state = STATES.getOrDefault(operation, "undeployed");
        if (!state.equals("undeployed")) {
            deploy("enrich");
        }
        if (state.equals(CANARY)) {
            assertThat(api.run("startCanary", 0).status()).isEqualTo(200);
        }
        if (state.equals("paused")) {
            pause("enrich");
        }
    }
}
