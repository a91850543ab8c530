package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** What the screens of functions do: list, deployment, code, log, dead letters, timers, versions, dry run. */
@ExtendWith(RealBrowser.class)
@Order(3)
class FunctionsIT {

    private static final String OUTCOME = "[aria-label='Outcome of the dry run']";
    private static final String COPIES = "function OnUpdate(doc, meta) { dst[meta.id] = doc; }";

    /** Whether all that a line says is in the window. */
    private static final String SAID_IS_IN_SIGHT = """
            const said = document.querySelector('.log-line .said');
            return said.getBoundingClientRect().left + said.scrollWidth <= innerWidth;
            """;

    @BeforeEach
    void begin(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
    }

    @Test
    void templateOfEvents_asksForACategory_andItsFunctionIsTriedOnAnEvent(Browser browser, Store store) {
        createFromTemplate(browser, "projection", "Category of event streams", "Trolley");
        browser.awaitText("main", "The first event is handled");
        assertThat(browser.text("main")).contains("Trolley-7").contains("\"items\": 1");

        browser.open("/console/functions/projection/dry-run?id=Trolley-7");
        browser.awaitEditor();
        browser.enter("Run without effect");

        browser.awaitText("main", "OnEvent(Trolley-7)");
        store.move("projection", "undeploy", "undeployed");
        store.done("DELETE", "/api/v1/functions/projection", "");
    }

    @Test
    void templateOfMessages_asksForATopic_andItsFunctionHandlesWhatComesThere(Browser browser, Store store) {
        createFromTemplate(browser, "messages", "Topic", "shop.refunds");
        browser.awaitText("main", "The function is deployed");

        store.redis("XADD", "mr:topic:shop.refunds", "*", "data", """
                {"customer": "ann", "order": "17", "total": 40}""");

        assertThat(store.awaitDocument("customers", "ann").at("/orders/17").asInt())
                .isEqualTo(40);
        store.move("messages", "undeploy", "undeployed");
        store.done("DELETE", "/api/v1/functions/messages", "");
    }

    private static void createFromTemplate(Browser browser, String template, String sourceField, String source) {
        browser.open("/console/functions/-/new?template=" + template);
        browser.tabTo(sourceField);
        browser.retype(source);
        SlowRequest.enter(browser, "Create and deploy");
    }

    @Test
    void list_deploymentByRest_changesTheRowWithoutLoadingThePageAgain(Browser browser, Store store) {
        store.function("live_row", "people", "findings", COPIES);
        browser.open("/console/functions?filter=live_row");
        browser.awaitText("tbody tr", "undeployed");
        browser.run("window.loadedOnce = true;");

        long began = System.nanoTime();
        store.done("POST", "/api/v1/functions/live_row/deploy", "");
        browser.awaitNoText("tbody tr", "undeployed");

        Goal.within(Duration.ofSeconds(2), "row_changes", began);
        browser.awaitText("tbody .status.ok", "deployed");
        assertThat(browser.run("return window.loadedOnce;")).isEqualTo(true);
        store.move("live_row", "undeploy", "undeployed");
    }

    @Test
    void list_orderAndFilterStandInTheAddress(Browser browser, Store store) {
        browser.open("/console/functions");
        browser.tabTo("Filter");
        browser.type("order_");
        browser.awaitText("main", "1 / ");
        browser.tabTo("Function");
        browser.press(Keys.ENTER, Keys.ENTER);

        assertThat(browser.address()).contains("sort=-name").contains("filter=order_");
        browser.open(browser.address());
        browser.awaitText("main", "1 / ");
        assertThat(browser.count("tbody tr")).isEqualTo(1);
        assertThat(browser.count("th[aria-sort=descending]")).isEqualTo(1);
        browser.enter("order_totals");
        browser.awaitText("h1", "order_totals");
    }

    @Test
    void deployment_thatThrows_isExplainedInTheDialogAndOnTheHomePage(Browser browser, Store store) {
        store.function(
                "no_mail",
                "people",
                "findings",
                COPIES + "\nfunction OnDeploy(action) { throw new Error('no mail server'); }");
        browser.open("/console/functions/no_mail");
        browser.enter("Deploy");
        browser.awaitText("dialog", "Start with");
        browser.enter("Deploy");

        browser.awaitText("dialog .problem", "no mail server");
        browser.awaitFocusIn("dialog button[type=submit]");
        browser.looksWell("deployment-failed");
        browser.open("/console/");
        browser.awaitText(".verdict", "Function no_mail failed to deploy");
        store.done("DELETE", "/api/v1/functions/no_mail", "");
        browser.awaitNoText(".verdict", "no_mail");
    }

    @Test
    void code_mistake_isMarkedAtTheLineAndColumnOfTheServer(Browser browser, Store store) {
        store.function("typo", "people", "findings", COPIES);
        browser.open("/console/functions/typo/code");
        browser.awaitEditor();

        String mistaken = "function OnUpdate(doc, meta) { totals[meta.id] =; }";
        browser.tabTo("Code of the function");
        browser.rewrite(mistaken);
        browser.chord(Keys.CONTROL, "s");

        browser.awaitText("main", "1 problem");
        browser.awaitInEditor(".cm-lintRange-error");
        assertThat(browser.text("main")).contains("line 1, column 49");
        assertThat(browser.inEditor(".cm-content", "tabindex"))
                .as("what a check of the page goes by when the editor scrolls")
                .isEqualTo("0");
        assertThat(store.send("POST", "/api/v1/functions/typo/appcode/check", mistaken)
                        .json()
                        .findValue("column")
                        .asInt())
                .isEqualTo(49);
        browser.looksWell("code-mistake");
        assertThat(store.get("/api/v1/functions/typo").path("appcode").asString())
                .isEqualTo(COPIES);
    }

    @Test
    void code_mistake_isMarkedAndNamedWhileItIsTyped(Browser browser, Store store) {
        store.function("typing", "people", "findings", COPIES);
        browser.open("/console/functions/typing/code");
        browser.awaitEditor();

        browser.tabTo("Code of the function");
        browser.rewrite("function OnUpdate(doc, meta) {\n  dst[meta.idd] = doc;\n  SELECT FROM people;\n}");

        browser.awaitText("main [role=status].tone-failed", "1 problem, line 3, column ");
        browser.awaitInEditor(".cm-lintRange-error");
        browser.awaitInEditor(".cm-lintRange-warning");
        browser.rewrite("function OnUpdate(doc, meta) {\n  dst[meta.id] = doc;\n  SELECT * FROM people;\n}");
        browser.awaitNotInEditor(".cm-lintRange-error");
        browser.awaitGone("main [role=status].tone-failed");
        assertThat(store.get("/api/v1/functions/typing").path("appcode").asString())
                .isEqualTo(COPIES);
    }

    @Test
    void requestsOfAFunction_areDescribedFromAnExample(Browser browser, Store store) {
        store.function(
                "described", "people", "findings", "function OnRequest(request) { return {body: request.path}; }");
        browser.open("/console/functions/described/settings?find=openapi");
        browser.awaitEditor();
        browser.awaitText("main", "Every request is taken.");

        browser.enter("Insert an example");
        browser.awaitText("main", "Taken: GET /{id}, PUT /{id}.");
        browser.looksWell("settings-openapi");
        browser.enter("Save");

        browser.awaitText("body", "The settings are saved.");
        assertThat(store.get("/api/v1/functions/described/settings")
                        .at("/openapi/paths/~1{id}/put/requestBody/required")
                        .asBoolean())
                .isTrue();
        browser.tabTo("openapi");
        browser.rewrite("{\"paths\": ");
        browser.awaitText("main .wrong", "JSON");
        assertThat(browser.run("return document.querySelector('main button[type=submit]').disabled;"))
                .isEqualTo(true);
        browser.rewrite("{}");
        browser.awaitText("main", "Every request is taken.");
    }

    @Test
    void misspeltMember_isMarkedBeforeTheCodeIsSaved(Browser browser, Store store) {
        store.function("misspelt", "people", "findings", COPIES);
        browser.open("/console/functions/misspelt/code");
        browser.awaitEditor();

        browser.tabTo("Code of the function");
        browser.rewrite("function OnUpdate(doc, meta) { totals[meta.idd] = doc; }");

        browser.awaitInEditor(".cm-lintRange-warning");
        assertThat(browser.text("main")).contains("Not saved");
        browser.rewrite("function OnUpdate(doc, meta) { dst[meta.id] = doc; }");
        browser.awaitNotInEditor(".cm-lintRange-warning");
        browser.chord(Keys.CONTROL, "s");
        browser.awaitNoText("main", "Not saved");
    }

    @Test
    void log_showsLinesAsTheyAreWrittenHoldsFiltersAndLeadsToTheDocument(Browser browser, Store store) {
        browser.open("/console/functions/order_totals/log");
        awaitLine(browser, store, "order-2");

        browser.enter("Hold the log");
        await().atMost(Store.PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            write(store, "order-3");
            assertThat(browser.text("main [role=status]")).contains("new line");
        });
        assertThat(browser.text("[role=log]")).doesNotContain("order-3");
        browser.press(Keys.ENTER);
        browser.awaitText("[role=log]", "\"order-3\"");
        browser.tabTo("Text in the line");
        browser.type("order-3");
        browser.awaitNoText("[role=log]", "order-2");
        browser.looksWell("log-filtered");
        browser.shape(Browser.NARROW, false);
        await().atMost(Store.PATIENCE)
                .untilAsserted(() -> assertThat(browser.run(SAID_IS_IN_SIGHT)).isEqualTo(true));
        browser.shape(Browser.WIDE, false);
        assertThat(browser.address()).contains("text=order-3");
        browser.open(browser.address());
        awaitLine(browser, store, "order-3");
        assertThat(browser.text("[role=log]")).doesNotContain("order-2");

        browser.enter("order-3");
        browser.awaitText("h2", "order-3");
        assertThat(browser.address()).isEqualTo("/console/documents/orders?id=order-3");
    }

    private static void awaitLine(Browser browser, Store store, String id) {
        await().atMost(Store.PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            write(store, id);
            assertThat(browser.text("[role=log]")).contains("\"" + id + "\"");
        });
    }

    private static void write(Store store, String id) {
        store.document("orders", id, "{\"product\": \"scoop\", \"quantity\": 1, \"price\": 12}");
    }

    @Test
    void failures_areCountedAtTheirLineAndReplayedAfterTheCodeIsMended(Browser browser, Store store) {
        int failures = 101;
        store.bucket("baskets");
        store.bucket("sizes");
        for (int i = 1; i <= failures; i++) {
            store.document("baskets", "b-" + i, "{}");
        }
        store.function("sizes", "baskets", "sizes", """
                function OnUpdate(basket, meta) {
                  // An item
                  // is a product
                  // that a customer
                  // wants to buy,
                  // perhaps.
                  dst[meta.id] = { size: basket.items.length };
                }
                """);
        browser.open("/console/functions/sizes/code");
        browser.awaitEditor();
        store.deploy("sizes");
        long began = System.nanoTime();
        browser.awaitInEditor(".cm-insight.failing");
        Goal.within(Duration.ofSeconds(5), "gutter_shows_a_failure", began);
        assertThat(browser.inEditor(".cm-insight.failing", "title")).contains("undefined");
        assertThat(browser.lineInEditor(".cm-insight.failing")).isEqualTo(7);
        browser.looksWell("code-insight");
        browser.open("/console/functions/sizes/letters");
        browser.awaitText("main", failures + " dead letters");
        browser.awaitText("main", "The newest 100 of 101 are shown.");
        browser.looksWell("letters-many");
        browser.click("Show more");
        browser.awaitNoText("main", "are shown");

        store.move("sizes", "pause", "paused");
        store.code(
                "sizes", "function OnUpdate(basket, meta) { dst[meta.id] = { size: (basket.items || []).length }; }");
        store.move("sizes", "resume", "deployed");
        SlowRequest.enter(browser, "Replay all");

        browser.awaitText("main", "No dead letters");
        browser.awaitNoText(".tabs", String.valueOf(failures));
        assertThat(store.get("/api/v1/buckets/sizes").path("documents").asInt()).isEqualTo(failures);
    }

    @Test
    void draft_isTriedOnAllDeadLettersAndThoseThatItHandlesAreGone(Browser browser, Store store) {
        store.bucket("drafted");
        store.bucket("drafts");
        store.function("drafted", "drafted", "drafts", "function OnUpdate(doc, meta) { throw new Error('no'); }");
        store.deploy("drafted");
        store.documents("drafted", IntStream.range(0, 12).mapToObj(i -> "d-" + i), "{}");
        browser.open("/console/functions/drafted/letters?letter=");
        browser.awaitText("main", "12 dead letters");
        browser.enter("d-3");
        browser.tabTo("Draft of the code");
        browser.rewrite(
                "function OnUpdate(doc, meta) { if (meta.id === 'd-7') throw new Error('still no'); dst[meta.id] = doc; }");

        browser.tabBackTo("Try it on all");
        browser.press(Keys.ENTER);

        browser.awaitText("body", "The draft handled 11 dead letters, 1 failed.");
        browser.awaitText("main", "1 dead letter");
        assertThat(browser.text("main .letter")).contains("d-7");
        browser.looksWell("letters-draft");
        assertThat(store.get("/api/v1/buckets/drafts").path("documents").asInt())
                .isEqualTo(11);
        store.move("drafted", "undeploy", "undeployed");
    }

    @Test
    void charts_showRunTimesAndADeploymentAtItsSecond(Browser browser, Store store) {
        store.bucket("charted");
        store.function("charted", "charted", "findings", COPIES);
        browser.open("/console/functions/charted");
        browser.awaitText("main", "Bindings");
        store.deploy("charted");

        await().atMost(Store.PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            store.document("charted", "c-" + System.nanoTime(), "{}");
            assertThat(browser.count(".chart polyline")).isEqualTo(5);
            assertThat(browser.text(".charts")).containsPattern("99 % [0-9.]+ .s");
        });
        String since =
                store.get("/api/v1/status/charted").at("/app/since").asString().substring(0, 19);
        // the version may have been saved in the same second
        assertThat(browser.count(".chart:has(.chart-mark[data-at^='" + since + "'])"))
                .isEqualTo(4);
        assertThat(browser.text(".chart-marks")).contains("deployed");
        browser.looksWell("charts");
        store.move("charted", "undeploy", "undeployed");
    }

    @Test
    void timer_isFoundFiredAndCancelledWhenThatIsConfirmed(Browser browser, Store store) {
        browser.open("/console/functions/remind_later/timers");
        browser.tabTo("Reference or callback");
        for (String letter : "task-3".split("")) {
            browser.type(letter); // one by one: the list is drawn again meanwhile
        }
        browser.awaitNoText("main table", "task-2");
        browser.enter("As a command: task-3");
        browser.awaitText(
                "main details[open] code",
                "%s/api/v1/functions/remind_later/timers/fire --json '{\"callback\":\"remind\",\"reference\":\"task-3\"}'"
                        .formatted(browser.origin()));
        browser.tabBackTo("Fire now: task-3");
        browser.press(Keys.ENTER);
        browser.awaitText(".toast", "The timer is due now");

        assertThat(store.awaitDocument("reminders", "task-3").path("text").asString())
                .isEqualTo("Oil the wheel");
        browser.open("/console/functions/remind_later/timers?reference=task-6");
        browser.enter("Cancel timer: task-6");
        browser.awaitText("dialog", "remind will not be called for task-6");
        browser.tabTo("Type task-6 to confirm");
        browser.type("task-6");
        browser.enter("Cancel timer");
        browser.awaitText("main", "No pending timer has this text");
    }

    @Test
    void version_isComparedAndRolledBackInTwoClicks(Browser browser, Store store) {
        store.function("versioned", "people", "findings", COPIES);
        String checksum = store.checksum("versioned");
        store.code("versioned", COPIES + " // second");
        browser.open("/console/functions/versioned/versions");
        browser.click("Version 2");
        browser.awaitText(".diff", "// second");
        assertThat(browser.text(".diff .soft")).as("names what is compared").startsWith("--- handler.js");
        browser.looksWell("version-diff");

        browser.click("Roll back");
        browser.click("Roll back");

        browser.awaitText("main", "Version 3");
        assertThat(store.checksum("versioned")).isEqualTo(checksum);
    }

    @Test
    void dryRun_showsWhatWouldBeWrittenAndWritesNothing(Browser browser, Store store) {
        store.function(
                "dry_statement",
                "orders",
                "findings",
                "function OnUpdate(order, meta) { UPDATE findings USE KEYS 'ada' SET seen = true; }");
        browser.open("/console/functions/dry_statement/dry-run?id=order-5");
        browser.enter("Run without effect");
        browser.awaitText(OUTCOME + " .plan", "findings");
        store.function(
                "dry",
                "orders",
                "findings",
                "function OnUpdate(order, meta) { dst[meta.id] = { total: order.price * 3 }; log('dry'); }");
        String before = store.get("/couch/findings").path("update_seq").asString();
        browser.open("/console/functions/dry/dry-run");
        browser.tabTo("Id of the document");
        browser.type("order-5");

        browser.enter("Run without effect");

        browser.awaitText(OUTCOME, "\"total\": 36");
        assertThat(browser.text(OUTCOME))
                .contains("findings / order-5")
                .contains("INFO \"dry\"")
                .doesNotContain("- ");
        assertThat(store.get("/couch/findings").path("update_seq").asString()).isEqualTo(before);
        browser.looksWell("dry-run-outcome");
        browser.enter("As a command");
        assertThat(browser.text("form details[open] .command code"))
                .startsWith("curl -u " + Store.LOGIN.user() + " " + browser.origin()
                        + "/api/v1/functions/dry/dry-run --json");
    }

    @Test
    void dryRun_recordsAnswers_andTheNextOneAsksNoServer(Browser browser, Store store) throws IOException {
        AtomicInteger asked = new AtomicInteger();
        HttpServer rates = rates(asked);
        try {
            store.done("POST", "/api/v1/functions/dry_rates", """
                    {"appname": "dry_rates",
                     "appcode": "function OnUpdate(order, meta) { dst[meta.id] = curl('GET', rates, {path: 'today'}).body ?? {}; }",
                     "depcfg": {"source_bucket": "orders", "metadata_bucket": "eventing",
                      "buckets": [{"alias": "dst", "bucket_name": "findings", "access": "rw"}],
                      "curl": [{"value": "rates", "hostname": "http://127.0.0.1:%d/", "auth_type": "no-auth"}]}}""".formatted(
                            rates.getAddress().getPort()));
            browser.open("/console/functions/dry_rates/dry-run?id=order-5");
            browser.enter("Run without effect");
            browser.awaitText(OUTCOME, "not sent; answered with 200");
            browser.awaitFocusIn("main button[type=submit]");
            assertThat(asked).hasValue(0);

            browser.tabBackTo("Record answers that are not given");
            browser.press(Keys.SPACE);
            browser.enter("Run without effect");

            browser.awaitText(OUTCOME, "1 answer recorded");
            assertThat(browser.text(OUTCOME)).contains("\"euro\": 9");
            browser.looksWell("dry-run-recorded");
            browser.tabBackTo("Record answers that are not given");
            browser.press(Keys.SPACE);
            browser.enter("Run without effect");
            browser.awaitNoText(OUTCOME, "recorded");
            browser.awaitText(OUTCOME, "\"euro\": 9");
            assertThat(asked).hasValue(1);
            browser.tabBackTo("Answers that are given, in JSON");
            browser.retype("[]");
            browser.enter("Run without effect");
            browser.awaitText("form", "The answers are not an object in JSON: []");
            browser.tabBackTo("Answers that are given, in JSON");
            browser.retype("{\"response\": []}");
            browser.enter("Run without effect");
            browser.awaitText("form", "There are no answers \"response\"");
        } finally {
            rates.stop(0);
        }
    }

    private static HttpServer rates(AtomicInteger asked) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/today", exchange -> {
            asked.incrementAndGet();
            byte[] body = "{\"euro\": 9}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }
}
