package io.millrace.eventing.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.TransactionId;
import io.millrace.streams.StreamStores;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.Limits;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.SyncRequest;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Dry runs and the debugger of a function that handles events of streams, with real workers. */
class EventTrialsIT extends KitService {

    private static final String STREAMS = "_streams";
    private static final String DRY_RUN = "/api/v1/functions/event_trials/dry-run";
    private static final String DEBUG = "/api/v1/functions/event_debugged/debug";

    /** Category names must be this test's own: all share one bucket of streams. */
    private final String category = "t" + UUID.randomUUID().toString().replace("-", "");

    private final String debugged = category + "d";
    private StreamStore streams;

    @BeforeAll
    void streamsAndFunction() {
        DocumentStore all = documents.with(SystemHandle.STREAMS);
        if (all.catalog().find(STREAMS).join().isEmpty()) {
            all.catalog().createBucket(STREAMS, 1).join();
        }
        streams = StreamStores.on(all, Keyspace.of(STREAMS));
        for (String bucket : List.of("trials-dst", "trials-meta")) {
            documents.catalog().createBucket(bucket, 1).join();
        }
        function("event_trials", category);
        function("event_debugged", debugged);
        append(category + "-other", 1, 2, 3); // the oldest events
        append(category + "-a", 1);
        append(category + "-b", 1, 2);
        append(category + "-a", 2);
    }

    private void function(String name, String of) {
        ObjectNode definition = JSON.createObjectNode()
                .put("appname", name)
                .put("appcode", "function OnEvent(event, meta) { log(`${meta.stream}/${meta.index} ${event.n}`); }");
        ObjectNode bindings = definition.putObject("depcfg");
        bindings.put("source_category", of).put("metadata_bucket", "trials-meta");
        bindings.putArray("buckets")
                .addObject()
                .put("alias", "dst")
                .put("bucket_name", "trials-dst")
                .put("access", "rw");
        post("/api/v1/functions/" + name, definition.toString());
    }

    private void append(String stream, int... numbers) {
        List<EncodedEvent> events = Arrays.stream(numbers)
                .mapToObj(n -> EncodedEvent.of("Counted", "{\"n\":%d}".formatted(n), Instant.EPOCH))
                .toList();
        SyncRequest request = new SyncRequest(
                Expected.any(),
                events,
                List.of(),
                Limits.DEFAULT_EVENTS_IN_TIP,
                Limits.DEFAULT_TIP_BYTES,
                TransactionId.random());
        streams.sync(StreamName.parse(stream), request).join();
    }

    private List<String> logged(String request) {
        return post(DRY_RUN, request)
                .path("invocations")
                .valueStream()
                .map(invocation -> invocation.at("/effects/0/text").asString())
                .map(text -> text.replace(category + '-', "").replace("\"", ""))
                .toList();
    }

    @Test
    void dryRun_handlesTheNewestEventsInTheirOrder() {
        assertThat(logged("{\"last\": 4}")).containsExactly("a/0 1", "b/0 1", "b/1 2", "a/1 2");
        assertThat(logged("{\"last\": 1}")).containsExactly("a/1 2");
        assertThat(logged("{\"last\": 1000}")).hasSize(7).startsWith("other/0 1", "other/1 2", "other/2 3");
    }

    @Test
    void dryRun_handlesOneEventWithADraft_andTellsWhatDiffers() {
        String draft = "function OnEvent(event, meta) { dst[meta.id] = event; }";
        ObjectNode request = JSON.createObjectNode().put("code", draft);
        request.putObject("event").put("stream", category + "-b").put("index", 1);
        request.putObject("compare");

        JsonNode difference = post(DRY_RUN, request.toString()).at("/differences/0");

        assertThat(difference.path("id").asString()).isEqualTo(category + "-b");
        assertThat(difference.path("index").asInt(-1)).isEqualTo(1);
        assertThat(difference.at("/invocation/entry_point").asString()).isEqualTo("OnEvent");
        assertThat(difference.at("/invocation/effects/0/after")).hasToString("{\"n\":2}");
        assertThat(difference.at("/compared/effects/0/kind").asString()).isEqualTo("log");
    }

    @Test
    void debugger_stopsAtTheNextEvent() throws Exception {
        JsonNode started = post(DEBUG, "{\"next\": true, \"minutes\": 5}");
        assertThat(started.path("state").asString()).isEqualTo("waiting");
        append(debugged + "-next", 7, 8);

        try (DevTools client = DevTools.connect(started.path("url").asString())) {
            client.call("Debugger.enable", "{}");
            client.call("Runtime.runIfWaitingForDebugger", "{}");
            client.event("Debugger.paused");
            client.call("Debugger.resume", "{}");
            await().atMost(PATIENCE)
                    .until(() ->
                            JSON.readTree(text(DEBUG)).path("state").asString().equals("ended"));
        }

        JsonNode invocation = JSON.readTree(text(DEBUG)).path("invocation");
        assertThat(invocation.path("index").asInt(-1)).isZero();
        assertThat(invocation.at("/effects/0/text").asString()).contains(debugged + "-next/0 7");
    }
}
