package io.millrace.handler;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes JSON texts of every spelling, the same ones for the same seed. */
final class RandomJson {
    private static final String[] NUMBERS = {
        "0",
        "-0",
        "1",
        "-1",
        "1.0",
        "1e2",
        "1E+2",
        "-2.50e-3",
        "0.1",
        "123456789",
        "1234567890",
        "12345678901234567890",
        "9007199254740993",
        "1e400",
        "5e-324",
        "0.30000000000000004",
        "100000000000000000000000",
        "1.7976931348623157e308",
        "999999999999999",
        "1234567.8901234567",
        "2147483648",
        "-2147483648",
        "0.000001",
        "1e-7"
    };
    private static final String[] PIECES = {
        "a",
        "key",
        "\\n",
        "\\\"",
        "\\\\",
        "\\/",
        "\\u00e9",
        "\\u0041",
        "\u00e9",
        "\u20ac",
        "\ud83d\ude00",
        "\\ud83d\\ude00",
        "\\ud800",
        " ",
        "0",
        "12",
        "__proto__",
        "toJSON",
        "length",
        "\u007f",
        "\u2028"
    };
    private final Random random;

    RandomJson(long seed) {
        this.random = new Random(seed);
    }

    String object() {
        return object(4);
    }

    private String value(int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 5)) {
            case 0 -> "null";
            case 1 -> random.nextBoolean() ? "true" : "false";
            case 2, 3 -> NUMBERS[random.nextInt(NUMBERS.length)];
            case 4 -> string();
            case 5 -> array(depth - 1);
            default -> object(depth - 1);
        };
    }

    private String object(int depth) {
        var members = new ArrayList<String>();
        for (int i = random.nextInt(12); i > 0; i--) {
            members.add(space() + string() + space() + ":" + space() + value(depth) + space());
        }
        return "{" + joined(members) + "}";
    }

    private String array(int depth) {
        var elements = new ArrayList<String>();
        for (int i = random.nextInt(6); i > 0; i--) {
            elements.add(space() + value(depth) + space());
        }
        return "[" + joined(elements) + "]";
    }

    private String joined(List<String> parts) {
        return parts.isEmpty() ? space() : String.join(",", parts);
    }

    private String string() {
        var text = new StringBuilder("\"");
        for (int i = random.nextInt(3); i >= 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.append('"').toString();
    }

    private String space() {
        return switch (random.nextInt(8)) {
            case 0 -> " ";
            case 1 -> "\n\t";
            default -> "";
        };
    }
}
