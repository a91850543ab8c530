package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** From an empty store to the first handled document, as a person does it who has a keyboard and no manual. */
@ExtendWith(RealBrowser.class)
@Order(1)
class BeginningIT {

    private static final Duration GOAL = Duration.ofSeconds(60);

    @Test
    void emptyStore_aNameAndSomeKeysLeadToTheFirstHandledDocument(Browser browser, Store store) {
        assertThat(store.get("/api/v1/functions")).isEmpty();
        assertThat(store.get("/api/v1/buckets")).isEmpty();
        browser.shape(Browser.WIDE, false);

        browser.open("/console/");
        browser.tabTo("Log in");
        browser.press(Keys.ENTER);
        browser.awaitText("h1", "Log in to Millrace");
        browser.type(Store.LOGIN.user());
        browser.tabTo("Password");
        browser.type(Store.LOGIN.password());
        browser.press(Keys.ENTER);
        browser.awaitText("main", "Nothing is stored yet.");
        long began = System.nanoTime();
        browser.tabTo("Create a function");
        browser.press(Keys.ENTER);
        browser.tabTo("Enrich documents");
        browser.press(Keys.ENTER);
        browser.tabTo("Name");
        browser.retype("first_totals");
        browser.tabTo("Create and deploy");
        browser.press(Keys.ENTER);
        browser.awaitText("main", "The first document is handled");
        Duration took = Duration.ofNanos(System.nanoTime() - began);

        assertThat(browser.text("main")).contains("\"total\": 36");
        assertThat(took).isLessThan(GOAL);
        browser.looksWell("new-outcome");
        assertThat(browser.scriptErrors()).isEmpty();
    }
}
