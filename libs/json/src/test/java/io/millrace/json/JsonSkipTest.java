package io.millrace.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonSkipTest {

    private static final long SEED = 20_261_122;

    @Test
    void value_ofValidText_endsWhereTheStrictWalkEnds() throws MalformedJson {
        var random = new Random(SEED);
        for (int round = 0; round < 2_000; round++) {
            var json = new StringBuilder();
            value(random, 0, json);
            byte[] text = ("  " + json + ", 1").getBytes(UTF_8);
            var cursor = new JsonCursor(text, 2, text.length);
            int levels = cursor.skipValue();

            assertThat(JsonSkip.value(text, 2, text.length, 0, JsonSkip.ANY_DEPTH))
                    .as("%s", json)
                    .isEqualTo(cursor.position());
            assertThat(JsonSkip.value(text, 2, text.length, 0, levels))
                    .as("%d levels: %s", levels, json)
                    .isEqualTo(cursor.position());
            assertThat(levels == 1 ? JsonSkip.TOO_DEEP : JsonSkip.value(text, 2, text.length, 0, levels - 1))
                    .as("%d levels: %s", levels - 1, json)
                    .isEqualTo(JsonSkip.TOO_DEEP);
        }
    }

    @Test
    void value_ofTextThatEnds_isNotJson() {
        byte[] text = "{\"a\": [1, \"b".getBytes(UTF_8);

        assertThat(JsonSkip.value(text, 0, text.length, 0, JsonSkip.ANY_DEPTH)).isEqualTo(JsonSkip.NOT_JSON);
        assertThat(JsonSkip.value(text, text.length, text.length, 0, JsonSkip.ANY_DEPTH))
                .isEqualTo(JsonSkip.NOT_JSON);
        assertThat(JsonSkip.string(text, 10, text.length)).isEqualTo(JsonSkip.NOT_JSON);
    }

    private static void value(Random random, int depth, StringBuilder json) {
        switch (random.nextInt(depth > 5 ? 4 : 7)) {
            case 0 -> json.append(random.nextInt());
            case 1 -> json.append("null");
            case 2 -> json.append(random.nextDouble());
            case 3 -> string(random, json);
            case 4, 5 -> container(random, depth, true, json);
            default -> container(random, depth, false, json);
        }
    }

    private static void container(Random random, int depth, boolean object, StringBuilder json) {
        json.append(object ? '{' : '[');
        for (int i = random.nextInt(5); i > 0; i--) {
            if (object) {
                string(random, json);
                json.append(" : ");
            }
            value(random, depth + 1, json);
            json.append(i > 1 ? ", " : " ");
        }
        json.append(object ? '}' : ']');
    }

    private static void string(Random random, StringBuilder json) {
        String[] parts = {"plain text", "\\\"", "\\\\", "{", "]", "ž", "\\u00e9", ", ", ":"};
        json.append('"');
        int most = random.nextInt(8) == 0 ? 100 : 12; // some are longer than what is looked at in one step
        for (int i = random.nextInt(most); i > 0; i--) {
            json.append(parts[random.nextInt(parts.length)]);
        }
        json.append('"');
    }
}
