package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** What is typed and not saved stays, whatever else is pressed, and overwrites nothing that another writer stored meanwhile. */
@ExtendWith(RealBrowser.class)
@Order(5)
class EditsIT {

    private static final String QUESTION = "Discard what is not saved?";
    private static final String EDITED =
            "return document.querySelector('.code')?.shadowRoot?.querySelector('.cm-content')?.innerText;";
    private static final String DOCUMENT = "/console/documents/orders?id=";
    private static final String STORED = "/api/v1/buckets/orders/docs/";

    /** In the same frame in which the page says so: a page that asks about what is saved asks then. */
    private static final String CLICK_AS_SOON_AS_SAVED = """
            const toasts = document.querySelector('.toasts');
            const button = [...document.querySelectorAll('button')].find((e) => e.innerText === arguments[0]);
            new MutationObserver((_, observer) => {
              if (toasts.innerText.includes('is saved')) {
                observer.disconnect();
                button.click();
              }
            }).observe(toasts, { childList: true });
            """;

    @BeforeEach
    void begin(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
    }

    @Test
    void code_notSaved_isLeftOnlyAfterAQuestion(Browser browser, Store store) {
        store.function("unsaved", "orders", "findings", "function OnUpdate(doc, meta) { }");
        browser.open("/console/functions/unsaved");
        browser.click("Code");
        browser.awaitEditor();
        browser.edit("function OnUpdate(doc, meta) { log('typed'); }");
        browser.awaitText("main", "Not saved");

        browser.click("Log");
        browser.awaitText("dialog[open]", QUESTION);
        browser.looksWell("leaving");
        browser.press(Keys.ENTER); // the safe answer has the focus
        browser.awaitGone("dialog[open]");
        browser.run("history.back();");
        browser.awaitText("dialog[open]", QUESTION);
        browser.press(Keys.ESCAPE);
        browser.awaitGone("dialog[open]");

        assertThat(browser.address()).isEqualTo("/console/functions/unsaved/code");
        assertThat(edited(browser)).contains("typed");
        browser.run("history.back();");
        browser.awaitText("dialog[open]", QUESTION);
        browser.enter("Discard and go on");
        browser.awaitText("main", "Bindings");
        assertThat(browser.address()).isEqualTo("/console/functions/unsaved");
        browser.run("history.forward();");
        browser.awaitEditor();
        assertThat(edited(browser)).doesNotContain("typed");
    }

    @Test
    void settings_notSaved_areLeftOnlyAfterAQuestion(Browser browser, Store store) {
        store.function("unset", "orders", "findings", "function OnUpdate(doc, meta) { }");
        browser.open("/console/functions/unset/settings?find=worker_count");
        browser.focus("worker_count");
        browser.retype("3");
        browser.awaitText("form", "1 change");

        browser.click("Overview");

        browser.awaitText("dialog[open]", QUESTION);
        browser.enter("Keep editing");
        browser.awaitText("form", "1 change");
        browser.click("Save");
        browser.awaitText("body", "saved");
        browser.awaitNoText("form", "1 change");
        browser.click("Overview");
        browser.awaitText("main", "Bindings");
    }

    @Test
    void document_notSaved_isLeftForAnotherOneOnlyAfterAQuestion(Browser browser, Store store) {
        store.document("orders", "typed-1", "{\"n\": 1}");
        store.document("orders", "typed-2", "{\"n\": 2}");
        browser.open(DOCUMENT + "typed-1&prefix=typed-");
        browser.awaitText("main .ids", "typed-2");
        browser.awaitEditor();
        browser.edit("{\"n\": 11}");

        for (String way : new String[] {"typed-2", "Live changes", "New document"}) {
            browser.click(way);
            browser.awaitText("dialog[open]", QUESTION);
            browser.press(Keys.ESCAPE);
            browser.awaitGone("dialog[open]");
            assertThat(edited(browser)).as(way).contains("11");
        }

        browser.edit("{\"n\": 11}");
        browser.run(CLICK_AS_SOON_AS_SAVED, "New document");
        browser.chord(Keys.CONTROL, "s");
        browser.awaitText("body", "typed-1 is saved.");
        browser.focus("Id");
        browser.type("typed-3");
        browser.edit("{\"n\": 3}");
        browser.chord(Keys.CONTROL, "s");
        browser.awaitText("main h2", "typed-3");
        assertThat(browser.count("dialog[open]")).isZero();
    }

    @Test
    void body_thatIsTyped_staysWhenTheExpiryIsSet(Browser browser, Store store) {
        store.document("orders", "expiring", "{\"n\": 1}");
        browser.open(DOCUMENT + "expiring");
        browser.awaitEditor();
        browser.edit("{\"n\": 2}");

        setExpiry(browser);
        browser.awaitNoText("main .facts", "never");

        assertThat(edited(browser)).contains("2");
        browser.click("Save");
        browser.awaitText("body", "expiring is saved.");
        assertThat(browser.count("main .problem")).isZero();
        assertThat(store.get(STORED + "expiring").path("n").asInt()).isEqualTo(2);
    }

    @Test
    void body_thatIsTyped_conflictsWithAnotherWriterAlsoAfterTheExpiryIsSet(Browser browser, Store store) {
        store.document("orders", "raced", "{\"by\": \"first\"}");
        browser.open(DOCUMENT + "raced");
        browser.awaitEditor();
        browser.edit("{\"by\": \"me\"}");
        store.document("orders", "raced", "{\"by\": \"other\"}");
        setExpiry(browser);
        browser.awaitNoText("main .facts", "never");

        browser.edit("{\"by\": \"me again\"}");
        browser.chord(Keys.CONTROL, "s");

        browser.awaitText("main .problem", "Another writer has changed the document");
        assertThat(browser.text("main .problem")).contains("other").contains("me again");
        assertThat(store.get(STORED + "raced").path("by").asString()).isEqualTo("other");
    }

    @Test
    void attributes_ofAnotherWriter_areShownAndNotOverwritten(Browser browser, Store store) {
        store.document("orders", "attributed", "{}");
        browser.open(DOCUMENT + "attributed");
        browser.awaitEditor();
        browser.focus("Extended attributes");
        browser.retype("{\"by\": \"me\"}");
        store.done("PUT", STORED + "attributed/xattrs", "{\"by\": \"other\"}");
        setExpiry(browser);
        browser.awaitNoText("main .facts", "never");

        saveAttributes(browser);

        browser.awaitText("main .problem", "Another writer has changed the document");
        browser.looksWell("attributes-conflict");
        assertThat(store.get(STORED + "attributed/xattrs").path("by").asString())
                .isEqualTo("other");
        browser.click("Save mine instead");
        await().atMost(Store.PATIENCE)
                .untilAsserted(() -> assertThat(store.get(STORED + "attributed/xattrs")
                                .path("by")
                                .asString())
                        .isEqualTo("me"));
        browser.awaitGone("main .problem");
    }

    @Test
    void code_ofAnotherWriter_isShownAndNotOverwritten(Browser browser, Store store) {
        store.function("contended", "orders", "findings", "function OnUpdate(doc, meta) { }");
        browser.open("/console/functions/contended/code");
        browser.awaitEditor();
        store.code("contended", "function OnUpdate(doc, meta) { /* other */ }");
        browser.edit("function OnUpdate(doc, meta) { /* mine */ }");

        browser.click("Save");

        browser.awaitText("main .problem", "Another writer has changed the code");
        browser.looksWell("code-conflict");
        assertThat(browser.text("main .problem")).contains("/* other */").contains("/* mine */");
        assertThat(appcode(store, "contended")).contains("other");
        browser.click("Save mine instead");
        await().atMost(Store.PATIENCE)
                .untilAsserted(() -> assertThat(appcode(store, "contended")).contains("mine"));
        browser.awaitGone("main .problem");
    }

    @Test
    void code_putLive_leavesTheSettingsThatWereChangedElsewhere(Browser browser, Store store) {
        store.function("kept_settings", "orders", "findings", "function OnUpdate(doc, meta) { }");
        store.deploy("kept_settings");
        browser.open("/console/functions/kept_settings/code");
        browser.awaitEditor();
        store.done("POST", "/api/v1/functions/kept_settings/settings", "{\"description\": \"by another\"}");
        browser.edit("function OnUpdate(doc, meta) { /* mine */ }");

        browser.click("Save and put live");

        browser.awaitText("body", "kept_settings is saved.");
        await().atMost(Store.PATIENCE) // until the new code has taken over
                .untilAsserted(() -> assertThat(appcode(store, "kept_settings")).contains("mine"));
        assertThat(store.get("/api/v1/functions/kept_settings")
                        .at("/settings/description")
                        .asString(""))
                .isEqualTo("by another");
        store.move("kept_settings", "undeploy", "undeployed");
    }

    private static String appcode(Store store, String name) {
        return store.get("/api/v1/functions/" + name).path("appcode").asString("");
    }

    private static void setExpiry(Browser browser) {
        browser.focus("Expire after seconds; 0 for never");
        browser.type("3600");
        browser.click("Set");
        browser.awaitText("body", "The expiry is set.");
    }

    private static void saveAttributes(Browser browser) {
        browser.run("""
                [...document.querySelectorAll('section.card')]
                  .find((card) => card.querySelector('textarea') !== null).querySelector('button').click();
                """);
    }

    private static String edited(Browser browser) {
        return String.valueOf(browser.run(EDITED));
    }
}
