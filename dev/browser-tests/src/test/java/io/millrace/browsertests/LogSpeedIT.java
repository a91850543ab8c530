package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of a function that writes a thousand lines a second; how smooth the page stays is in the log of the test. */
@ExtendWith(RealBrowser.class)
@Order(7)
class LogSpeedIT {

    private static final Logger LOG = LoggerFactory.getLogger(LogSpeedIT.class);

    /** The whole run has room for some seconds; thirty were the goal. */
    private static final int SECONDS = Integer.getInteger("millrace.log.seconds", 5);

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
        LOG.info("event=log_followed lines={} frames_per_second={}", LINES, rate);
        store.move("chatty", "undeploy", "undeployed");
    }
}
