package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The explorer of the API: examples are sent from it, with the login of the console, and answered by the services. */
@ExtendWith(RealBrowser.class)
@Order(4)
class ExplorerIT {

    /** How many of the required parameters have their example as a value; the explorer reads the parameters when an operation is opened. */
    private static final String FILLED_IN = """
            return [...document.querySelectorAll(arguments[0] + ' tr[data-param-name]')]
              .filter((row) => row.querySelector('.required') !== null && row.querySelector('input')?.value).length;
            """;

    /** Operations that are closed look alike, and so do schemas and the words of a long answer: some of each kind stay. */
    private static final String LEAVE_ONE_OF_EACH = """
            const kept = new Set();
            document.querySelectorAll('.opblock:not(.is-open)').forEach((block) =>
              kept.has(block.className) ? block.remove() : kept.add(block.className));
            [...document.querySelectorAll('.models article')].slice(2).forEach((model) => model.remove());
            document.querySelectorAll('.microlight code').forEach((code) =>
              [...code.children].slice(80).forEach((word) => word.remove()));
            """;

    @BeforeEach
    void begin(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
        browser.scriptErrors(); // those of pages that earlier tests have opened
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            functions               | functions-listFunctions | 0 | 200 | order_totals
            documents               | Documents-putDocument   | 2 | 20  | "cas"
            configuration and nodes | Streams-append          | 1 | 20  | "version"
            """)
    void exampleOfTheDescription_isSentAndAnswered(
            String api, String operation, int required, String status, String answer, Browser browser, Store store) {
        store.bucket("travel-sample"); // that of the examples
        String block = "#operations-" + operation;
        browser.open("/console/");
        browser.click("API explorer");
        browser.awaitText("body", "Select a definition");
        String explorer = browser.address().split("[?#]")[0];
        browser.open(explorer + "?urls.primaryName=" + api.replace(" ", "%20"));

        press(browser, block + " .opblock-summary-control");
        press(browser, block + " .try-out__btn");
        await().atMost(Store.PATIENCE)
                .untilAsserted(() -> assertThat(browser.run(FILLED_IN, block)).isEqualTo((long) required));
        press(browser, block + " .execute");

        String response = block + " .live-responses-table tbody";
        browser.awaitCount(response, 1);
        assertThat(browser.text(response + " .response-col_status"))
                .as(browser.text(block + " .responses-inner"))
                .startsWith(status);
        assertThat(browser.text(response)).contains(answer);
        browser.run(LEAVE_ONE_OF_EACH);
        if (api.equals("documents")) { // it has parameters, a body and an answer
            browser.looksWell("explorer");
        } else {
            assertThat(browser.foreignRequests()).isEmpty();
            assertThat(browser.violations()).isEmpty();
        }
        assertThat(browser.scriptErrors())
                .as("styles that the policy refuses, and defects")
                .isEmpty();
    }

    private static void press(Browser browser, String selector) {
        browser.awaitCount(selector, 1);
        browser.run("document.querySelector(arguments[0]).click();", selector);
    }
}
