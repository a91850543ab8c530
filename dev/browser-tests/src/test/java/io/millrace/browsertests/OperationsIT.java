package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** What the screens show to those who run Millrace: the audit trail, the store, functions as files. */
@ExtendWith(RealBrowser.class)
@Order(4)
class OperationsIT {

    @BeforeEach
    void begin(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
    }

    @Test
    void audit_showsNewLinesAndSelectsByUserEventAndOutcome(Browser browser, Store store) {
        browser.open("/console/access/audit");
        browser.awaitText("main tbody", "function.save");
        browser.focus("Event, such as user.set");
        browser.type("user.set");
        browser.press(Keys.ENTER);
        browser.awaitNoText("main tbody", "function.save");

        store.done(
                "PUT",
                "/settings/rbac/users/local/audited",
                "password=correct-horse&roles=ro_admin",
                "application/x-www-form-urlencoded");

        browser.awaitText("main tbody", "PUT /settings/rbac/users/local/audited");
        assertThat(browser.text("main tbody")).contains("Administrator").contains("allowed");
        browser.looksWell("audit-lines");
        assertThat(browser.address()).contains("event=user.set");
        browser.select("Outcome", "refused");
        browser.awaitNoText("main", "rbac/users/local/audited");
    }

    @Test
    void functions_areExportedWipedAndImportedWithTheSameCode(Browser browser, Store store) {
        store.function("travels", "people", "findings", "function OnUpdate(doc, meta) { log('travels \u00e9'); }");
        String checksum = store.checksum("travels");
        for (String form : new String[] {"Folders (zip)", "JSON"}) {
            browser.open("/console/functions");
            browser.click("Import / export");
            browser.awaitText("main", form);
            Path file = store.download(browser.link(form), form.equals("JSON") ? "functions.json" : "functions.zip");
            store.done("DELETE", "/api/v1/functions/travels", "");

            browser.choose("import-file", file);
            browser.click("Import");

            browser.awaitText("[aria-label=Report]", "travels");
            assertThat(store.checksum("travels")).as(form).isEqualTo(checksum);
            assertThat(browser.text("[aria-label=Report]"))
                    .contains("order_totals")
                    .contains("refused");
        }
        store.done("DELETE", "/api/v1/functions/travels", "");
    }

    @Test
    void importOfCouchbasesJson_saysWhatItDoesAndCreatesWhatIsMissing(Browser browser, Store store) throws IOException {
        Path file = Files.createTempFile("couchbase", ".json");
        Files.writeString(file, """
                [{"appcode": "function OnUpdate(doc, meta) {\\n  log(meta.id);\\n}",
                  "depcfg": {"buckets": [{"alias": "dst", "bucket_name": "cb_target", "scope_name": "sales",
                                          "collection_name": "orders", "access": "rw"}],
                             "metadata_bucket": "eventing", "source_bucket": "cb_source"},
                  "version": "evt-6.6.0-7909-ee", "handleruuid": 3115014209, "id": 0, "function_instance_id": "k9VfH1",
                  "appname": "from_couchbase",
                  "settings": {"dcp_stream_boundary": "everything", "deployment_status": true,
                               "processing_status": true, "log_level": "INFO", "language_compatibility": "6.6.2",
                               "execution_timeout": 60, "n1ql_consistency": "none", "worker_count": 1}}]
                """);
        browser.open("/console/functions/-/archive");

        browser.choose("import-file", file);
        browser.awaitText("main table", "is added");
        assertThat(browser.text("main table")).contains("cb_source, cb_target.sales.orders");
        browser.click("Import");

        browser.awaitText("[aria-label=Report]", "1 function imported, 0 refused");
        browser.looksWell("import-report");
        assertThat(store.get("/api/v1/status/from_couchbase")
                        .at("/app/composite_status")
                        .asString())
                .isEqualTo("undeployed");
        store.deploy("from_couchbase");
        store.move("from_couchbase", "undeploy", "undeployed");
    }

    @Test
    void store_thatACrashWouldEmpty_isSaidOnEveryPageAndBeforeADeployment(Browser browser, Store store) {
        browser.open("/console/system");
        browser.awaitText("main", "Append-only file");
        assertThat(browser.text("main")).contains("writes are refused");

        store.redis("CONFIG", "SET", "appendonly", "no");
        browser.awaitText(".app", "Documents and timers are at risk");
        browser.open("/console/functions/archive_accounts_that_were_closed_long_ago");
        browser.click("Deploy");
        browser.awaitText("dialog .problem", "A crash of the store would lose timers");
        browser.looksWell("deploy-at-risk");
        assertThat(browser.text(".app")).contains("Documents and timers are at risk");
        browser.click("Close");

        store.redis("CONFIG", "SET", "appendonly", "yes");
        browser.awaitNoText(".app", "Documents and timers are at risk");
    }

    @Test
    void whatDestroys_isAskedForByName(Browser browser, Store store) {
        store.bucket("doomed");
        store.function("doomed", "doomed", "findings", """
                function OnUpdate(doc, meta) {
                  if (meta.id === 'letter') throw new Error('never');
                  createTimer(remind, new Date(Date.now() + 3600000), 'reminder', {});
                }
                function remind() {}
                """);
        store.deploy("doomed");
        store.document("doomed", "letter", "{}");
        store.document("doomed", "timer", "{}");

        browser.open("/console/functions/doomed/timers");
        destroy(browser, "Cancel timer: reminder", "reminder");
        browser.awaitText("main", "No timer is pending.");
        browser.open("/console/functions/doomed/letters");
        browser.click("letter");
        destroy(browser, "Drop", "letter");
        browser.awaitText("main", "No dead letters");
        browser.open("/console/documents/doomed?id=letter");
        destroy(browser, "Delete", "letter");
        browser.awaitText("body", "letter is deleted.");
        browser.open("/console/functions/doomed");
        destroy(browser, "Undeploy", "doomed");
        store.awaitState("doomed", "undeployed");
        destroy(browser, "Delete", "doomed");
        browser.awaitText("body", "doomed is deleted.");
        browser.open("/console/documents/doomed");
        destroy(browser, "Delete bucket", "doomed");

        browser.awaitText("h1", "Documents");
        assertThat(store.send("GET", "/api/v1/buckets/doomed", "").status()).isEqualTo(404);
    }

    /** Another name is refused in words; only the right one acts. */
    private static void destroy(Browser browser, String button, String name) {
        browser.click(button);
        browser.focus("Type " + name + " to confirm");
        browser.type("another");
        browser.press(Keys.ENTER);
        browser.awaitText("dialog .wrong", "The text must be " + name);
        browser.retype(name);
        browser.press(Keys.ENTER);
        browser.awaitGone("dialog");
    }
}
