package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** What the screens do that try code before it is trusted: canaries and debuggers. */
@ExtendWith(RealBrowser.class)
@Order(4)
class TrialsIT {

    private static final String COPIES = "function OnUpdate(doc, meta) { dst[meta.id] = doc; }";
    private static final int WRITTEN_TOGETHER = 200;

    /** How long a debugger holds a copy of a change while nothing waits for it. */
    private static final Duration HELD = Duration.ofSeconds(Goal.STRICT ? 60 : 1);

    @BeforeEach
    void begin(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
    }

    @Test
    void canary_thatFails_isRolledBackByItselfAndOnlyItsShareHasFailed(Browser browser, Store store) {
        running(store, "guarded");
        browser.open("/console/functions/guarded/canary");
        browser.awaitEditor();
        browser.edit("function OnUpdate(doc, meta) { throw new Error('bad version'); }");
        browser.focus("Changes before it is judged");
        browser.retype("3");
        browser.click("Start the canary");
        browser.awaitText("main", "16 of 1,024 vbuckets");
        browser.awaitText("main table", "canary");
        browser.looksWell("canary-running");

        AtomicInteger written = new AtomicInteger();
        await().atMost(Store.PATIENCE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            write(store, "guarded", written.getAndAdd(WRITTEN_TOGETHER));
            assertThat(browser.text("main")).contains("rolled back");
        });

        JsonNode ended = store.get("/api/v1/functions/guarded/canary");
        assertThat(browser.text("main")).contains("the other version failed on 0.0 %");
        assertThat(ended.path("state").asString()).isEqualTo("rolled_back");
        assertThat(store.get("/api/v1/functions/guarded").path("appcode").asString())
                .isEqualTo(COPIES);
        JsonNode letters = store.get("/api/v1/functions/guarded/dead-letters?limit=1000");
        assertThat(letters.path("dead_letters").size())
                .isEqualTo(letters.path("total").asInt())
                .isPositive();
        assertThat(letters.path("dead_letters").findValues("vb").stream().distinct())
                .as("the canary's vbuckets, 1.6 % of all")
                .hasSizeLessThanOrEqualTo(16);
        store.move("guarded", "undeploy", "undeployed");
    }

    @Test
    void canary_isComparedAndPromoted(Browser browser, Store store) {
        running(store, "better");
        store.done("POST", "/api/v1/functions/better/canary", """
                {"code": "function OnUpdate(doc, meta) { dst[meta.id] = { better: true }; }", "share": "1/2"}""");
        browser.open("/console/functions/better");
        browser.click("version 2 on trial");
        browser.awaitText("main", "It waits until you promote it or roll it back.");
        browser.looksWell("canary-waiting");
        await().atMost(Store.PATIENCE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            write(store, "better", 0);
            assertThat(browser.text("tbody tr td")).isNotEqualTo("0");
        });

        browser.click("Promote");
        browser.awaitText("dialog", "It handles all changes from now on");
        browser.click("Promote");

        browser.awaitText("main", "promoted");
        assertThat(store.get("/api/v1/functions/better").path("appcode").asString())
                .contains("better: true");
        store.move("better", "undeploy", "undeployed");
    }

    @Test
    void debugger_stopsAtTheNextChangeWhileTheFunctionHandlesItsChanges(Browser browser, Store store) {
        running(store, "watched");
        browser.open("/console/functions/watched/debugger");
        browser.click("Start the debugger");
        browser.awaitText(
                "main .card > .stack > .command code", "devtools://devtools/bundled/js_app.html?ws=127.0.0.1:");
        browser.awaitText("main [role=status]", "waiting for a change");

        store.document("watched", "stopped-at", "{}");
        browser.awaitText("main [role=status]", "running");
        store.document("watched", "meanwhile", "{}");
        store.awaitDocument("findings", "meanwhile");
        browser.looksWell("debugger-stopped");

        await().atMost(HELD.plus(Store.PATIENCE))
                .during(HELD)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(store.get("/api/v1/stats/watched")
                                .at("/events_remaining/dcp_backlog")
                                .asInt(-1))
                        .isZero());
        assertThat(browser.text("main [role=status]")).contains("running");
        browser.click("Stop the debugger");
        browser.awaitText("main", "Start the debugger");
        browser.awaitText("main", "ended");
        store.move("watched", "undeploy", "undeployed");
    }

    @Test
    void debugger_stopsAtAnEventOfAStream(Browser browser, Store store) {
        store.done(
                "POST",
                "/api/v1/streams/Debugged-1/events?version=0",
                "{\"events\": [{\"type\": \"Opened\", \"data\": {}}, {\"type\": \"Renamed\", \"data\": {}}]}");
        store.done("POST", "/api/v1/functions/listening", """
                {"appname": "listening", "appcode": "function OnEvent(event, meta) { log(meta.type); }",
                 "depcfg": {"source_category": "Debugged", "metadata_bucket": "eventing"}}""");
        browser.open("/console/functions/listening/debugger?id=Debugged-1&index=7");
        browser.click("An event of a stream");
        browser.click("Start the debugger");
        browser.awaitText("main", "no event 7");

        browser.focus("Index of the event, 0 for the first");
        browser.retype("1");
        browser.click("Start the debugger");

        browser.awaitText("main [role=status]", "running");
        browser.click("Stop the debugger");
        browser.awaitText("main", "ended");
        store.done("DELETE", "/api/v1/functions/listening", "");
    }

    private static void running(Store store, String name) {
        store.bucket(name);
        store.function(name, name, "findings", COPIES);
        store.deploy(name);
    }

    private static void write(Store store, String bucket, int from) {
        store.documents(bucket, IntStream.range(from, from + WRITTEN_TOGETHER).mapToObj(i -> "d-" + i), "{}");
    }
}
