package io.millrace.eventing.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The debugger through the REST API and the DevTools protocol, with real workers. */
class DebuggerIT extends KitService {

    private static final String SOURCE = "debugged-src";
    private static final String TARGET = "debugged-dst";
    private static final String META = "debugged-meta";

    /** How long the code is stopped while other changes are handled. */
    private static final Duration STOPPED = Duration.ofSeconds(30);

    private static final String CODE =
            "function OnUpdate(doc, meta) {\n  let seen = doc.n;\n  results['seen ' + meta.id] = {seen};\n}";

    @BeforeAll
    void buckets() {
        for (String bucket : List.of(SOURCE, TARGET, META)) {
            documents.catalog().createBucket(bucket, 1).join();
        }
    }

    @Test
    void debugger_stopsACopyOfAChangeWhileTheBacklogIsHandled() throws Exception {
        deploy("debugged", definition());
        put(1, 1);
        awaitDocument(TARGET, "seen debug-1");
        JsonNode started = post("/api/v1/functions/debugged/debug", "{\"document\": {\"id\": \"debug-1\"}}");

        try (DevTools client = DevTools.connect(started.path("url").asString())) {
            client.call("Debugger.enable", "{}");
            client.call("Runtime.runIfWaitingForDebugger", "{}");
            client.event("Debugger.paused");
            client.call("Debugger.setBreakpointByUrl", "{\"urlRegex\": \".*debugged$\", \"lineNumber\": 2}");
            client.call("Debugger.resume", "{}");
            JsonNode paused = client.event("Debugger.paused");
            String frame = paused.at("/callFrames/0/callFrameId").asString();

            assertThat(paused.at("/callFrames/0/location/lineNumber").asInt()).isEqualTo(2);
            assertThat(client.evaluate(frame, "seen").asInt()).isEqualTo(1);
            client.evaluate(frame, "seen = 42");
            long until = System.nanoTime() + STOPPED.toNanos();
            for (int i = 2; System.nanoTime() - until < 0; i++) {
                put(i, 2);
                awaitDocument(TARGET, "seen debug-" + i);
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(statistic("debugged", "events_remaining", "dcp_backlog"))
                            .isZero());
            assertThat(state().path("state").asString()).isEqualTo("running");
        }

        try (DevTools later = DevTools.connect(started.path("url").asString())) {
            later.call("Debugger.enable", "{}");
            assertThat(later.event("Debugger.scriptParsed").path("url").asString())
                    .contains("debugged");
            String frame = later.event("Debugger.paused")
                    .at("/callFrames/0/callFrameId")
                    .asString();
            assertThat(later.evaluate(frame, "seen").asInt()).isEqualTo(42);
            later.call("Debugger.resume", "{}");
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(state().path("state").asString()).isEqualTo("ended"));
        }

        assertThat(state().at("/invocation/effects/0/after")).hasToString("{\"seen\":42}");
        assertThat(JSON.readTree(awaitDocument(TARGET, "seen debug-1").body()))
                .isEqualTo(JSON.readTree("{\"seen\": 1}"));
        undeploy("debugged");
    }

    private static ObjectNode definition() {
        ObjectNode definition =
                JSON.createObjectNode().put("appname", "debugged").put("appcode", CODE);
        ObjectNode bindings = definition.putObject("depcfg");
        bindings.put("source_bucket", SOURCE).put("metadata_bucket", META);
        bindings.putArray("buckets")
                .addObject()
                .put("alias", "results")
                .put("bucket_name", TARGET)
                .put("access", "rw");
        definition.putObject("settings").put("worker_count", 1);
        return definition;
    }

    private void put(int number, int n) {
        byte[] body = "{\"n\":%d}".formatted(n).getBytes(StandardCharsets.UTF_8);
        documents
                .write(Write.upsert(new DocumentKey(Keyspace.of(SOURCE), "debug-" + number), body))
                .join();
    }

    private JsonNode state() {
        return JSON.readTree(text("/api/v1/functions/debugged/debug"));
    }
}
