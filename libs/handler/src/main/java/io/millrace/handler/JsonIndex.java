package io.millrace.handler;

import java.util.Arrays;

/**
 * Where the values of a JSON text are, found in one pass that also proves the text well-formed (RFC 8259). Decodes
 * nothing: that is left to whoever touches a value.
 *
 * <p>The entries lie in one array in the order of the text. A scalar takes two slots, {@code kind << 28 | start} and
 * {@code end}; an array or object takes four, the third being the slot after its last descendant and the fourth the
 * number of its elements or members. A member is the entry of its key followed by that of its value.
 */
final class JsonIndex {
    static final int NULL = 0;
    static final int TRUE = 1;
    static final int FALSE = 2;
    /** A number of at most nine digits without sign of zero, fraction and exponent. */
    static final int SMALL_INTEGER = 3;

    static final int NUMBER = 4;
    /** A string without escapes, all of it ASCII. */
    static final int PLAIN_STRING = 5;

    static final int STRING = 6;
    static final int ARRAY = 7;
    static final int OBJECT = 8;

    private static final int KIND_SHIFT = 28;
    private static final int START_MASK = (1 << KIND_SHIFT) - 1;

    final byte[] text;
    private int[] slots;
    private int size;
    private int lastEntry;
    private boolean spaced;

    private JsonIndex(byte[] text) {
        this.text = text;
        this.slots = new int[Math.max(16, text.length / 6)];
    }

    /** Indexes a text, which must not change afterwards. */
    static JsonIndex of(byte[] text) throws MalformedJson {
        if (text.length > START_MASK) {
            throw MalformedJson.at(START_MASK, "Longer than can be indexed");
        }
        var index = new JsonIndex(text);
        index.scan();
        return index;
    }

    int kind(int slot) {
        return slots[slot] >>> KIND_SHIFT;
    }

    int start(int slot) {
        return slots[slot] & START_MASK;
    }

    int end(int slot) {
        return slots[slot + 1];
    }

    int next(int slot) {
        return kind(slot) >= ARRAY ? slots[slot + 2] : slot + 2;
    }

    int count(int slot) {
        return slots[slot + 3];
    }

    int firstChild(int slot) {
        return slot + 4;
    }

    /** Returns whether there is white space between any two tokens. */
    boolean spaced() {
        return spaced;
    }

    private void scan() throws MalformedJson {
        int[] open = new int[16];
        int depth = 0;
        int at = skipSpace(0);
        while (true) {
            // a value begins at `at`
            at = value(at);
            int latest = lastEntry;
            int kind = kind(latest);
            if (kind >= ARRAY) {
                at = skipSpace(at);
                if (byteAt(at) == (kind == ARRAY ? ']' : '}')) {
                    at = close(latest, at);
                } else {
                    if (depth == HandlerLimits.DOCUMENT_NESTING_LEVELS) {
                        throw MalformedJson.tooDeep(at);
                    }
                    if (depth == open.length) {
                        open = Arrays.copyOf(open, depth * 2);
                    }
                    open[depth++] = latest;
                    slots[latest + 3] = 1;
                    at = kind == OBJECT ? key(at) : at;
                    continue;
                }
            }
            // a value ended before `at`
            while (true) {
                at = skipSpace(at);
                if (depth == 0) {
                    if (at != text.length) {
                        throw unexpected(at);
                    }
                    return;
                }
                int container = open[depth - 1];
                int b = byteAt(at);
                if (b == ',') {
                    slots[container + 3]++;
                    at = skipSpace(at + 1);
                    at = kind(container) == OBJECT ? key(at) : at;
                    break;
                }
                if (b != (kind(container) == ARRAY ? ']' : '}')) {
                    throw unexpected(at);
                }
                at = close(container, at);
                depth--;
            }
        }
    }

    private int close(int container, int at) {
        slots[container + 1] = at + 1;
        slots[container + 2] = size;
        return at + 1;
    }

    private int key(int at) throws MalformedJson {
        if (byteAt(at) != '"') {
            throw unexpected(at);
        }
        int after = skipSpace(string(at));
        if (byteAt(after) != ':') {
            throw unexpected(after);
        }
        return skipSpace(after + 1);
    }

    /** Enters the value that begins here; of an array or object only its bracket. */
    private int value(int at) throws MalformedJson {
        int b = byteAt(at);
        return switch (b) {
            case '"' -> string(at);
            case '{' -> enterContainer(OBJECT, at);
            case '[' -> enterContainer(ARRAY, at);
            case 't' -> literal(TRUE, at, "true");
            case 'f' -> literal(FALSE, at, "false");
            case 'n' -> literal(NULL, at, "null");
            default -> number(at);
        };
    }

    private int enterContainer(int kind, int at) {
        reserve(4);
        lastEntry = size;
        slots[size] = kind << KIND_SHIFT | at;
        slots[size + 3] = 0;
        size += 4;
        return at + 1;
    }

    private int enter(int kind, int start, int end) {
        reserve(2);
        lastEntry = size;
        slots[size] = kind << KIND_SHIFT | start;
        slots[size + 1] = end;
        size += 2;
        return end;
    }

    private void reserve(int more) {
        if (size + more > slots.length) {
            slots = Arrays.copyOf(slots, slots.length * 2 + 4);
        }
    }

    private int literal(int kind, int at, String word) throws MalformedJson {
        int end = at + word.length();
        for (int i = 1; i < word.length(); i++) {
            if (byteAt(at + i) != word.charAt(i)) {
                throw unexpected(at + i);
            }
        }
        return enter(kind, at, end);
    }

    private int string(int start) throws MalformedJson {
        byte[] t = text;
        int at = start + 1;
        int seen = 0;
        boolean escaped = false;
        while (at < t.length) {
            byte b = t[at];
            if (b == '"') {
                return enter(escaped || seen < 0 ? STRING : PLAIN_STRING, start, at + 1);
            }
            if (b == '\\') {
                escaped = true;
                at = escape(at);
            } else {
                if (b >= 0 && b < ' ') {
                    throw MalformedJson.at(at, "Control character in a string");
                }
                seen |= b;
                at++;
            }
        }
        throw unexpected(at);
    }

    private int escape(int at) throws MalformedJson {
        switch (byteAt(at + 1)) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                return at + 2;
            }
            case 'u' -> {
                for (int i = 2; i < 6; i++) {
                    if (Character.digit(byteAt(at + i), 16) < 0) {
                        throw unexpected(at + i);
                    }
                }
                return at + 6;
            }
            default -> throw unexpected(at + 1);
        }
    }

    private int number(int start) throws MalformedJson {
        int at = byteAt(start) == '-' ? start + 1 : start;
        int first = byteAt(at);
        int afterDigits = digits(at);
        if (first == '0' && afterDigits > at + 1) {
            throw unexpected(at + 1);
        }
        int end = afterDigits;
        if (peek(end) == '.') {
            end = digits(end + 1);
        }
        if ((peek(end) | 0x20) == 'e') {
            int sign = peek(end + 1);
            end = digits(sign == '+' || sign == '-' ? end + 2 : end + 1);
        }
        boolean small = end == afterDigits && afterDigits - at <= 9 && !(first == '0' && at > start);
        return enter(small ? SMALL_INTEGER : NUMBER, start, end);
    }

    private int digits(int start) throws MalformedJson {
        int at = start;
        while (at < text.length && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        if (at == start) {
            throw unexpected(at);
        }
        return at;
    }

    private int skipSpace(int start) {
        byte[] t = text;
        int at = start;
        while (at < t.length && t[at] <= ' ' && (t[at] == ' ' || t[at] == '\n' || t[at] == '\r' || t[at] == '\t')) {
            at++;
        }
        spaced |= at > start;
        return at;
    }

    private int peek(int at) {
        return at < text.length ? text[at] : -1;
    }

    private int byteAt(int at) throws MalformedJson {
        if (at >= text.length) {
            throw unexpected(at);
        }
        return text[at];
    }

    private MalformedJson unexpected(int at) {
        if (at >= text.length) {
            return MalformedJson.at(text.length, "Unexpected end of JSON");
        }
        int b = text[at];
        String shown = b > ' ' && b < 0x7f ? "'" + (char) b + "'" : "byte 0x%02x".formatted(b & 0xff);
        return MalformedJson.at(at, "Unexpected " + shown);
    }
}
