package io.millrace.subdoc;

import io.millrace.subdoc.TreeOracle.Step;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Generates documents, with paths and values that match them. */
final class RandomJson {

    private static final List<String> NAMES = List.of(
            "a", "b", "c", "key", "\\u0061", "q\\\"", "x\\/y", "d.o", "[0]", "t`k", "é", "\\u00e9\\ud834\\udd1e");
    private static final List<String> SCALARS = List.of(
            "0",
            "-0",
            "1",
            "-17",
            "3.25",
            "1e3",
            "9223372036854775807",
            "-9223372036854775808",
            "18446744073709551616",
            "true",
            "false",
            "null",
            "\"\"",
            "\"s\"",
            "\"]}\"",
            "\"\\\\\"",
            "\"\\\"{[\"",
            "\"\\u0041,\"");
    private static final List<String> WRONG_VALUES = List.of(
            "",
            " ",
            "tru",
            "01",
            "1 2",
            "{\"a\"}",
            "[1,]",
            ",1",
            "1,",
            "\"\\x\"",
            "\"\\u00\"",
            "1,\"k\":2",
            "}",
            "\"a\nb\"",
            "\u0001");

    private final Random random;

    RandomJson(long seed) {
        random = new Random(seed);
        random.nextLong();
    }

    boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    String document() {
        StringBuilder text = new StringBuilder();
        blanks(text);
        if (chance(30)) {
            text.append(oneOf(SCALARS));
        } else {
            container(text, 1 + random.nextInt(5));
        }
        blanks(text);
        return text.toString();
    }

    private void value(StringBuilder text, int levels) {
        blanks(text);
        if (levels > 0 && !chance(3)) {
            container(text, levels);
        } else if (chance(8)) {
            longString(text);
        } else {
            text.append(oneOf(SCALARS));
        }
        blanks(text);
    }

    private void container(StringBuilder text, int levels) {
        boolean object = chance(2);
        int entries = random.nextInt(5);
        text.append(object ? '{' : '[');
        blanks(text);
        for (int i = 0; i < entries; i++) {
            text.append(i == 0 ? "" : ",");
            if (object) {
                blanks(text);
                text.append('"').append(oneOf(NAMES)).append('"');
                blanks(text);
                text.append(':');
            }
            value(text, levels - 1);
        }
        text.append(object ? '}' : ']');
    }

    private void longString(StringBuilder text) {
        text.append('"');
        for (int i = random.nextInt(150); i > 0; i--) {
            text.append(oneOf(List.of("x", "\\\"", "\\\\", "{", "]", ",", "é", " ")));
        }
        text.append('"');
    }

    private void blanks(StringBuilder text) {
        for (int i = chance(4) ? random.nextInt(4) : 0; i > 0; i--) {
            text.append(oneOf(List.of(" ", "\n", "\t", "\r")));
        }
    }

    /** Returns a path that often exists in the document. */
    List<Step> path(Tree document, Operation operation) {
        List<Step> steps = new ArrayList<>();
        Tree here = document;
        int length = random.nextInt(5);
        for (int i = 0; i < length; i++) {
            boolean astray = chance(8);
            if (here instanceof Tree.Array array && !astray) {
                int size = array.elements().size();
                int index = chance(4) ? -1 : random.nextInt(size + 2);
                steps.add(Step.index(index));
                int real = index < 0 ? size - 1 : index;
                here = real >= 0 && real < size ? array.elements().get(real) : new Tree.Scalar("0");
            } else if (here instanceof Tree.Members object && !object.members().isEmpty() && !astray && !chance(5)) {
                String name = TreeOracle.unescaped(oneOf(object.members()).name());
                steps.add(Step.key(name));
                here = object.members().stream()
                        .filter(member -> TreeOracle.unescaped(member.name()).equals(name))
                        .findFirst()
                        .orElseThrow()
                        .value();
            } else {
                steps.add(chance(5) ? Step.index(random.nextInt(3)) : Step.key("new" + random.nextInt(3)));
                here = new Tree.Scalar("0");
            }
        }
        boolean wantsIndex = operation == Operation.ARRAY_INSERT && !chance(6);
        if (wantsIndex && (steps.isEmpty() || !steps.get(steps.size() - 1).isIndex())) {
            steps.add(Step.index(random.nextInt(4)));
        }
        return steps;
    }

    /** Returns one of the ways to write a path down. */
    String spelling(List<Step> steps) {
        StringBuilder path = new StringBuilder();
        for (Step step : steps) {
            if (step.isIndex()) {
                path.append(path.isEmpty() || chance(3) ? "" : ".");
                path.append('[')
                        .append(step.index() >= 0 && chance(10) ? "0" : "")
                        .append(step.index())
                        .append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".");
                String letters = step.key().replace("`", "``");
                boolean quoted = chance(4) || letters.matches(".*[.\\[\\]].*");
                path.append(quoted ? "`" + letters + "`" : letters);
            }
        }
        return path.append(!steps.isEmpty() && chance(20) ? "." : "").toString();
    }

    String value(Operation operation) {
        if (operation == Operation.COUNTER) {
            return oneOf(List.of(
                    "1", "-1", "42", "9223372036854775807", "-9223372036854775808", "0", "01", "1.0", "x", "-", "+1"));
        }
        if (chance(6)) {
            return oneOf(WRONG_VALUES.subList(1, WRONG_VALUES.size()));
        }
        StringBuilder text = new StringBuilder();
        boolean many = operation.value() == Operation.Value.MANY;
        for (int i = many ? random.nextInt(3) : 0; i >= 0; i--) {
            value(text, operation == Operation.ARRAY_ADD_UNIQUE && !chance(5) ? 0 : random.nextInt(3));
            text.append(i == 0 ? "" : ",");
        }
        return text.toString();
    }

    /** Returns a document with a piece missing or changed. */
    byte[] broken(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || chance(2)) {
            return cut(text);
        }
        bytes[random.nextInt(bytes.length)] =
                (byte) oneOf(List.of(0, 34, 44, 58, 91, 92, 93, 123, 125, 255)).intValue();
        return bytes;
    }

    /** Returns the beginning of a document. */
    byte[] cut(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    }

    byte[] noise() {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }
}
