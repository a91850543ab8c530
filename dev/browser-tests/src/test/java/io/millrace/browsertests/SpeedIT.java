package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;
import tools.jackson.databind.json.JsonMapper;

/**
 * How fast pages are: when they come, while a key is pressed, and while a log writes a thousand lines a second. It is the last
 * class, and the long list its last test: deleting two hundred functions takes longer than all that is measured.
 */
@ExtendWith(RealBrowser.class)
@Order(9)
@TestMethodOrder(MethodOrderer.MethodName.class)
class SpeedIT {

    /** The whole run has room for some seconds; thirty are the goal. */
    private static final int SECONDS = Goal.STRICT ? 30 : 5;

    private static final int CHANGES_PER_SECOND = 10;
    private static final int LINES_PER_CHANGE = 100;
    private static final int LINES = SECONDS * CHANGES_PER_SECOND * LINES_PER_CHANGE;

    /** Counts frames while the newest lines are followed. */
    private static final String COUNT_FRAMES = """
            window.frames = 0;
            window.countedSince = performance.now();
            const frame = () => { window.frames++; requestAnimationFrame(frame); };
            requestAnimationFrame(frame);
            """;

    /** The lines in the page and those that it says it has dropped. */
    private static final String ACCOUNTED = """
            const kept = document.querySelector('.log-space').offsetHeight / 20;
            const dropped = /([0-9,]+) lines were dropped/.exec(document.querySelector('main').innerText)?.[1] ?? '0';
            return kept + Number(dropped.replaceAll(',', ''));
            """;

    /** Notes how long it takes from a key to the next picture. */
    private static final String TIME_KEYS = """
            window.slowest = 0;
            addEventListener('input', (event) => requestAnimationFrame(() => setTimeout(() => {
              window.slowest = Math.max(window.slowest, performance.now() - event.timeStamp);
            })), true);
            """;

    private static final int FUNCTIONS = 200;

    /** As high as this many rows, and more. */
    private static final int TALL = 4000;

    private static final int ROWS_OF_TALL = 70;

    @Test
    void firstPage_ofANewBrowser_isThereAndTakesKeysWithinASecond(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
        browser.forgetPages();

        browser.open("/console/");
        browser.awaitText(".verdict", "Everything works");
        browser.chord(Keys.CONTROL, "k");
        browser.awaitFocusIn("dialog");

        Number took = Objects.requireNonNull((Number) browser.run("return Math.round(performance.now());"));
        Goal.reached(Duration.ofSeconds(1), "page_is_interactive", Duration.ofMillis(took.longValue()));
    }

    @Test
    void listOfTwoHundredFunctions_answersEachKeyWithinATenthOfASecond(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
        store.done("POST", "/api/v1/import", JsonMapper.shared().writeValueAsString(many().toList()));
        browser.open("/console/functions");
        browser.awaitText("main tbody", "many_");
        browser.tabTo("Filter");
        browser.run(TIME_KEYS);
        for (String letter : "many_1".split("")) {
            browser.type(letter);
        }
        browser.awaitText("main", "100 / ");
        for (int i = 0; i < "any_1".length(); i++) {
            browser.press(Keys.BACK_SPACE);
        }
        browser.awaitNoText("main", "100 / ");
        browser.shape(
                Browser.WIDE, TALL, false); // a list fills a tall window by itself, and its end is reached by scrolling
        await().atMost(Store.PATIENCE).until(() -> browser.count("main tbody tr") > ROWS_OF_TALL);
        await().atMost(Store.PATIENCE).until(() -> {
            browser.run("scrollTo(0, document.body.scrollHeight);");
            return browser.count("main tbody tr") > FUNCTIONS;
        });

        Number slowest = Objects.requireNonNull((Number) browser.run("return Math.round(window.slowest);"));
        Goal.reached(Duration.ofMillis(100), "key_in_a_long_list", Duration.ofMillis(slowest.longValue()));
    }

    private static Stream<Map<String, Object>> many() {
        return IntStream.range(0, FUNCTIONS)
                .mapToObj(i -> Map.of(
                        "appname",
                        "many_%03d".formatted(i),
                        "appcode",
                        "function OnUpdate(doc, meta) {}",
                        "depcfg",
                        Map.of("source_bucket", "people", "metadata_bucket", "eventing")));
    }

    @Test
    void aThousandLinesASecond_areAllShownOrAccountedFor(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
        store.bucket("chatty");
        store.function(
                "chatty",
                "chatty",
                "findings",
                "function OnUpdate(doc, meta) { for (let i = 0; i < %d; i++) { log(meta.id, i); } }"
                        .formatted(LINES_PER_CHANGE));
        store.deploy("chatty");
        browser.open("/console/functions/chatty/log");
        browser.awaitText("main", "Waiting for lines");
        store.document("chatty", "first", "{}");
        browser.awaitText("[role=log]", "\"first\" %d".formatted(LINES_PER_CHANGE - 1));

        browser.run(COUNT_FRAMES);
        for (int second = 0; second < SECONDS; second++) {
            int from = second * CHANGES_PER_SECOND;
            store.documents(
                    "chatty", IntStream.range(from, from + CHANGES_PER_SECOND).mapToObj(i -> "chat-" + i), "{}");
            await().pollDelay(Duration.ofSeconds(1)).until(() -> true); // the pace of the writer, not a wait
        }
        await().atMost(Store.PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(Objects.requireNonNull((Number) browser.run(ACCOUNTED))
                                .intValue())
                        .isEqualTo(LINES + LINES_PER_CHANGE));

        Number rate = Objects.requireNonNull((Number)
                browser.run("return Math.round(1000 * window.frames / (performance.now() - window.countedSince));"));
        Goal.perSecond(30, "frames_while_a_log_is_followed", rate.doubleValue());
        store.move("chatty", "undeploy", "undeployed");
    }
}
