package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The pages of {@code docs/reference} that are made from the code; {@code ./millrace docs} writes them. */
class ReferencePagesTest {

    private static final String UPDATE = "millrace.docs.update";

    private static final Map<String, Supplier<String>> PAGES = new TreeMap<>(Map.of(
            "limits.md",
            LimitsTable::markdown,
            "settings.md",
            SettingsPage::markdown,
            "error-codes.md",
            ErrorCodesPage::markdown,
            "log-events.md",
            LogEventsPage::markdown,
            MetricsPage.NAME,
            MetricsPage::markdown,
            EnvironmentPage.NAME,
            EnvironmentPage::markdown));

    @TestFactory
    Stream<DynamicTest> page_saysWhatTheCodeSays() {
        return PAGES.entrySet().stream()
                .map(page -> DynamicTest.dynamicTest(page.getKey(), () -> {
                    Path file = MarkdownTable.DIRECTORY.resolve(page.getKey());
                    String generated = page.getValue().get();
                    if (Boolean.getBoolean(UPDATE)) {
                        Files.writeString(file, generated);
                    }
                    assertThat(file)
                            .as("docs/reference/%s is stale; ./millrace docs updates it", page.getKey())
                            .hasContent(generated);
                }));
    }

    @Test
    void pages_haveWhatPeopleLookFor() throws IOException {
        assertThat(LimitsTable.markdown()).contains("MAX_DOCUMENT_BYTES").contains("20 MiB");
        assertThat(SettingsPage.markdown()).contains("| `dcp_stream_boundary` |");
        assertThat(ErrorCodesPage.markdown())
                .contains("| `document_not_found` | 404 |")
                .contains("| `upstream_timeout` | 504 |")
                .contains("| `ERR_APP_NOT_FOUND_TS` | 13 | 404 |")
                .contains("| `KEY_ENOENT` | 0x01 |")
                .contains("| `SYNTAX` | 3000 | 400 |");
        assertThat(LogEventsPage.markdown()).contains("| `worker_ready` | info |");
        assertThat(MetricsPage.markdown())
                .contains("| `eventing_lag_seconds` | gauge |")
                .contains("| `eventing_agg_queue_size` | gauge |")
                .contains("| `eventing_handler_latency_seconds` | histogram |")
                .contains("| `eventing_on_update_success_total` | counter |")
                .contains("| `millrace_metakv_watchers` | gauge |");
    }

    @Test
    void everyVariableAndMetric_hasAMeaning() {
        assertThat(Stream.of(EnvironmentPage.markdown(), MetricsPage.markdown())
                        .flatMap(String::lines)
                        .filter(line -> line.startsWith("| `")))
                .allSatisfy(row -> assertThat(row)
                        .as("write the meaning into the page by hand: it is kept")
                        .doesNotEndWith("|  |"));
    }

    @Test
    void value_ofEachUnit_isSaidInIt() {
        assertThat(LimitsTable.value("MAX_BYTES", 20 << 20)).isEqualTo("20 MiB");
        assertThat(LimitsTable.value("MAX_BYTES", 2048L)).isEqualTo("2 KiB");
        assertThat(LimitsTable.value("MAX_BYTES", 250)).isEqualTo("250 bytes");
        assertThat(LimitsTable.value("PAUSE_MILLIS", 20_000L)).isEqualTo("20 s");
        assertThat(LimitsTable.value("PAUSE", Duration.ofMillis(100))).isEqualTo("100 ms");
        assertThat(LimitsTable.value("PAUSE", Duration.ofHours(1))).isEqualTo("1 h");
        assertThat(LimitsTable.value("MAX_EVENTS", 10_000)).isEqualTo("10,000");
    }

    @Test
    void part_isWhatTheJavadocSaysThatTheLimitsAreOf() {
        assertThat(LimitsTable.part("/** The limits of bulk loads, each with its unit. */"))
                .isEqualTo("Bulk loads");
        assertThat(LimitsTable.part("/**\n * Limits of the connections\n * to Redis.\n */"))
                .isEqualTo("Connections to Redis");
    }

    @Test
    void firstSentence_ofJavadoc_isPlainMarkdown() {
        String javadoc = "\n * The longest {@code id}\n * in UTF-8 ({@link X.Code#TOO_LONG}). More.\n ";

        assertThat(LimitsTable.firstSentence(javadoc)).isEqualTo("The longest `id` in UTF-8 (`TOO_LONG`)");
    }
}
