package io.millrace.n1ql.plan.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyEncodingTest {

    private static final int MOST_DEPTH = 3;

    private final Random random = new Random(5);

    private String value(int depth) {
        return switch (random.nextInt(depth < MOST_DEPTH ? 9 : 6)) {
            case 0 -> List.of("null", "true", "false").get(random.nextInt(3));
            case 1 -> String.valueOf(random.nextInt(5) - 2);
            case 2 -> String.valueOf(random.nextLong() >> random.nextInt(64));
            case 3 -> String.valueOf((random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(40) - 20));
            case 4 ->
                List.of("9007199254740993", "-9007199254740993", "1e300", "0", "-0.0", "9223372036854775807")
                        .get(random.nextInt(6));
            case 5 -> text();
            case 6, 7 -> {
                List<String> items = new ArrayList<>();
                for (int i = random.nextInt(3); i > 0; i--) {
                    items.add(value(depth + 1));
                }
                yield items.toString();
            }
            default -> {
                List<String> fields = new ArrayList<>();
                for (String name : List.of("a", "b", "a\\u0000", "c").subList(0, random.nextInt(4))) {
                    fields.add("\"" + name + "\":" + value(depth + 1));
                }
                yield "{" + String.join(",", fields) + "}";
            }
        };
    }

    private String text() {
        StringBuilder text = new StringBuilder("\"");
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(List.of("a", "b", "\\u0000", "\\u0001", "\u00FF", "\uFFFD", "\uD83D\uDE00")
                    .get(random.nextInt(7)));
        }
        return text.append('"').toString();
    }

    private static Value parse(String json) {
        return Objects.requireNonNull(Json.parse(json), json);
    }

    @Test
    void bytes_haveTheOrderOfTheValues() {
        List<Value> values = new ArrayList<>(List.of(Value.MISSING));
        for (int i = 0; i < 400; i++) {
            values.add(parse(value(0)));
        }
        for (Value left : values) {
            for (Value right : values) {
                int byValue = Integer.signum(left.compareTo(right));
                int byBytes = Integer.signum(Arrays.compareUnsigned(KeyEncoding.of(left), KeyEncoding.of(right)));
                if (byValue != 0 || KeyEncoding.isExact(left) && KeyEncoding.isExact(right)) {
                    assertThat(byBytes).as("%s and %s", left, right).isEqualTo(byValue);
                }
            }
        }
    }

    @Test
    void bytes_areNeverAPrefixOfOthers() {
        for (int i = 0; i < 5000; i++) {
            byte[] left = KeyEncoding.of(parse(value(0)));
            byte[] right = KeyEncoding.of(parse(value(0)));
            if (left.length < right.length) {
                assertThat(Arrays.copyOf(right, left.length)).isNotEqualTo(left);
            }
        }
    }

    @Test
    void values_roundTrip() {
        for (int i = 0; i < 5000; i++) {
            Value value = parse(value(0));
            boolean inverted = random.nextBoolean();
            byte[] bytes = KeyEncoding.of(value);

            Value read = new KeyEncoding.Reader(inverted ? KeyEncoding.inverted(bytes) : bytes).value(inverted);

            assertThat(read).as(value.toJson()).isEqualTo(value);
        }
    }
}
