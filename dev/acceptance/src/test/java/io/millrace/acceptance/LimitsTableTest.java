package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LimitsTableTest {

    private static final String BEGIN = "<!-- limits -->\n";
    private static final String END = "<!-- end of limits -->";

    @Test
    void readme_showsTheLimitsOfTheCode() throws IOException {
        String readme = Repository.read(Repository.ROOT.resolve("README.md"));
        int begin = readme.indexOf(BEGIN) + BEGIN.length();
        int end = readme.indexOf(END);

        String table = LimitsTable.markdown();

        Path updated = Path.of("target/README.md");
        Files.createDirectories(updated.toAbsolutePath().getParent());
        Files.writeString(updated, readme.substring(0, begin) + table + readme.substring(end));
        assertThat(readme.substring(begin, end))
                .as("the limits in README.md; to update them: cp dev/acceptance/target/README.md README.md")
                .isEqualTo(table);
        assertThat(table).contains("MAX_DOCUMENT_BYTES").contains("20 MiB");
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
    void firstSentence_ofJavadoc_isPlainMarkdown() {
        String javadoc = "\n * The longest {@code id}\n * in UTF-8 ({@link X.Code#TOO_LONG}). More.\n ";

        assertThat(LimitsTable.firstSentence(javadoc)).isEqualTo("The longest `id` in UTF-8 (`TOO_LONG`)");
    }
}
