package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What must hold on every screen as it opens, at both widths and in both themes. */
@ExtendWith(RealBrowser.class)
@Order(2)
class ScreensIT {

    private static final List<String> SHEETS = List.of(
            "console/src/styles/tokens.css",
            "ui-gateway/src/main/resources/static/style.css",
            "ui-gateway/src/main/resources/static/login.css",
            "ui-gateway/src/main/resources/explorer/explorer.css");

    /** A rule, or a group of rules, for the dark theme, up to a brace at the beginning of a line. */
    private static final Pattern DARK = Pattern.compile(
            "^[^\\n}]*(?:data-theme=\"dark\"|prefers-color-scheme: dark|html\\.dark-mode)[^{]*\\{(?<declarations>.*?)^}",
            Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern COLOUR = Pattern.compile(
            "(color-scheme: dark|(--[a-z-]+|color|background|background-color|border-color|fill): #[0-9a-f]{3,8}( !important)?"
                    + "|--shadow: 0 8px 28px rgb\\([^)]*\\));");

    private static final String STYLE = """
            const style = (rule) => {
              const sheet = new CSSStyleSheet();
              sheet.insertRule(rule);
              document.adoptedStyleSheets = [sheet];
            };
            """;

    @BeforeEach
    void begin(Browser browser, Store store) {
        Samples.once(store, browser);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            home           | /console/                                                  | Everything works
            functions      | /console/functions                                         | order_totals
            new            | /console/functions/-/new?template=enrich                   | Create and deploy
            overview       | /console/functions/order_totals                            | Bindings
            code           | /console/functions/order_totals/code                       | new code takes over
            dry-run        | /console/functions/order_totals/dry-run                    | Nothing takes effect
            versions       | /console/functions/order_totals/versions                   | Version
            settings       | /console/functions/order_totals/settings                   | worker_count
            log            | /console/functions/order_totals/log                        | Waiting for lines
            letters        | /console/functions/check_people/letters                    | dead letter
            timers         | /console/functions/remind_later/timers                     | Due in the next 24 hours
            canary         | /console/functions/order_totals/canary                     | Start the canary
            debugger       | /console/functions/order_totals/debugger                   | Start the debugger
            trace-tab      | /console/functions/order_totals/traces                     | What one change led to
            archive        | /console/functions/-/archive                               | Folders
            libraries      | /console/functions/-/libraries?library=money@1.0.0         | As a command
            buckets        | /console/documents                                         | orders
            document       | /console/documents/orders?id=order-1                       | Extended attributes
            changes        | /console/documents/orders?view=changes                     | Waiting for changes
            queries        | /console/queries                                           | History
            streams        | /console/streams/cart-42                                   | ItemAdded
            traces         | /console/traces                                            | traceparent
            trace          | /console/traces/0af7651916cd43dd8448eb211c80319c           | no such trace yet
            configuration  | /console/configuration                                     | Choose an entry
            cluster        | /console/cluster                                           | Vbuckets
            users          | /console/access                                            | Administrator
            keys           | /console/access/keys                                       | nightly load
            secrets        | /console/access/secrets                                    | payments
            roles          | /console/access/roles                                      | data_reader
            audit          | /console/access/audit                                      | audit verify
            system         | /console/system                                            | Circuit breakers
            nothing        | /console/nothing                                           | does not exist
            docs           | /docs/reference/console.html                               | The console
            login          | /login.html                                                | Log in to Millrace
            """)
    void screen_isAccessibleFitsAndKeepsToItsOrigin(String name, String path, String shown, Browser browser) {
        browser.shape(Browser.WIDE, false);
        browser.open(path);
        browser.awaitText("body", shown);
        browser.awaitLoaded();

        browser.looksWell(name);
        assertThat(browser.scriptErrors()).as(name).isEmpty();
    }

    /** What each look would find: a page is broken in its style sheet or its elements, at one width or in one theme. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1440-light | document.querySelector('h1').after(document.createElement('button'));
            1440-dark  | style(':root[data-theme=dark] h1 { color: #333 }');
            390-light  | style('@media (width <= 390px) { h1 { width: 400px } }');
            390-dark   | style('@media (width <= 390px) { :root[data-theme=dark] h1 { color: #333 } }');
            """)
    void pageThatIsBroken_isFoundAtItsWidthAndInItsTheme(String look, String defect, Browser browser) {
        browser.shape(Browser.WIDE, false);
        browser.open("/console/nothing");
        browser.awaitText("h1", "does not exist");
        browser.awaitLoaded();
        browser.run(STYLE + defect);

        assertThatThrownBy(() -> browser.looksWell("broken"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("broken-" + look);
    }

    /** In the dark theme the rest is not looked at again. */
    @Test
    void rail_systemTurnsDarkAndLight_offersTheOtherTheme(Browser browser) {
        browser.shape(1440, false);
        browser.open("/console/");
        browser.awaitText(".rail", "Dark theme");

        browser.shape(1440, true);
        browser.awaitText(".rail", "Light theme");

        browser.shape(1440, false);
        browser.awaitText(".rail", "Dark theme");
    }

    /** A phone has no Escape key. */
    @Test
    void morePlacesOfANarrowScreen_areClosedByAButton(Browser browser) {
        browser.shape(Browser.NARROW, false);
        browser.open("/console/");
        browser.awaitText("h1", "Home");
        browser.click("More");
        browser.awaitText("dialog", "Cluster");

        browser.click("Close");

        browser.awaitGone("dialog");
        browser.shape(Browser.WIDE, false);
    }

    @Test
    void rolesOfAKey_wrapBetweenRolesAndNotInside(Browser browser, Store store) {
        String key = store.send("POST", "/api/v1/keys", """
                        {"description": "many roles", "roles": ["data_reader[orders]", "data_writer[orders]",
                         "data_reader[totals]", "data_writer[totals]", "query_select[orders]", "query_select[totals]",
                         "data_reader[people]", "data_writer[people]", "external_stats_reader"]}""").json().path("id").asString();
        browser.shape(Browser.WIDE, false);

        browser.open("/console/access/keys");
        browser.awaitText("table", "many roles");

        assertThat((List<?>) browser.run("return [...document.querySelectorAll('td .chip')]"
                        + ".filter((chip) => chip.clientHeight > 24).map((chip) => chip.innerText);"))
                .isEmpty();
        store.send("DELETE", "/api/v1/keys/" + key, "");
    }

    @Test
    void themes_differInColoursOnly() throws IOException {
        for (String sheet : SHEETS) {
            String rules = Files.readString(Store.ROOT.resolve(sheet));
            Matcher dark = DARK.matcher(rules);
            int found = 0;
            while (dark.find()) {
                found++;
                assertThat(dark.group("declarations").lines().map(String::strip).filter(line -> line.contains(";")))
                        .as(sheet)
                        .allMatch(line -> COLOUR.matcher(line).matches());
            }
            assertThat(found).as("dark rules of %s", sheet).isPositive();
        }
    }
}
