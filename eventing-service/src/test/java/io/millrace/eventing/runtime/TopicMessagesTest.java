package io.millrace.eventing.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicMessagesTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\": [1.10, {\"b\": null}]}", "[]", " true ", "\"ü\"", "-1e5", "\"a \uFFFD\""})
    void oneValue_isKeptAsItIs(String json) {
        assertThat(TopicMessages.json(bytes(json), "")).isEqualTo(bytes(json));
        assertThat(TopicMessages.json(bytes(json), "application/json; charset=utf-8"))
                .isEqualTo(bytes(json));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "plain", "{\"a\":", "{} {}", "[1,]", "{\"a\": 1}}", "\uFEFF{}", "01", "\uFFFD"})
    void textThatIsNotOneValue_becomesAString(String text) {
        String quoted = '"' + text.replace("\"", "\\\"") + '"';

        assertThat(TopicMessages.json(bytes(text), ""))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(quoted);
    }

    @ParameterizedTest
    @CsvSource({"text/plain, '\"{}\"'", "text/csv, '\"{}\"'", "application/octet-stream, "})
    void typeDecides(String type, String expected) {
        byte[] read = TopicMessages.json(bytes("{}"), type);

        assertThat(read == null ? null : new String(read, StandardCharsets.UTF_8))
                .isEqualTo(expected);
    }

    @Test
    void bytesThatAreNotUtf8_areNoText() {
        assertThat(TopicMessages.json(new byte[] {'"', (byte) 0xc3, '"'}, "")).isNull();
        assertThat(TopicMessages.json(new byte[] {(byte) 0xff}, "text/plain")).isNull();
    }
}
