package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The pictures of the documentation: there and small; {@code -Dmillrace.docs.update=true} takes them again. */
@ExtendWith(RealBrowser.class)
@Order(5)
class PicturesIT {

    private static final Path PICTURES = Store.ROOT.resolve("docs/pictures");
    private static final int PICTURE_COUNT = 10;
    private static final int MOST_BYTES = 110_000;
    private static final int WIDTH = 1120;
    private static final int HEIGHT = 630;
    private static final int WITH_OUTCOME = 800;

    @Test
    void pictures_areThereAndSmall(Browser browser, Store store) throws IOException {
        if (Boolean.getBoolean("millrace.docs.update")) {
            Samples.once(store, browser);
            browser.shape(WIDTH, HEIGHT, false);
            take(browser, store);
        }

        try (Stream<Path> pictures = Files.list(PICTURES)) {
            assertThat(pictures.toList())
                    .hasSize(PICTURE_COUNT)
                    .allSatisfy(picture ->
                            assertThat(Files.size(picture)).as("%s", picture).isLessThan(MOST_BYTES));
        }
    }

    private static void take(Browser browser, Store store) {
        String function = "/console/functions/order_totals";
        Traffic.whileOpen(store, browser, "/console/", Traffic.A_CHART, () -> browser.count("td polyline") > 0);
        save(browser, "home");
        Traffic.whileOpen(store, browser, function, Traffic.A_CHART, () -> browser.count(".chart polyline") > 0);
        save(browser, "function");
        Traffic.whileOpen(store, browser, function + "/log", Traffic.A_LOG, () -> browser.count(".log-line") > 8);
        save(browser, "log");
        show(browser, function + "/code", "Save and put live");
        browser.awaitInEditor(".cm-insight");
        save(browser, "code");
        show(browser, function + "/dry-run?id=order-5", "Nothing takes effect");
        browser.awaitEditor();
        browser.edit("function OnUpdate(order, meta) {\n  order.total = order.quantity * order.price;\n"
                + "  order.discount = order.quantity > 2;\n  dst[meta.id] = order;\n}");
        browser.click("Run without effect");
        browser.awaitText("main", "nothing written");
        browser.shape(WIDTH, WITH_OUTCOME, false);
        browser.run("document.querySelector('main [role=status]').scrollIntoView({block: 'end'});");
        save(browser, "dry-run");
        browser.shape(WIDTH, HEIGHT, false);
        show(browser, "/console/functions/check_people/letters", "bob");
        browser.click("bob");
        browser.awaitText("main", "Document when it failed");
        browser.awaitEditor();
        save(browser, "dead-letters");
        show(browser, "/console/functions/remind_later/timers", "task-8");
        save(browser, "timers");
        show(browser, "/console/documents/orders?id=order-5", "order-12");
        browser.awaitText("main", "Extended attributes");
        save(browser, "documents");
        store.done("POST", "/query/service", "{\"statement\": \"CREATE PRIMARY INDEX IF NOT EXISTS ON orders\"}");
        show(
                browser,
                "/console/queries?statement=SELECT%20quantity%2C%20COUNT(*)%20AS%20orders%20FROM%20orders%20GROUP%20BY%20quantity"
                        + "%20ORDER%20BY%20quantity",
                "History");
        browser.awaitEditor();
        browser.click("Run");
        browser.awaitText("main [role=status]", "rows in");
        save(browser, "queries");
        show(browser, "/console/cluster", "Vbuckets");
        save(browser, "cluster");
    }

    private static void show(Browser browser, String path, String text) {
        browser.open(path);
        browser.awaitLoaded();
        browser.awaitText("main", text);
    }

    private static void save(Browser browser, String name) {
        browser.picture(PICTURES.resolve("console-" + name + ".png"), false);
    }

    /** Changes that make the charts and the log of a picture move. */
    private static final class Traffic {

        private static final Duration PACE = Duration.ofMillis(250);

        /** So many changes show how things went, not only that there is a chart. */
        static final int A_CHART = 100;

        static final int A_LOG = 12;

        static void whileOpen(Store store, Browser browser, String path, int changes, BooleanSupplier seen) {
            browser.open(path);
            int[] order = {0};
            await().atMost(Store.PATIENCE).pollInterval(PACE).until(() -> {
                int next = ++order[0] % 24 + 1;
                store.document(
                        "orders",
                        "order-" + next,
                        "{\"product\": \"scoop\", \"quantity\": %d, \"price\": 12}".formatted(next % 7 + 1));
                return order[0] > changes && seen.getAsBoolean();
            });
        }
    }
}
