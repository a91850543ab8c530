package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** What the console shows of a change that was followed: from the write to what it led to in the end. */
@ExtendWith(RealBrowser.class)
@Order(4)
class TracesIT {

    private static final String COPIES = "function OnUpdate(doc, meta) { dst[meta.id] = doc; }";
    private static final String REMINDS = """
            function OnUpdate(doc, meta) { createTimer(remind, new Date(Date.now() + 2000), meta.id, {id: meta.id}); }
            function remind(context) { dst[context.id] = {reminded: true}; }
            """;
    private static final int ID_BEGIN = 3;
    private static final int ID_END = 35;

    @BeforeEach
    void begin(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
    }

    private static String id(String traceparent) {
        return traceparent.substring(ID_BEGIN, ID_END);
    }

    private static void running(Store store, String name, String source, String target, String code) {
        store.bucket(source);
        store.bucket(target);
        store.function(name, source, target, code);
        store.deploy(name);
    }

    @Test
    void chainOfThreeFunctions_isFoundByItsDocumentAndShownInOrder(Browser browser, Store store) {
        running(store, "collect", "parcels", "weighed", COPIES);
        running(store, "label", "weighed", "labelled", COPIES);
        running(store, "ship_with_a_reminder", "labelled", "shipped", REMINDS);
        String sender = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        store.followed("parcels", "p-1", "{\"kg\": 2}", sender, "first-parcel");
        store.awaitDocument("shipped", "p-1");

        browser.open("/console/traces");
        browser.tabTo("Id of a document");
        browser.type("p-1");
        browser.press(Keys.ENTER);
        browser.awaitText("main tbody", "PUT p-1");
        assertThat(browser.address()).endsWith("/console/traces?document=p-1");
        browser.click("PUT p-1");

        browser.awaitText("main", "3 functions in a row");
        assertThat(browser.address()).endsWith("/console/traces/" + id(sender));
        await().atMost(Store.PATIENCE)
                .untilAsserted(() -> assertThat(names(browser))
                        .containsExactly(
                                "PUT",
                                "queue",
                                "OnUpdate",
                                "upsert",
                                "queue",
                                "OnUpdate",
                                "upsert",
                                "queue",
                                "OnUpdate",
                                "createTimer",
                                "queue",
                                "remind",
                                "upsert"));
        assertThat(browser.text("main")).contains("no failure").contains("shorter than they were");

        browser.tabTo("PUT");
        browser.press(Keys.ENTER);
        browser.awaitText("main details[open]", "first-parcel");
        assertThat(browser.text("main details[open]")).contains("Administrator").contains("parcels._default._default");
        browser.looksWell("trace");
        browser.click("As a command");
        browser.awaitText("main, .menu", "As a command");
        assertThat(browser.text(".head .menu"))
                .contains("./millrace fn trace --id " + id(sender))
                .contains(browser.origin() + "/api/v1/traces?trace=" + id(sender));
        browser.open("/console/functions/label/traces");
        browser.awaitText("main tbody", "PUT p-1");
        browser.looksWell("traces-of-function");
    }

    @Test
    void traceOfADeadLetter_isOpenedFromIt(Browser browser, Store store) {
        running(store, "refuse", "refused", "findings", "function OnUpdate(doc) { throw new Error('too heavy'); }");
        store.followed("refused", "r-1", "{}", "00-5bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "r");
        browser.open("/console/functions/refuse/letters");
        browser.click("r-1");
        browser.click("Its trace");

        browser.awaitText("main .status", "dead letter");
        assertThat(names(browser)).startsWith("PUT", "queue", "OnUpdate").endsWith("dead letter");
        browser.click("OnUpdate");
        browser.awaitText("main details[open]", "too heavy");
        browser.looksWell("trace-of-dead-letter");
        store.move("refuse", "undeploy", "undeployed");
    }

    @Test
    void writeThatThePageOffers_appearsByItself(Browser browser, Store store) {
        store.bucket("unseen");
        store.function("unseen", "unseen", "findings", COPIES);
        browser.open("/console/functions/unseen/traces");
        browser.awaitText("main .empty", "No trace for unseen is kept.");
        String command = browser.text("main .empty code");
        assertThat(command).contains("/api/v1/buckets/unseen/docs/followed").contains("traceparent: 00-");
        browser.looksWell("traces-empty");
        browser.click("Open the trace of this write");
        browser.awaitText("main", "There is no such trace yet");

        int begin = command.indexOf("00-");
        store.followed("unseen", "followed", "{}", command.substring(begin, begin + 55), "offered");

        browser.awaitText("h1", "PUT followed");
        assertThat(browser.text("main")).contains("0 functions in a row, 1 step");
    }

    private static List<String> names(Browser browser) {
        return browser.text("main .time-line ol").isEmpty()
                ? List.of()
                : String.valueOf(
                                browser.run(
                                        "return [...document.querySelectorAll('.step-title')].map((e) => e.innerText.trim()).join('\\n')"))
                        .lines()
                        .toList();
    }
}
