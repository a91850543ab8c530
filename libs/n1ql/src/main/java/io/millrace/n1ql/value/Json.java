package io.millrace.n1ql.value;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads JSON text. Objects are kept as bytes and read when they are asked. */
public final class Json {

    private Json() {}

    /** Reads a whole text and checks all of it; null when it is not JSON. */
    public static @Nullable Value parse(byte[] text) {
        int end = JsonScan.validEnd(text);
        return end < 0 ? null : valueAt(text, JsonScan.skipSpace(text, 0));
    }

    public static @Nullable Value parse(String text) {
        return parse(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Wraps bytes that are known to be JSON; an object is read only as far as it is asked. */
    public static Value trusted(byte[] text) {
        int start = JsonScan.skipSpace(text, 0);
        return start == text.length ? Value.MISSING : valueAt(text, start);
    }

    /** Reads the value that starts at a position, which is no space. */
    static Value valueAt(byte[] text, int start) {
        return switch (text[start]) {
            case '{' -> new JsonObject(text, start);
            case '[' -> array(text, start);
            case '"' -> Value.of(JsonScan.string(text, start, JsonScan.skip(text, start)));
            case 't' -> Value.TRUE;
            case 'f' -> Value.FALSE;
            case 'n' -> Value.NULL;
            default -> number(text, start, JsonScan.skip(text, start));
        };
    }

    private static Value number(byte[] text, int start, int end) {
        int at = text[start] == '-' ? start + 1 : start;
        if (end - at < 18) {
            long digits = 0;
            int i = at;
            while (i < end && text[i] >= '0' && text[i] <= '9') {
                digits = digits * 10 + text[i++] - '0';
            }
            if (i == end && !(digits == 0 && at > start)) {
                return NumberValue.of(at > start ? -digits : digits);
            }
        }
        return NumberValue.parse(new String(text, start, end - start, StandardCharsets.US_ASCII));
    }

    private static Value array(byte[] text, int start) {
        List<Value> items = new ArrayList<>();
        int at = JsonScan.skipSpace(text, start + 1);
        while (text[at] != ']') {
            items.add(valueAt(text, at));
            at = JsonScan.skipSpace(text, JsonScan.skip(text, at));
            if (text[at] == ',') {
                at = JsonScan.skipSpace(text, at + 1);
            }
        }
        return ArrayValue.of(items);
    }
}
