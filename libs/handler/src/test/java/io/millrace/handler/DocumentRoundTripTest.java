package io.millrace.handler;

import static io.millrace.handler.Fixture.meta;
import static io.millrace.handler.Fixture.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.json.JsonLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentRoundTripTest {
    private static final long SEED = 20260101;
    private static final int DOCUMENTS = 400;

    private static final String WALK = """
            function walk(value) {
              if (typeof value === 'object' && value !== null) {
                for (const key of Object.keys(value)) walk(value[key]);
                JSON.stringify(value);
              }
              return value;
            }
            """;

    @Test
    void document_thatIsOnlyLookedAt_keepsEveryByte() {
        var fixture = new Fixture();

        fixture.with(
                WALK + "function OnUpdate(doc) { b.at_once = doc; b.walked = walk(doc); b.read = walk(b.at_once); }",
                thread -> {
                    for (String json : documents()) {
                        assertThat(thread.onUpdate(meta("x"), utf8(json), null))
                                .isInstanceOf(InvocationResult.Success.class);

                        assertThat(fixture.host.text("b", "at_once")).isEqualTo(json);
                        assertThat(fixture.host.text("b", "walked")).isEqualTo(json);
                        assertThat(fixture.host.text("b", "read")).isEqualTo(json);
                    }
                    return thread;
                });
    }

    @Test
    void document_insideOtherValues_keepsEveryByte() {
        var fixture = new Fixture();

        fixture.with("""
                function OnUpdate(doc, meta) {
                  const other = b.other;
                  other.nested = {list: [doc], when: new Date(0)};
                  b.result = other;
                }""", thread -> {
            for (String json : documents()) {
                fixture.host.put("b", "other", "{ \"n\" : 1.0 }");
                assertThat(thread.onUpdate(meta("x"), utf8(json), null)).isInstanceOf(InvocationResult.Success.class);

                assertThat(fixture.host.text("b", "result"))
                        .isEqualTo("{\"n\":1.0,\"nested\":{\"list\":[" + json
                                + "],\"when\":\"1970-01-01T00:00:00.000Z\"}}");
            }
            return thread;
        });
    }

    @Test
    void change_meansTheSameAsToPlainObjects() {
        String code = WALK + """
                  function OnUpdate(doc, meta) {
                    let seed = meta.vb;
                    const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
                    for (let i = 0; i < 4; i++) change(doc, random);
                    b.result = doc;
                    b.keys = walkKeys(doc);
                  }
                  function change(value, random) {
                    const keys = Object.keys(value);
                    const key = keys.length === 0 ? 0 : keys[random(keys.length)];
                    const child = value[key];
                    if (typeof child === 'object' && child !== null && random(3) > 0) return change(child, random);
                    switch (random(Array.isArray(value) ? 4 : 6)) {
                      case 0: value[key] = {new: [1.5, 'x\\n\\u00e9', null]}; break;
                      case 1: value[key] = child; break;
                      case 2: value[key] = [child, random(100)]; break;
                      case 3: if (Array.isArray(value)) value.push(value.shift()); else delete value[key]; break;
                      case 4: value[String(random(20))] = key; break;
                      default: value['added' + random(3)] = 1 / (1 + random(9));
                    }
                  }
                  function walkKeys(value) {
                    if (typeof value !== 'object' || value === null) return typeof value;
                    return Object.keys(value).map((key) => [String(key), walkKeys(value[key])]);
                  }
                  """;

        assertThat(results(false, code)).isEqualTo(results(true, code));
    }

    private static List<String> results(boolean strict, String code) {
        var fixture = new Fixture().strict(strict);
        var normalizer = new Fixture().strict(true);
        var results = new ArrayList<String>();
        fixture.with(code, thread -> {
            int seed = 0;
            for (String json : documents()) {
                var meta = new EventMeta("", "", "", "", 0, seed++, 0, 0, 0, false);
                assertThat(thread.onUpdate(meta, utf8(json), null)).isInstanceOf(InvocationResult.Success.class);
                results.add(fixture.host.text("b", "result"));
                results.add(fixture.host.text("b", "keys"));
            }
            return thread;
        });
        return normalizer.with(
                "function OnUpdate(doc) { b.x = doc; }",
                thread -> results.stream()
                        .map(json -> {
                            thread.onUpdate(meta("x"), utf8(json), null);
                            return String.valueOf(normalizer.host.text("b", "x"));
                        })
                        .toList());
    }

    @Test
    void views_acceptUtf8ThatJsonParseAccepts() {
        var random = new Random(SEED);
        List<byte[]> damaged = new ArrayList<>();
        for (String json : documents()) {
            byte[] text = utf8(json);
            text[random.nextInt(text.length)] = (byte) "{}[]\",:0-.eEtnu\\ \u0001a".charAt(random.nextInt(19));
            damaged.add(text);
        }

        List<Boolean> parsed = accepted(new Fixture().strict(true), damaged);
        List<Boolean> viewed = accepted(new Fixture(), damaged);

        for (int i = 0; i < damaged.size(); i++) {
            assertThat(viewed.get(i))
                    .as(new String(damaged.get(i), StandardCharsets.UTF_8))
                    .isEqualTo(parsed.get(i) && isUtf8(damaged.get(i)));
        }
        assertThat(parsed.stream().filter(accepted -> accepted).count())
                .isBetween(DOCUMENTS / 20L, DOCUMENTS * 19L / 20);
    }

    private static List<Boolean> accepted(Fixture fixture, List<byte[]> documents) {
        return fixture.with(
                "function OnUpdate(doc) {}",
                thread -> documents.stream()
                        .map(document -> thread.onUpdate(meta("x"), document, null) instanceof InvocationResult.Success)
                        .toList());
    }

    private static boolean isUtf8(byte[] text) {
        return Arrays.equals(new String(text, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "doc.n = 2                   | {\"n\":2,\"big\":12345678901234567890,\"list\":[1.0,  2e0],\"o\":{ \"k\" : 1.50 }}",
                "doc.list.push(3)            | {\"n\":1.00,\"big\":12345678901234567890,\"list\":[1.0,2e0,3],\"o\":{ \"k\" : 1.50 }}",
                "doc.o.x = doc.list          | {\"n\":1.00,\"big\":12345678901234567890,\"list\":[1.0,  2e0],\"o\":{\"k\":1.50,\"x\":[1.0,  2e0]}}",
                "delete doc.list; doc.n + doc.big | {\"n\":1.00,\"big\":12345678901234567890,\"o\":{ \"k\" : 1.50 }}"
            })
    void change_leavesTheSpellingOfAllElse(String change, String expected) {
        var fixture = new Fixture();

        fixture.update(
                "function OnUpdate(doc) { " + change + "; b.x = doc; }",
                "{\"n\": 1.00, \"big\": 12345678901234567890, \"list\": [1.0,  2e0], \"o\": { \"k\" : 1.50 }}");

        assertThat(fixture.host.text("b", "x")).isEqualTo(expected);
    }

    @Test
    void nesting_downToTheLimit_works() {
        int levels = JsonLimits.MAX_DEPTH_LEVELS;
        var fixture = new Fixture();
        String code = "function OnUpdate(doc) { let at = doc; while (at[0]) at = at[0]; at.push(1); b.x = doc; }";

        var deepest = fixture.update(code, "[".repeat(levels) + "]".repeat(levels));
        var tooDeep = fixture.update(code, "[".repeat(levels + 1) + "]".repeat(levels + 1));
        var absurd = fixture.update(code, "[".repeat(3_000_000));

        assertThat(deepest).isInstanceOf(InvocationResult.Success.class);
        assertThat(fixture.host.text("b", "x")).isEqualTo("[".repeat(levels) + "1" + "]".repeat(levels));
        assertThat(tooDeep.toString()).contains("nested deeper than 500 levels");
        assertThat(absurd.toString()).contains("nested deeper than 500 levels");
    }

    @Test
    void objectOfManyMembers_isSearchedByHash() {
        var json = new StringBuilder("{");
        for (int i = 0; i < 5000; i++) {
            json.append("\"member").append(i).append("\": ").append(i).append(',');
        }
        json.append("\"last\": true}");
        var fixture = new Fixture();

        var outcome = fixture.update("""
                function OnUpdate(doc) {
                  let sum = 0;
                  for (let i = 0; i < 5000; i++) sum += doc[`member${i}`];
                  for (let i = 0; i < 5000; i += 2) { doc[`member${i}`]++; doc[`more${i}`] = i; doc[i] = 1; }
                  delete doc.member7;
                  log(sum, Object.keys(doc).length, doc.member7, doc.member8, doc.more8, doc.last, Object.keys(doc)[1]);
                }""", json.toString());

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(fixture.host.lines).containsExactly("INFO 12497500 10000 undefined 9 8 true \"2\"");
    }

    private static List<String> documents() {
        var random = new RandomJson(SEED);
        var documents = new ArrayList<String>();
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(random.object());
        }
        return documents;
    }
}
