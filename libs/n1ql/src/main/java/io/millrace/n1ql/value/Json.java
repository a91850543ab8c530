package io.millrace.n1ql.value;

import io.millrace.json.JsonCursor;
import io.millrace.json.JsonScanner;
import io.millrace.json.JsonSkip;
import io.millrace.json.MalformedJson;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads JSON text. Objects and arrays are kept as bytes and parsed on access. */
public final class Json {

    private Json() {}

    /** Parses and validates a whole text; returns null if it is not JSON. */
    public static @Nullable Value parse(byte[] text) {
        try {
            JsonCursor.check(text);
        } catch (MalformedJson e) {
            return null;
        }
        return trusted(text);
    }

    public static @Nullable Value parse(String text) {
        return parse(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Wraps bytes that are known to be JSON; an object or array is parsed on access. */
    public static Value trusted(byte[] text) {
        int start = JsonSkip.blanks(text, 0, text.length);
        return start == text.length ? Value.MISSING : valueAt(text, start);
    }

    /** Wraps bytes that are known to be JSON and to have their fields in these places. */
    public static Value trusted(byte[] text, @Nullable FieldPlaces places) {
        return places == null ? trusted(text) : new JsonObject(text, JsonSkip.blanks(text, 0, text.length), places);
    }

    /** Reads the value that starts at a position, which must not be white space. */
    static Value valueAt(byte[] text, int start) {
        return switch (text[start]) {
            case '{' -> new JsonObject(text, start);
            case '[' -> ArrayValue.of(new JsonItems(text, start));
            default -> scalar(text, start, skip(text, start));
        };
    }

    /** Reads a value that is neither an object nor an array. */
    static Value scalar(byte[] text, int start, int end) {
        return switch (text[start]) {
            case '"' -> Value.of(JsonScanner.decode(text, start + 1, end - 1));
            case 't' -> Value.TRUE;
            case 'f' -> Value.FALSE;
            case 'n' -> Value.NULL;
            default -> number(text, start, end);
        };
    }

    /** Returns the position after the value that starts here. */
    static int skip(byte[] text, int start) {
        return JsonSkip.value(text, start, text.length, 0, JsonSkip.ANY_DEPTH);
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
}
