package io.millrace.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

class JsonCursorTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "true",
                "false",
                "0",
                "-0",
                "1e3",
                "1E+400",
                "-12.50e-7",
                "123456789012345678901234567890",
                "\"\"",
                "\"\\u00e9\\n\\/\\\"\"",
                "\"\\ud800\"",
                " \t\r\n[ 1 , 2 ]\n",
                "{\"a\":{\"b\":[[],{},[{\"c\":1}]]},\"a\":2}",
                "\"žluť 水 𐍈\""
            })
    void check_wellFormed(String text) throws MalformedJson {
        JsonCursor.check(text.getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"a\":1,}|1|8",
                "{\"a\" 1}|1|6",
                "{a:1}|1|2",
                "[1 2]|1|4",
                "[1,]|1|4",
                "[,1]|1|2",
                "{]|1|2",
                "[1}|1|3",
                "01|1|2",
                "-|1|2",
                "1.|1|3",
                ".5|1|1",
                "+1|1|1",
                "1e|1|3",
                "tru|1|4",
                "nul1|1|4",
                "NaN|1|1",
                "'a'|1|1",
                "\"abc|1|5",
                "\"\\x\"|1|2",
                "\"\\u12g4\"|1|2",
                "{} {}|1|4",
                "1 2|1|3",
                "// c|1|1",
                "[\"žlutý\",]|1|10"
            })
    void check_malformed(String text, int line, int column) {
        var refused = catchThrowableOfType(MalformedJson.class, () -> JsonCursor.check(text.getBytes(UTF_8)));

        assertThat(refused).isNotNull();
        assertThat(List.of(refused.line(), refused.column())).containsExactly(line, column);
        assertThat(refused).hasMessageEndingWith("at line %d, column %d".formatted(line, column));
    }

    @Test
    void check_errorOnLaterLine() {
        var refused = catchThrowableOfType(
                MalformedJson.class, () -> JsonCursor.check("{\n  \"a\": 1,\n  \"ž\": oops\n}".getBytes(UTF_8)));

        assertThat(refused).hasMessage("Found 'o' where a value should be at line 3, column 8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\u0080\"",
                "\"\u00c0\u0080\"",
                "\"\u00c3\"",
                "\"\u00e0\u0080\u0080\"",
                "\"\u00ed\u00a0\u0080\"",
                "\"\u00f0\u0080\u0080\u0080\"",
                "\"\u00f4\u0090\u0080\u0080\"",
                "\"\u00f5\u0080\u0080\u0080\"",
                "\"\u00e2\u0082",
                "\u00ef\u00bb\u00bf{}"
            })
    void check_bytesThatAreNotUtf8(String bytes) {
        assertThatThrownBy(() -> JsonCursor.check(bytes.getBytes(ISO_8859_1))).isInstanceOf(MalformedJson.class);
    }

    @Test
    void check_utf16IsRefused() {
        assertThatThrownBy(() -> JsonCursor.check("{\"a\":1}".getBytes(UTF_16LE)))
                .isInstanceOf(MalformedJson.class);
    }

    @Test
    void check_nesting() throws MalformedJson {
        String deepest = "[".repeat(JsonLimits.MAX_DEPTH_LEVELS) + "]".repeat(JsonLimits.MAX_DEPTH_LEVELS);

        JsonCursor.check(deepest.getBytes(UTF_8));
        assertThatThrownBy(() -> JsonCursor.check(("[" + deepest + "]").getBytes(UTF_8)))
                .hasMessageContaining("deeper than 500 levels");
        assertThatThrownBy(() -> JsonCursor.check("[{\"a\":".repeat(100_000).getBytes(UTF_8)))
                .hasMessageContaining("deeper than 500 levels");
    }

    @Test
    void members_valuesKeepTheirSpelling() throws MalformedJson {
        byte[] text =
                "xx{ \"i\\u0064\" : \"k\\\"1\" , \"value\" : { \"n\": 1.50e+3 , \"s\":\"\\u00e9\"} }yy".getBytes(UTF_8);
        var cursor = new JsonCursor(text, 2, text.length - 2);
        List<String> seen = new ArrayList<>();

        cursor.beginObject();
        while (cursor.nextMember()) {
            String name = cursor.readName();
            cursor.peek();
            int from = cursor.position();
            cursor.skipValue();
            seen.add(name + "=" + new String(text, from, cursor.position() - from, UTF_8));
        }
        cursor.end();

        assertThat(seen).containsExactly("id=\"k\\\"1\"", "value={ \"n\": 1.50e+3 , \"s\":\"\\u00e9\"}");
    }

    @Test
    void readString_escapes() throws MalformedJson {
        byte[] text = "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00ž\"".getBytes(UTF_8);

        assertThat(new JsonCursor(text, 0, text.length).readString()).isEqualTo("a\"\\/\b\f\n\r\té😀ž");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"1 | 1", "{} | 1", "[ ] | 1", "[1] | 2", "{\"a\":[{},2]} | 3", "[[[[]]],[1]] | 4", "[[],1] | 2"})
    void skipValue_levels(String text, int levels) throws MalformedJson {
        byte[] bytes = text.getBytes(UTF_8);

        assertThat(new JsonCursor(bytes, 0, bytes.length).skipValue()).isEqualTo(levels);
    }

    @Test
    void check_nestingPastTheLimit_isTooDeepAndOtherDefectsAreNot() {
        int levels = JsonLimits.MAX_DEPTH_LEVELS + 1;
        var tooDeep = catchThrowableOfType(
                MalformedJson.class, () -> JsonCursor.check(("[".repeat(levels) + "]".repeat(levels)).getBytes(UTF_8)));
        var cut = catchThrowableOfType(MalformedJson.class, () -> JsonCursor.check("[[".getBytes(UTF_8)));

        assertThat(tooDeep.tooDeep()).isTrue();
        assertThat(cut.tooDeep()).isFalse();
    }

    @Test
    void lenient_doesNotCheckTheDigitsOfUnicodeEscapes() throws MalformedJson {
        byte[] text = "[\"\\u12g4\", \"\\u\"]".getBytes(UTF_8);

        JsonCursor lenient = JsonCursor.lenient(text);
        lenient.skipValue();
        lenient.end();

        assertThatThrownBy(() -> JsonCursor.check(text)).isInstanceOf(MalformedJson.class);
    }

    @Test
    void lenient_readsIncompleteUnicodeEscapes() throws MalformedJson {
        assertThat(lenientString("\\u12g4")).isEqualTo((char) 0x12 + "g4");
        assertThat(lenientString("\\u123\\\\")).isEqualTo((char) 0x123 + "\\");
        assertThat(lenientString("\\u\\n")).isEqualTo((char) 0 + "\n");
        assertThat(lenientString("a\\u")).isEqualTo("a" + (char) 0);
    }

    private static String lenientString(String letters) throws MalformedJson {
        return JsonCursor.lenient(('"' + letters + '"').getBytes(UTF_8)).readString();
    }

    /** Another strict parser must agree on texts with random damage. */
    @Test
    void check_agreesWithJackson() {
        var random = new Random(20_261_121);
        var factory = JsonFactory.builder().build();
        String seed =
                "{\"name\":\"Ünal \\u0041\\n\",\"n\":[-1.5e+10,0,12,true,false,null],\"o\":{\"\":{},\"x\":[[],\"\"]}}";
        byte[] marks = "{}[]\",:\\0129.eE+-tfnul \n\u007f".getBytes(UTF_8);
        int refusals = 0;
        for (int round = 0; round < 100_000; round++) {
            byte[] text = seed.getBytes(UTF_8);
            for (int damage = random.nextInt(4); damage > 0; damage--) {
                text[random.nextInt(text.length)] = marks[random.nextInt(marks.length)];
            }

            boolean ours = accepts(() -> JsonCursor.check(text));
            boolean theirs = accepts(() -> readAll(factory, text));

            if (ours != theirs) {
                fail("We %s, Jackson %s: %s", ours, theirs, new String(text, UTF_8));
            }
            refusals += ours ? 0 : 1;
        }
        assertThat(refusals).isBetween(25_000, 75_000);
    }

    private static void readAll(JsonFactory factory, byte[] text) {
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text)) {
            int depth = 0;
            int roots = 0;
            for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                roots += depth == 0 ? 1 : 0;
                if (token.isScalarValue()) {
                    parser.getString();
                }
            }
            if (roots != 1) {
                throw new IllegalStateException("one value, not " + roots);
            }
        }
    }

    private interface Reading {
        void run() throws MalformedJson;
    }

    private static boolean accepts(Reading reading) {
        try {
            reading.run();
            return true;
        } catch (MalformedJson | JacksonException | IllegalStateException e) {
            return false;
        }
    }
}
