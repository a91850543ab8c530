package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.openqa.selenium.Keys;

/** What a button is like while its request is on the way. */
final class SlowRequest {

    private static final String HOLD = """
            const send = window.fetch;
            const gate = new Promise((open) => { window.openGate = open; });
            window.held = [];
            window.fetch = async (path, request) => {
              window.held.push(`${request?.method} ${path}`);
              await gate;
              return send(path, request);
            };
            """;

    private SlowRequest() {}

    /** Operates a button without a mouse. Until the answer comes it keeps the focus, and pressing it again sends nothing. */
    static void enter(Browser browser, String name) {
        browser.tabTo(name);
        browser.run(HOLD);
        browser.press(Keys.ENTER);
        browser.press(Keys.ENTER);

        browser.awaitFocusIn("button[aria-disabled=true]");
        assertThat((List<?>) browser.run("return window.held;"))
                .as("requests of %s", name)
                .isNotEmpty()
                .doesNotHaveDuplicates();
        browser.run("window.openGate();");
    }
}
