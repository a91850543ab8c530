package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.launcher.suite.EventingNode;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the screens show while an eventing node comes, has its share of the vbuckets, and is killed. */
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

    @Test
    void node_thatComesAndIsKilled_isShownOnTheMapAndThenAsWhatIsWrong(Browser browser, Store store) throws Exception {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
        browser.open("/console/cluster");
        browser.awaitText("main", "The only node is alive");
        browser.run(WATCH_THE_MAP);

        EventingNode second = store.suite().startNode("second", store.suite().redisUrl());

        browser.awaitText(".vbuckets + ul", "second\n512");
        browser.looksWell("cluster-two-nodes");
        assertThat(browser.run("return window.withoutOwner;")).isEqualTo(0L);
        browser.open("/console/");
        browser.awaitText(".verdict", "Everything works");

        second.kill9();

        long killed = System.nanoTime();
        browser.awaitText(".verdict", "Eventing node second takes no connections.");
        Goal.within(Duration.ofSeconds(5), "killed_node_is_shown", killed);
        assertThat(browser.text(".verdict")).contains("start it again").contains("lease ends");
        browser.looksWell("home-killed-node");

        browser.awaitText(".verdict", "Everything works");
        browser.open("/console/cluster");
        browser.awaitText("main", "The only node is alive");
        await().atMost(Store.PATIENCE)
                .untilAsserted(
                        () -> assertThat(browser.count(".vbuckets rect.none")).isZero());
    }
}
