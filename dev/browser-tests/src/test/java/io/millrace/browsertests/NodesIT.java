package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.launcher.suite.EventingNode;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/**
 * What the screens show in the life of an eventing node: it comes, has its share of the vbuckets, deploys a function with the
 * other, is part of a change that is stopped, and is killed.
 */
@ExtendWith(RealBrowser.class)
@Order(8)
class NodesIT {

    /** Counts the vbuckets that the map has ever shown without an owner. */
    private static final String WATCH_THE_MAP = """
            window.withoutOwner = 0;
            const look = () => {
              window.withoutOwner = Math.max(window.withoutOwner, document.querySelectorAll('.vbuckets rect.none').length);
            };
            new MutationObserver(look).observe(document.querySelector('main'), {subtree: true, childList: true, attributes: true});
            """;

    /** Keeps what the dialog of a deployment, and the page of the function behind it, have said of its nodes. */
    private static final String WATCH_THE_DEPLOYMENT = """
            window.said = [];
            const said = (selector) =>
              [...(document.querySelector(selector)?.querySelectorAll('.status, .soft') ?? [])].map((e) => e.textContent.trim()).join(' ');
            const look = () => window.said.push(`dialog: ${said('dialog [role=status]')}`, `page: ${said('.state-line')}`);
            new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true});
            """;

    private static final String SENTENCES = "main .card[role=status]";
    private static final String SHARES = ".vbuckets + ul";
    private static final String DEPLOYMENT = "dialog [role=status]";
    private static final String GATED = "/console/functions/gated";

    /** A function that goes on when the bucket gates has what it waits for, and one event at a time on each node. */
    private static final String DEFINITION = """
            {"appname": "gated",
             "appcode": "function OnDeploy() { pass('deploy'); } \
            function OnUpdate(doc, meta) { couchbase.increment(gates, {id: 'begun'}); pass('handle'); } \
            function pass(gate) { while (gates[gate] === undefined) {} }",
             "depcfg": {"source_bucket": "gated", "metadata_bucket": "eventing",
               "buckets": [{"alias": "gates", "bucket_name": "gates", "access": "rw"}]},
             "settings": {"worker_count": 1, "cpp_worker_thread_count": 1,
               "on_deploy_timeout": 600, "execution_timeout": 600}}""";

    @Test
    void node_thatComesAndIsKilled_isShownOnTheMapAndThenAsWhatIsWrong(Browser browser, Store store) throws Exception {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
        browser.open("/console/cluster");
        browser.awaitText("main", "The only node is alive");
        browser.run(WATCH_THE_MAP);

        EventingNode second = store.suite().startNode("second", store.suite().redisUrl());
        try {
            browser.awaitText(SHARES, "second\n512"); // the plan; the change that follows it has begun
            browser.awaitText(SENTENCES, "All 2 nodes are alive");
            changeHasEnded(browser, store);
            browser.looksWell("cluster-two-nodes");
            assertThat(browser.run("return window.withoutOwner;")).isEqualTo(0L);

            deploymentCountsTheNodesThatAreReady(browser, store);
            stoppedChangeLeavesTheOwnersUntilTheNextOne(browser, store);
            deploy(browser);
            browser.awaitText(DEPLOYMENT, "0 of 2 nodes are ready");
            browser.run(WATCH_THE_DEPLOYMENT);
        } finally {
            second.kill9();
        }

        long killed = System.nanoTime();
        store.document("gates", "deploy", "{}");
        browser.inAnotherTab("/console/", () -> {
            browser.awaitText(".verdict", "Eventing node second takes no connections.");
            Goal.within(Duration.ofSeconds(5), "killed_node_is_shown", killed);
            assertThat(browser.text(".verdict")).contains("start it again").contains("lease ends");
            browser.looksWell("home-killed-node");

            browser.awaitText(".verdict", "Everything works");
        });
        browser.awaitGone("dialog"); // it waited for the lease to end
        assertThat(String.valueOf(browser.run("return window.said.join('; ');")))
                .as("what the dialog and the page behind it said")
                .contains("dialog: deployed 1 of 2 nodes are ready")
                .contains("page: deployed 1 of 2 nodes are ready");
        store.move("gated", "undeploy", "undeployed");
        browser.open("/console/cluster");
        browser.awaitText("main", "The only node is alive");
        await().atMost(Store.PATIENCE)
                .untilAsserted(
                        () -> assertThat(browser.count(".vbuckets rect.none")).isZero());
    }

    private static void deploymentCountsTheNodesThatAreReady(Browser browser, Store store) {
        store.bucket("gated");
        store.bucket("gates");
        store.done("POST", "/api/v1/functions/gated", DEFINITION);
        deploy(browser);

        browser.awaitText(DEPLOYMENT, "0 of 2 nodes are ready");
        browser.looksWell("deployment-of-two-nodes");

        store.document("gates", "deploy", "{}");
        browser.awaitText(".toast", "gated is deployed.");
        browser.awaitGone("dialog");
        assertThat(store.get("/api/v1/status/gated")
                        .at("/app/num_bootstrapping_nodes")
                        .asInt())
                .as("nodes on which it is not deployed yet")
                .isEqualTo(0);
    }

    private static void deploy(Browser browser) {
        browser.open(GATED);
        browser.enter("Deploy");
        browser.awaitText("dialog", "Start with");
        browser.enter("Deploy");
    }

    /** Waits until functions can be deployed again: during a change of the topology that is refused. */
    private static void changeHasEnded(Browser browser, Store store) {
        browser.awaitNoText(SENTENCES, "in progress");
        await("the nodes know that the change has ended")
                .atMost(Store.PATIENCE)
                .until(() ->
                        store.send("GET", "/getAggRebalanceStatus", "").body().equals("false"));
    }

    private static void stoppedChangeLeavesTheOwnersUntilTheNextOne(Browser browser, Store store) {
        store.documents("gated", IntStream.range(0, 64).mapToObj(i -> "g-" + i), "{}");
        await("an event in flight on each node")
                .atMost(Store.PATIENCE)
                .until(() -> store.awaitDocument("gates", "begun").path("count").asInt() == 2);
        browser.open("/console/cluster?map=gated");
        browser.awaitText(SHARES, "second\n512");
        browser.enter("Eject");
        browser.awaitText("dialog label", "to confirm");
        String question = browser.text("dialog label"); // Type ... to confirm
        browser.tabTo(question);
        browser.type(question.split(" ")[1]);
        browser.press(Keys.ENTER);
        browser.awaitText(SENTENCES, "is in progress");
        browser.awaitText("main td[data-label=Progress]", "%");

        browser.enter("Stop the change"); // within the 30 s for which the nodes wait for their events in flight

        browser.awaitText(SENTENCES, "The last change was stopped");
        assertThat(browser.text(SHARES)).as("owners").contains("second\n512");
        assertThat(store.get("/api/v1/topology").at("/change/phase").asString()).isEqualTo("CANCELLED");

        store.document("gates", "handle", "{}");
        browser.looksWell("cluster-stopped");
        browser.enter("Rebalance");
        browser.awaitNoText(SENTENCES, "was stopped");
        changeHasEnded(browser, store);
        browser.awaitText(SHARES, "second\n512");
        browser.awaitGone(".vbuckets rect.none");
        store.move("gated", "undeploy", "undeployed");
        store.done("DELETE", "/api/v1/buckets/gates/docs/deploy", "");
    }
}
