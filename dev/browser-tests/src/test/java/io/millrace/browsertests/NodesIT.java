package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.launcher.suite.EventingNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** What the screens show while an eventing node comes, has its share of the vbuckets, and is killed: one life, in order. */
@ExtendWith(RealBrowser.class)
@Order(8)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NodesIT {

    /** Counts the vbuckets that the map has ever shown without an owner. */
    private static final String WATCH_THE_MAP = """
            window.withoutOwner = 0;
            const look = () => {
              window.withoutOwner = Math.max(window.withoutOwner, document.querySelectorAll('.vbuckets rect.none').length);
            };
            new MutationObserver(look).observe(document.querySelector('main'), {subtree: true, childList: true, attributes: true});
            """;

    private static final String CHANGE = "main [role=status]";
    private static final int WRITTEN = 64;

    private static @Nullable EventingNode second;

    @BeforeEach
    void begin(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
    }

    @Test
    @Order(1)
    void node_thatComes_hasItsShareOnTheMap(Browser browser, Store store) {
        browser.open("/console/cluster");
        browser.awaitText("main", "The only node is alive");
        browser.run(WATCH_THE_MAP);

        second = store.suite().startNode("second", store.suite().redisUrl());

        browser.awaitText(".vbuckets + ul", "second\n512");
        browser.looksWell("cluster-two-nodes");
        assertThat(browser.run("return window.withoutOwner;")).isEqualTo(0L);
    }

    @Test
    @Order(2)
    void deployment_saysHowManyNodesAreReady(Browser browser, Store store) throws IOException {
        try (HeldServer server = new HeldServer()) {
            held(store, server, "starting", "function OnUpdate(doc) {} function OnDeploy() { curl('GET', held); }");
            browser.open("/console/functions/starting");
            browser.enter("Deploy");
            browser.enter("Deploy");
            browser.awaitText("dialog [role=status]", "deploying");
            browser.awaitText("dialog [role=status]", " of 2 nodes are ready");
            server.awaitRequest();
            assertThat(browser.text("dialog [role=status]"))
                    .as("OnDeploy has not returned")
                    .doesNotContain("2 of 2");
            browser.looksWell("deployment-of-two-nodes");

            server.answer();

            browser.awaitText(".toast", "starting is deployed.");
            browser.awaitGone("dialog");
        }
        assertThat(store.get("/api/v1/status/starting")
                        .at("/app/num_deployed_nodes")
                        .asInt())
                .isEqualTo(2);
        store.move("starting", "undeploy", "undeployed");
    }

    @Test
    @Order(3)
    void change_thatWaits_isStoppedAndEveryVbucketKeepsItsOwner(Browser browser, Store store) throws IOException {
        try (HeldServer server = new HeldServer()) {
            held(store, server, "waiting", "function OnUpdate(doc) { curl('GET', held); }");
            store.deploy("waiting");
            store.documents("waiting", IntStream.range(0, WRITTEN).mapToObj(i -> "w-" + i), "{}");
            server.awaitRequest();
            browser.open("/console/cluster");
            browser.awaitText(".vbuckets + ul", "second\n512");
            browser.run(WATCH_THE_MAP);
            browser.enter("Eject");
            String node = browser.text("dialog label").replace("Type ", "").replace(" to confirm", "");
            browser.tabTo("Type " + node + " to confirm");
            browser.type(node);
            browser.press(Keys.ENTER);
            browser.awaitText(CHANGE, "in progress");
            browser.awaitText("main table thead", "Progress");
            browser.looksWell("cluster-changing");

            browser.enter("Stop the change");

            browser.awaitNoText(CHANGE, "in progress");
            browser.awaitText("main .actions, .head", "Rebalance");
            assertThat(browser.text(CHANGE)).contains("All 2 nodes are alive");
            assertThat(store.get("/api/v1/topology").at("/change/phase").asString())
                    .isEqualTo("CANCELLED");
            server.answer();
            await().atMost(Store.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(browser.text(".vbuckets + ul")).contains("second\n512"));
            assertThat(browser.run("return window.withoutOwner;")).isEqualTo(0L);
        }
        store.move("waiting", "undeploy", "undeployed");
    }

    @Test
    @Order(4)
    void node_thatIsKilled_isShownAsWhatIsWrong(Browser browser, Store store) throws Exception {
        browser.open("/console/");
        browser.awaitText(".verdict", "Everything works");

        Objects.requireNonNull(second).kill9();

        long killed = System.nanoTime();
        browser.awaitText(".verdict", "Eventing node second takes no connections.");
        Goal.within(Duration.ofSeconds(5), "killed_node_is_shown", killed);
        assertThat(browser.text(".verdict")).contains("start it again").contains("lease ends");
        browser.looksWell("home-killed-node");

        browser.awaitText(".verdict", "Everything works");
        browser.enter("Cluster");
        browser.awaitText("main", "The only node is alive");
        await().atMost(Store.PATIENCE)
                .untilAsserted(
                        () -> assertThat(browser.count(".vbuckets rect.none")).isZero());
    }

    /** Stores a function that asks a server, and is held until it has its answer. */
    private static void held(Store store, HeldServer server, String name, String code) {
        store.bucket(name);
        store.done("POST", "/api/v1/functions/" + name, """
                {"appname": "%1$s", "appcode": "%2$s",
                 "depcfg": {"source_bucket": "%1$s", "metadata_bucket": "eventing",
                  "curl": [{"value": "held", "hostname": "%3$s", "auth_type": "no-auth"}]}}""".formatted(name, code, server.url()));
    }
}
