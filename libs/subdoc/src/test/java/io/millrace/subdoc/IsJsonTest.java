package io.millrace.subdoc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.json.JsonLimits;
import org.junit.jupiter.api.Test;

/** What a store marks as JSON. */
class IsJsonTest {

    @Test
    void isJson_acceptsAnyFourLettersInUnicodeEscapes() {
        assertThat(SubDocuments.isJson("{\"a\":\"\\u12g4\"}".getBytes(UTF_8))).isTrue();
    }

    @Test
    void isJson_refusesMalformedUtf8() {
        assertThat(SubDocuments.isJson("{\"a\":\"\u00c3\"}".getBytes(ISO_8859_1)))
                .isFalse();
    }

    @Test
    void isJson_refusesNestingPastTheLimitOfAllDocuments() {
        int levels = JsonLimits.MAX_DEPTH_LEVELS;

        assertThat(SubDocuments.isJson(nested(levels))).isTrue();
        assertThat(SubDocuments.isJson(nested(levels + 1))).isFalse();
    }

    private static byte[] nested(int levels) {
        return ("[".repeat(levels) + "]".repeat(levels)).getBytes(UTF_8);
    }
}
