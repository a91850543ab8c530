package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** What the screens say when something fails, and that they are as before when it works again, without being loaded again. */
@ExtendWith(RealBrowser.class)
@Order(6)
class FailuresIT {

    private static final Duration SAID = Duration.ofSeconds(5);

    @BeforeEach
    void begin(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
        browser.open("/console/functions");
        browser.awaitText("main", "order_totals");
        browser.run("window.loadedOnce = true;");
    }

    @AfterEach
    void end(Store store) {
        store.redis("CONFIG", "SET", "maxmemory", "0");
    }

    @Test
    void fullRedis_isSaidWithTheReasonUntilThereIsRoom(Browser browser, Store store) {
        long began = System.nanoTime();
        store.redis("CONFIG", "SET", "maxmemory", "1mb");

        browser.awaitText(".app", "The store refuses writes");
        Goal.within(SAID, "full_redis_is_said", began);
        assertThat(browser.text(".app")).contains("Writes work again as soon as the store takes them.");
        browser.enter("Details");
        browser.awaitText("main", "Append-only file");
        assertThat(browser.text("main")).contains("refused");
        browser.looksWell("redis-full");

        store.redis("CONFIG", "SET", "maxmemory", "0");
        browser.awaitNoText(".app", "The store refuses writes");
        browser.awaitText("main", "taken");
        assertThat(browser.run("return window.loadedOnce;")).isEqualTo(true);
    }

    @Test
    void functionThatFails_isNamedWithItsLogUntilItIsStopped(Browser browser, Store store) {
        store.bucket("broken");
        store.function("broken", "broken", "findings", "function OnUpdate(doc, meta) { throw new Error('broken'); }");
        browser.enter("Home");
        browser.awaitText(".verdict", "Everything works");
        store.deploy("broken");

        long began = System.nanoTime();
        await().atMost(Store.PATIENCE).untilAsserted(() -> {
            store.document("broken", "b-" + System.nanoTime(), "{}");
            assertThat(browser.text(".verdict")).contains("Function broken fails");
        });
        Goal.within(SAID, "failing_function_is_named", began);
        browser.looksWell("home-failing");
        browser.enter("broken");
        browser.awaitText("main", "on_update_failure");

        store.move("broken", "undeploy", "undeployed");
        browser.enter("Home");
        browser.awaitText(".verdict", "Everything works");
        assertThat(browser.run("return window.loadedOnce;")).isEqualTo(true);
    }

    @Test
    void log_openedAfterAFailure_showsItWhenItIsAskedFor(Browser browser, Store store) {
        browser.open("/console/functions/check_people/log");
        browser.awaitText("main", "Waiting for lines");

        browser.enter("Earlier lines");

        browser.awaitText("[role=log]", "The lines above are from before this page was opened");
        assertThat(browser.text("[role=log]")).contains("'bob'");
        browser.looksWell("log-earlier");
    }

    @Test
    void login_thatEnds_isSaidWithTheWayBack(Browser browser, Store store) {
        long began = System.nanoTime();
        browser.forgetLogin();

        browser.awaitText(".app", "The server wants to know who you are");
        Goal.within(SAID, "ended_login_is_said", began);
        browser.awaitText("main", "This goes on when you are logged in.");
        assertThat(browser.text("main")).as("what is for programs").doesNotContain("Authorization");
        browser.looksWell("login-ended");
        browser.enter("Log in");
        browser.awaitText("h1", "Log in to Millrace");
        browser.type(Store.LOGIN.user());
        browser.press(Keys.TAB);
        browser.type(Store.LOGIN.password());
        browser.press(Keys.ENTER);
        browser.awaitText("h1", "Functions");
        browser.awaitText("main", "order_totals");
    }

    @Test
    void tab_thatTheWorkerHasForgotten_followsAgain(Browser browser, Store store) {
        store.function("remembered", "orders", "findings", "function OnUpdate(doc, meta) { }");
        String row = "main tr:has(a[href$='/remembered'])";
        browser.run("""
                const post = MessagePort.prototype.postMessage;
                MessagePort.prototype.postMessage = function (message) {
                  window.worker = this;
                  post.call(this, message);
                };
                """);
        browser.enter("Home");
        browser.awaitText(row, "undeployed");
        browser.run("window.worker.postMessage({kind: 'bye'});"); // as after a long silence

        store.deploy("remembered");
        browser.run("window.worker.postMessage({kind: 'here'});");

        browser.awaitNoText(row, "undeployed");
        assertThat(browser.run("return window.loadedOnce;")).isEqualTo(true);
        store.move("remembered", "undeploy", "undeployed");
    }

    @Test
    void logOut_endsTheSessionAndLeadsToTheLogin(Browser browser, Store store) {
        browser.awaitText(".rail", Store.LOGIN.user());
        browser.click("Log out");

        browser.awaitText("h1", "Log in to Millrace");
        browser.open("/console/functions");
        browser.awaitText(".app", "The server wants to know who you are");
        assertThat(browser.text(".rail")).doesNotContain("Log out");
        browser.logIn();
    }

    @Test
    void logOut_isOfferedAlsoWhileNothingSaysWhoIsLoggedIn(Browser browser, Store store) {
        browser.block("*/whoami");
        browser.open("/console/functions");

        browser.awaitText(".rail", "Log out");
        assertThat(browser.text(".rail")).doesNotContain(Store.LOGIN.user());
        browser.looksWell("log-out-unnamed");

        browser.block();
        browser.awaitText(".rail", Store.LOGIN.user());
    }

    @Test
    void login_thatIsThereAgain_endsTheMessageByItself(Browser browser, Store store) {
        browser.forgetLogin();
        browser.awaitText(".app", "The server wants to know who you are");

        browser.run("""
                fetch('/api/v1/session', {
                  method: 'POST',
                  headers: {'Content-Type': 'application/json'},
                  body: JSON.stringify({user: arguments[0], password: arguments[1]}),
                });
                """, Store.LOGIN.user(), Store.LOGIN.password());

        browser.awaitNoText(".app", "The server wants to know who you are");
        assertThat(browser.run("return window.loadedOnce;")).isEqualTo(true);
    }
}
