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
        String expected = LimitsTable.markdown();
        Path copy = Path.of("target/limits.md");
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, expected);

        String readme = Repository.read(Repository.ROOT.resolve("README.md"));
        String shown = readme.substring(readme.indexOf(BEGIN) + BEGIN.length(), readme.indexOf(END));

        assertThat(shown)
                .as("the table of limits in README.md; what it should be is in acceptance/target/limits.md")
                .isEqualTo(expected);
        assertThat(expected).contains("MAX_DOCUMENT_BYTES").contains("20 MiB");
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
