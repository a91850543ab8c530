package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

/** A page that follows what a function publishes, with nothing but EventSource. */
@ExtendWith(RealBrowser.class)
@Order(4)
class FollowTopicIT {

    private static final String FUNCTION = JsonMapper.shared()
            .writeValueAsString(Map.of(
                    "appname",
                    "auction",
                    "appcode",
                    "function OnUpdate(doc) { publish(news, {n: doc.n}, {key: 'lot'}); }",
                    "depcfg",
                    Map.of(
                            "source_bucket",
                            "auction_bids",
                            "metadata_bucket",
                            "eventing",
                            "topics",
                            List.of(Map.of("value", "news", "topic", "auction.news")))));

    @BeforeEach
    void begin(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
    }

    /** One document after the other, so that their messages have an order. */
    private static void bid(Browser browser, Store store, int n) {
        store.document("auction_bids", "bid", "{\"n\": " + n + "}");
        await().atMost(Store.PATIENCE)
                .until(() ->
                        numbers(browser).endsWith("," + n) || numbers(browser).equals("" + n));
    }

    private static String numbers(Browser browser) {
        return String.valueOf(browser.run("return window.got.join(',')"));
    }

    @Test
    void connectionsThatAreCut_loseNoMessage(Browser browser, Store store) throws IOException {
        store.bucket("auction_bids");
        store.done("POST", "/api/v1/functions/auction", FUNCTION);
        store.deploy("auction");
        try (CutConnections network = new CutConnections(store.origin())) {
            browser.visit(network.origin() + "/console/functions");
            browser.awaitText("main", "order_totals");
            browser.run("""
                    window.got = [];
                    window.begun = 0;
                    window.source = new EventSource('/api/v1/topics/auction.news');
                    source.addEventListener('following', () => window.begun++);
                    source.onmessage = (event) => {
                      const {message, meta} = JSON.parse(event.data);
                      if (meta.key === 'lot') window.got.push(message.n);
                    };""");
            await().atMost(Store.PATIENCE).until(() -> Objects.equals(browser.run("return window.begun"), 1L));
            IntStream.rangeClosed(1, 5).forEach(n -> bid(browser, store, n));

            network.cut();
            bid(browser, store, 6);
            bid(browser, store, 7);

            assertThat(numbers(browser)).isEqualTo("1,2,3,4,5,6,7");
            assertThat(browser.run("return window.begun"))
                    .as("how often it began")
                    .isNotEqualTo(1L);
            browser.run("window.source.close()");
        } finally {
            browser.scriptErrors(); // the browser has noted the cut, and later tests look for errors of their own
            store.move("auction", "undeploy", "undeployed");
        }
    }
}
