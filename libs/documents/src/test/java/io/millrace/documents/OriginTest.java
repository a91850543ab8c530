package io.millrace.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.traces.TraceContext;
import java.util.List;
import org.junit.jupiter.api.Test;

class OriginTest {

    private static final TraceContext TRACE = TraceContext.random();

    @Test
    void text_isReadBack() {
        for (Origin origin : List.of(
                new Origin("f~self", 2),
                new Origin("f", 1, TRACE),
                new Origin("f~self", 12, TRACE),
                Origin.ofClient(TRACE))) {
            assertThat(Origin.parse(origin.text())).isEqualTo(origin);
        }
        assertThat(Origin.parse("")).isNull();
    }

    @Test
    void text_withATrace_isThatOfAnInstanceForEarlierPrograms() {
        for (Origin origin : List.of(new Origin("f", 3, TRACE), Origin.ofClient(TRACE))) {
            String text = origin.text();
            int colon = text.lastIndexOf(':');

            assertThat(text.substring(0, colon)).isNotEmpty().doesNotContain(":", "\n");
            assertThat(Integer.parseInt(text.substring(colon + 1))).isPositive();
        }
    }

    @Test
    void text_longest_fitsIntoItsLength() {
        Origin longest = new Origin("i".repeat(Limits.MAX_ORIGIN_CHARS), Integer.MAX_VALUE, TRACE);

        assertThat(longest.text().length()).isLessThan(256);
    }

    @Test
    void parse_malformed_isRefused() {
        for (String text : List.of("f", "f:0", ":1", "!short:1", "!" + "*".repeat(32) + "f:1")) {
            assertThatIllegalArgumentException().as(text).isThrownBy(() -> Origin.parse(text));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new Origin("", 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Origin("!f", 1));
    }
}
