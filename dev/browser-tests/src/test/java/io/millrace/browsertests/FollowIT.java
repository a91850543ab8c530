package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

/**
 * A page that follows a topic, a live query and the event streams of a category, with nothing but what browsers have:
 * EventSource and WebSocket.
 */
@ExtendWith(RealBrowser.class)
@Order(4)
class FollowIT {

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

    /** Follows each feed in both ways, as the guides show it, and keeps the numbers that come. */
    private static final String PAGE = """
            const feeds = {
              topic: {
                path: '/api/v1/topics/auction.news',
                numbers: () => ({message, meta}) => meta.key === 'lot' ? [message.n] : [],
              },
              query: {
                path: '/api/v1/buckets/auction_bids/live?filter=' + encodeURIComponent('n > 0'),
                numbers: () => ({document}) => [document.n],
              },
              category: {
                path: '/api/v1/streams?category=Bid',
                numbers: () => {
                  let next = 0; // an event may come again with its index
                  return ({event}) => {
                    if (event.index < next) return [];
                    next = event.index + 1;
                    return [event.data.n];
                  };
                },
              },
            };
            window.got = {};
            window.begun = {};
            window.feeds = {};
            function take(name, numbers, event, data) {
              if (event === 'following' || event === 'caught-up') window.begun[name]++;
              else window.got[name].push(...numbers(data));
            }
            function eventSource(name, path, numbers) {
              const source = new EventSource(path);
              window.feeds[name] = source;
              for (const event of ['following', 'caught-up', 'message', 'match', 'enter', 'change'])
                source.addEventListener(event, ({data}) => take(name, numbers, event, JSON.parse(data)));
            }
            function webSocket(name, path, numbers, last) {
              const since = last ? (path.includes('?') ? '&' : '?') + 'since=' + last : '';
              const socket = new WebSocket(location.origin.replace('http', 'ws') + path + since);
              window.feeds[name] = socket;
              socket.onmessage = (frame) => {
                const {event, id, data} = JSON.parse(frame.data);
                if (id) last = id;
                take(name, numbers, event, data);
              };
              socket.onclose = ({code}) => {
                if (code !== 1000 && code !== 1008) setTimeout(() => webSocket(name, path, numbers, last), 500);
              };
            }
            for (const [feed, {path, numbers}] of Object.entries(feeds))
              for (const way of [eventSource, webSocket]) {
                const name = feed + ' by ' + way.name;
                window.got[name] = [];
                window.begun[name] = 0;
                way(name, path, numbers(), null);
              }""";

    private static final String LEAVE = """
            for (const feed of Object.values(window.feeds)) {
              feed.onclose = null;
              feed.close();
            }""";

    private static final List<String> NAMES = List.of(
            "category by eventSource",
            "category by webSocket",
            "query by eventSource",
            "query by webSocket",
            "topic by eventSource",
            "topic by webSocket");

    @BeforeEach
    void begin(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
    }

    @Test
    void connectionsThatAreCut_loseNothing(Browser browser, Store store) throws IOException {
        store.bucket("auction_bids");
        store.done("POST", "/api/v1/functions/auction", FUNCTION);
        store.deploy("auction");
        try (CutConnections network = new CutConnections(store.origin())) {
            browser.visit(network.origin() + "/console/functions");
            browser.awaitText("main", "order_totals");
            browser.run(PAGE);
            await().atMost(Store.PATIENCE)
                    .until(() -> begun(browser).values().stream().allMatch(times -> times == 1));
            IntStream.rangeClosed(1, 5).forEach(n -> bid(browser, store, n));

            network.cut();
            bid(browser, store, 6);
            bid(browser, store, 7);

            assertThat(numbers(browser))
                    .containsOnlyKeys(NAMES)
                    .allSatisfy((name, numbers) -> assertThat(numbers).as(name).isEqualTo("1,2,3,4,5,6,7"));
            assertThat(begun(browser))
                    .as("how often they began")
                    .allSatisfy((name, times) -> assertThat(times).as(name).isGreaterThan(1));
            browser.run(LEAVE);
        } finally {
            browser.scriptErrors(); // the browser has noted the cut, and later tests look for errors of their own
            store.move("auction", "undeploy", "undeployed");
        }
    }

    /** One bid after the other, so that a live query has each state of the document. */
    private static void bid(Browser browser, Store store, int n) {
        store.document("auction_bids", "bid", "{\"n\": " + n + "}");
        store.done(
                "POST",
                "/api/v1/streams/Bid-lot/events",
                "{\"events\": [{\"type\": \"Bid\", \"data\": {\"n\": " + n + "}}]}");
        await().atMost(Store.PATIENCE)
                .until(() -> numbers(browser).values().stream()
                        .allMatch(numbers -> numbers.endsWith("," + n) || numbers.equals("" + n)));
    }

    private static Map<String, String> numbers(Browser browser) {
        Map<String, String> numbers = new TreeMap<>();
        NAMES.forEach(name -> numbers.put(
                name, String.valueOf(browser.run("return (window.got[arguments[0]] ?? []).join(',')", name))));
        return numbers;
    }

    private static Map<String, Long> begun(Browser browser) {
        Map<String, Long> begun = new TreeMap<>();
        NAMES.forEach(name -> begun.put(name, (Long) browser.run("return window.begun[arguments[0]] ?? 0", name)));
        return begun;
    }
}
