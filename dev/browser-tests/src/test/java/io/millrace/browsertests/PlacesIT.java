package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** What the screens of documents, queries, the cluster and access do, and what is the same on all screens. */
@ExtendWith(RealBrowser.class)
@Order(4)
class PlacesIT {

    private static final int MORE_TABS = 9;

    @BeforeEach
    void begin(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
    }

    @Test
    void palette_findsAFunctionByAFewLetters(Browser browser, Store store) {
        browser.open("/console/documents");
        browser.awaitText("h1", "Documents");

        browser.chord(Keys.CONTROL, "k");
        browser.awaitFocusIn("dialog");
        browser.type("ordtot");
        browser.awaitText("dialog [role=option]", "order_totals");
        browser.looksWell("palette");
        browser.press(Keys.ENTER);

        browser.awaitText("h1", "order_totals");
        assertThat(browser.address()).isEqualTo("/console/functions/order_totals");
    }

    @Test
    void timers_ofATimeRange_areThoseThatItsLinkShows(Browser browser, Store store) {
        browser.shape(1120, false);
        browser.open("/console/functions/remind_later/timers");
        browser.awaitText("main table", "task-8");
        assertThat(
                        browser.run(
                                "return Math.max(...[...document.querySelectorAll('td time')].map((e) => e.getClientRects().length));"))
                .as("lines of a time")
                .isEqualTo(1L);

        browser.tabTo("Due");
        browser.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN);

        awaitReferences(browser, "task-1 task-5 task-7 task-2");
        String link = browser.address();
        assertThat(link).endsWith("/timers?due=6h");
        browser.inAnotherTab(link, () -> {
            browser.awaitText("main h2", "Due in the next 6 hours");
            awaitReferences(browser, "task-1 task-5 task-7 task-2");
        });
    }

    private static void awaitReferences(Browser browser, String references) {
        await().atMost(Store.PATIENCE)
                .untilAsserted(() -> assertThat(
                                browser.run(
                                        "return [...document.querySelectorAll('main tbody th')].map((e) => e.innerText).join(' ');"))
                        .isEqualTo(references));
    }

    @Test
    void command_hasThisOriginAndUserAndDoesTheSame(Browser browser, Store store) throws Exception {
        store.function("by_command", "people", "findings", "function OnUpdate(doc, meta) {}");
        browser.open("/console/functions/by_command");
        browser.awaitText("h1", "by_command");
        browser.click("As a command");
        String login = "curl -u " + Store.LOGIN.user();
        String address = browser.origin() + "/api/v1/functions/by_command/";
        browser.awaitText(".head .command code", login + " -X POST " + address + "deploy");
        browser.looksWell("command");

        carryOut(browser.text(".head .command code"), login);

        store.awaitState("by_command", "deployed");
        browser.awaitText(".head .command code", login + " -X POST " + address + "pause");
        assertThat(browser.text(".head .command + .command code")).isEqualTo("./millrace fn pause by_command");
        store.move("by_command", "undeploy", "undeployed");
    }

    /** Carries out a copied command in a shell, with the password that curl would ask for. */
    private static void carryOut(String command, String login) throws Exception {
        Process shell = new ProcessBuilder(
                        "sh", "-c", command.replace(login, login + ":" + Store.LOGIN.password() + " --fail"))
                .redirectErrorStream(true)
                .start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(said).isZero();
    }

    @Test
    void tabs_costTheServicesOneSubscriptionTogether(Browser browser, Store store) {
        String log = "/console/functions/order_totals/log";
        browser.open(log);
        browser.awaitText("main", "Waiting for lines");
        browser.openTabs(log, MORE_TABS);
        try {
            await().atMost(Store.PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
                store.document("orders", "tabs", "{\"quantity\": 1, \"price\": 2}");
                assertThat(browser.textInEachTab("[role=log]")).allMatch(text -> text.contains("total of"));
            });

            assertThat(store.send("GET", "/actuator/prometheus", "").body())
                    .containsPattern("millrace_gateway_feeds\\{[^}]*eventing-service[^}]*\\} 1\\.0");
        } finally {
            browser.closeOtherTabs();
        }
    }

    @Test
    void functionsOfOneName_haveRowsAndPagesOfTheirOwn(Browser browser, Store store) {
        String scoped = "/api/v1/functions/twins?bucket=orders&scope=_default";
        store.function("twins", "orders", "findings", "function OnUpdate(doc, meta) { /* of no scope */ }");
        store.done("POST", scoped, """
                {"appname": "twins", "appcode": "function OnUpdate(doc, meta) { /* of orders */ }",
                 "function_scope": {"bucket": "orders", "scope": "_default"},
                 "depcfg": {"source_bucket": "orders", "metadata_bucket": "eventing"}}""");
        browser.open("/console/functions?filter=twins");
        browser.awaitCount("main tbody tr", 2);
        browser.looksWell("functions-of-one-name");

        browser.click("orders/_default/twins");
        browser.awaitText("h1", "orders/_default/twins");
        browser.click("Code");
        browser.awaitEditor();
        browser.open(browser.address()); // the address leads there too
        browser.awaitEditor();
        browser.edit("function OnUpdate(doc, meta) { /* changed */ }");
        browser.click("Save");

        browser.awaitText("body", "orders/_default/twins is saved.");
        assertThat(store.get(scoped).path("appcode").asString()).contains("changed");
        assertThat(store.get("/api/v1/functions/twins").path("appcode").asString())
                .contains("of no scope");
    }

    @Test
    void secret_thatIsRefused_isNotInTheCopiedDetails(Browser browser) {
        browser.open("/console/access/secrets");
        browser.click("New secret");
        browser.focus("Name");
        browser.type("not a name");
        browser.focus("Server");
        browser.retype("https://payments.example.org");
        browser.focus("Value");
        browser.type("hunter2");
        browser.click("Save");
        browser.awaitText("dialog .problem", "Copy details");

        browser.run("navigator.clipboard.writeText = async (said) => { window.copied = said; };");
        browser.click("Copy details");

        assertThat(String.valueOf(browser.run("return window.copied;")))
                .contains("/api/v1/secrets/not%20a%20name", "PASSWORD")
                .doesNotContain("hunter2");
    }

    @Test
    void document_savedInTwoTabs_isShownAsADifferenceAndNotOverwritten(Browser browser, Store store) {
        store.document("orders", "conflict", "{\"by\": \"first\"}");
        String address = "/console/documents/orders?id=conflict";
        browser.open(address);
        browser.awaitEditor();
        browser.inAnotherTab(address, () -> {
            browser.tabTo("Body of the document");
            browser.rewrite("{\"by\": \"other\"}");
            browser.chord(Keys.CONTROL, "s");
            browser.awaitText("body", "conflict is saved.");
        });

        browser.tabTo("Body of the document");
        browser.rewrite("{\"by\": \"me\"}");
        browser.chord(Keys.CONTROL, "s");

        browser.awaitText("main .problem", "Another writer has changed the document");
        browser.looksWell("document-conflict");
        assertThat(browser.text("main .problem")).contains("\"other\"").contains("\"me\"");
        assertThat(store.get("/api/v1/buckets/orders/docs/conflict").path("by").asString())
                .isEqualTo("other");
        browser.tabBackTo("Save mine instead");
        browser.press(Keys.ENTER);
        await().atMost(Store.PATIENCE)
                .untilAsserted(() -> assertThat(store.get("/api/v1/buckets/orders/docs/conflict")
                                .path("by")
                                .asString())
                        .isEqualTo("me"));
    }

    @Test
    void document_ofReplicas_showsItsRevisionsAndWhatTheOtherOneHas(Browser browser, Store store) {
        store.done("POST", "/couch/orders/_bulk_docs", """
                {"new_edits": false, "docs": [
                  {"_id": "replicated", "by": "base", "_revisions": {"start": 1, "ids": ["zero"]}},
                  {"_id": "replicated", "by": "Ada", "n": 12345678901234567890, "_revisions": {"start": 2, "ids": ["ada", "zero"]}},
                  {"_id": "replicated", "by": "Bob", "_revisions": {"start": 2, "ids": ["bob", "zero"]}}]}""");
        browser.open("/console/documents/orders?id=replicated");
        browser.awaitText(".revisions", "2-bob");
        assertThat(browser.text(".revisions"))
                .containsSubsequence("2-bob", "shown here", "2-ada", "in conflict", "1-zero");

        browser.enter("2-ada");

        browser.awaitText(".revisions .diff", "Ada");
        assertThat(browser.text(".revisions .diff"))
                .contains("-   \"by\": \"Bob\"")
                .contains("+   \"by\": \"Ada\"")
                .contains("12345678901234567890")
                .doesNotContain("_rev");
        browser.looksWell("document-revisions");
    }

    @Test
    void stream_longerThanAPage_showsItsOlderEvents(Browser browser, Store store) {
        String hundred = "{\"events\": [" + "{\"type\": \"Added\", \"data\": {}},".repeat(99)
                + "{\"type\": \"Added\", \"data\": {}}]}";
        for (int i = 0; i < 3; i++) {
            store.done("POST", "/api/v1/streams/Basket-long/events", hundred);
        }
        browser.open("/console/streams/Basket-long");
        browser.awaitText("main", "Older events");
        assertThat(browser.count(".changes li")).isEqualTo(200);

        browser.click("Older events");

        browser.awaitNoText("main", "Older events");
        assertThat(browser.count(".changes li")).isEqualTo(300);
    }

    @Test
    void stream_isReplayedThroughCode_oneEventAtATime(Browser browser, Store store) {
        store.done("POST", "/api/v1/streams/Basket-1/events", """
                {"events": [{"type": "Added", "data": {"sku": "pen", "n": 2}}, {"type": "Added", "data": {"sku": "ink", "n": 1}},
                            {"type": "Removed", "data": {"sku": "pen"}}]}""");
        browser.open("/console/streams/Basket-1");
        browser.awaitEditor();
        browser.edit("""
                function fold(state, event) {
                  const { [event.data.sku]: before = 0, ...others } = state;
                  return event.type === "Removed" ? others : { ...others, [event.data.sku]: before + event.data.n };
                }
                """);

        browser.click("Replay");

        browser.awaitText("main .diff", "-   \"pen\": 2");
        browser.click("Event before");
        browser.awaitText("main .diff", "+   \"ink\": 1");
        assertThat(browser.text("main .diff")).contains("\"pen\": 2");
        assertThat(browser.address()).endsWith("?at=1");
        browser.looksWell("stream-replayed");
        browser.edit("function fold(state, event) {\n  return state.none.at;\n}");
        browser.click("Replay");
        browser.awaitText("main .problem", "(2:");
    }

    @Test
    void times_areThoseOfUtcOrOfThePlaceOfTheBrowser(Browser browser, Store store) {
        browser.place("Asia/Kolkata");
        try {
            browser.open("/console/access/audit");
            browser.awaitText("main tbody", "function.save");
            assertThat(exactTime(browser)).endsWith("UTC");

            browser.click("Local times");
            await().atMost(Store.PATIENCE)
                    .untilAsserted(() -> assertThat(exactTime(browser)).endsWith("GMT+5:30"));
            browser.open("/console/access/audit");
            browser.awaitText("main tbody", "function.save");
            assertThat(exactTime(browser)).as("loaded again").endsWith("GMT+5:30");

            browser.click("Times in UTC");
            await().atMost(Store.PATIENCE)
                    .untilAsserted(() -> assertThat(exactTime(browser)).endsWith("UTC"));
        } finally {
            browser.place("");
        }
    }

    private static String exactTime(Browser browser) {
        return String.valueOf(browser.run("return document.querySelector('main tbody time').title;"));
    }

    @Test
    void changes_appearAsTheyHappenWithTheFunctionsThatSeeThem(Browser browser, Store store) {
        browser.open("/console/documents/orders?view=changes");
        browser.awaitText("main", "order_totals");
        browser.awaitText("main", "Waiting for changes");

        long began = System.nanoTime();
        store.document("orders", "seen", "{\"quantity\": 1, \"price\": 2}");

        browser.awaitText(".changes", "seen");
        Goal.within(Duration.ofSeconds(1), "change_appears", began);
        assertThat(browser.text(".changes")).contains("written");
        browser.looksWell("changes-live");
    }

    @Test
    void statement_isRunAndItsPlanSaysThatNothingIsSorted(Browser browser, Store store) {
        store.done("POST", "/query/service", "{\"statement\": \"CREATE INDEX by_quantity ON orders(quantity)\"}");
        browser.open("/console/queries?statement="
                + "SELECT%20quantity%20FROM%20orders%20WHERE%20quantity%20%3E%200%20ORDER%20BY%20quantity");
        browser.awaitEditor();

        browser.click("Run");
        browser.awaitText("main [role=status]", "rows in");
        browser.click("Plan");

        browser.awaitText("main", "nothing is sorted");
        browser.looksWell("query-plan");
        assertThat(browser.text(".plan")).contains("by_quantity");
    }

    @Test
    void tenThousandRows_areCountedAndOnlyTheFirstAreElements(Browser browser, Store store) {
        browser.open("/console/queries?statement=SELECT%20RAW%20n%20FROM%20ARRAY_RANGE(0%2C%2010000)%20AS%20n");
        browser.awaitEditor();

        browser.click("Run");

        browser.awaitText("main [role=status]", "10,000 rows in");
        browser.looksWell("query-rows");
        assertThat(browser.count("tbody tr")).isEqualTo(500);
    }

    @Test
    void cluster_showsAnOwnerForEachOf1024Vbuckets(Browser browser, Store store) {
        browser.open("/console/cluster");
        browser.awaitText("main", "The only node is alive");

        assertThat(browser.count(".vbuckets rect")).isEqualTo(1024);
        assertThat(browser.count(".vbuckets rect.none")).isZero();
    }

    @Test
    void user_isMadeGivenARoleAndDeletedByName(Browser browser, Store store) {
        browser.open("/console/access");
        browser.click("New user");
        browser.focus("User");
        browser.type("carla");
        browser.focus("Password");
        browser.type("correct-horse");
        browser.select("Role", "data_reader");
        browser.focus("On bucket:scope:collection; * for all");
        browser.type("orders");
        browser.click("Add role");
        browser.looksWell("user-dialog");
        SlowRequest.enter(browser, "Save");
        browser.awaitGone("dialog");
        browser.awaitText("table", "data_reader[orders]");
        assertThat(store.get("/settings/rbac/users/local/carla")
                        .at("/roles/0/role")
                        .asString())
                .isEqualTo("data_reader");

        browser.click("Delete carla");
        browser.focus("Type carla to confirm");
        browser.type("carla");
        browser.press(Keys.ENTER);

        browser.awaitNoText("table", "carla");
        assertThat(store.send("GET", "/settings/rbac/users/local/carla", "").status())
                .isEqualTo(404);
    }

    @Test
    void library_isSavedShownAndDeletedUnlessAFunctionImportsIt(Browser browser, Store store) {
        browser.open("/console/functions");
        browser.click("Libraries");
        browser.awaitText("main", "money@1.0.0");
        browser.click("New version");
        browser.awaitEditor();
        browser.focus("Name");
        browser.type("greetings");
        browser.click("Save");
        browser.awaitGone("dialog");
        browser.awaitText("h2", "greetings@1.0.0");
        assertThat(store.get("/api/v1/libraries/greetings/versions/1.0.0")
                        .path("code")
                        .asString())
                .contains("export function cents");

        store.function("greeter", "people", "findings", """
                import {cents} from 'greetings@1.0.0';
                function OnUpdate(doc, meta) { log(cents(doc.n)); }
                """);
        browser.awaitText("main table", "greeter");
        assertThat(browser.run("return document.querySelector('[aria-label=\"Delete greetings@1.0.0\"]').disabled;"))
                .isEqualTo(true);

        store.done("DELETE", "/api/v1/functions/greeter", "");
        browser.awaitNoText("main table", "greeter");
        browser.click("Delete greetings@1.0.0");
        browser.focus("Type greetings@1.0.0 to confirm");
        browser.type("greetings@1.0.0");
        browser.press(Keys.ENTER);

        browser.awaitNoText("main table", "greetings");
        assertThat(store.send("GET", "/api/v1/libraries/greetings/versions/1.0.0", "")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void apiKey_showsItsTokenOnce(Browser browser, Store store) {
        browser.open("/console/access/keys");
        browser.click("New API key");
        browser.focus("What it is for");
        browser.type("import");
        browser.select("Role", "ro_admin");
        browser.click("Add role");
        browser.click("Create");

        browser.awaitText("dialog", "The API key is made");
        browser.looksWell("key-made");
        assertThat(browser.text("dialog .command code")).hasSizeGreaterThan(20);
        browser.click("Close");
        browser.awaitText("main", "import");
        assertThat(browser.count("dialog")).isZero();
    }
}
