package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What must hold on every screen as it opens, at both widths and in both themes. */
@ExtendWith(RealBrowser.class)
@Order(2)
class ScreensIT {

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
}
