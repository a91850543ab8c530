package io.millrace.handler.documents;

import io.millrace.json.JsonLimits;
import io.millrace.json.JsonScanner;
import io.millrace.json.MalformedJson;
import java.util.Arrays;

/**
 * The positions of the values of a JSON text, found in one pass that also checks that the text is well-formed. Decodes
 * nothing: a value is decoded when code reads it.
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
    private final JsonScanner scanner;
    private int[] slots;
    private int size;
    private int lastEntry;
    private boolean spaced;

    private JsonIndex(byte[] text) {
        this.text = text;
        this.scanner = new JsonScanner(text, 0, text.length);
        this.slots = new int[Math.max(16, text.length / 6)];
    }

    /** Indexes a text, which must not change afterwards. */
    static JsonIndex of(byte[] text) throws MalformedJson {
        if (text.length > START_MASK) {
            throw new IllegalArgumentException("A document of " + text.length + " bytes is longer than can be indexed");
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

    /**
     * Writes an entry as it is spelt.
     *
     * @param compact leaves out white space between tokens
     */
    void write(int slot, JsonWriter out, boolean compact) {
        if (!compact || !spaced || kind(slot) < ARRAY) {
            out.raw(text, start(slot), end(slot));
            return;
        }
        boolean object = kind(slot) == OBJECT;
        out.raw(object ? '{' : '[');
        int child = firstChild(slot);
        for (int i = 0; i < count(slot); i++) {
            if (i > 0) {
                out.raw(',');
            }
            if (object) {
                out.raw(text, start(child), end(child));
                out.raw(':');
                child = next(child);
            }
            write(child, out, true);
            child = next(child);
        }
        out.raw(object ? '}' : ']');
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
                if (depth == JsonLimits.MAX_DEPTH_LEVELS) {
                    throw scanner.tooDeep(at);
                }
                at = skipSpace(at);
                if (scanner.byteAt(at) == (kind == ARRAY ? ']' : '}')) {
                    at = close(latest, at);
                } else {
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
                        throw scanner.unexpected(at, "the end");
                    }
                    return;
                }
                int container = open[depth - 1];
                int b = scanner.byteAt(at);
                if (b == ',') {
                    slots[container + 3]++;
                    at = skipSpace(at + 1);
                    at = kind(container) == OBJECT ? key(at) : at;
                    break;
                }
                boolean array = kind(container) == ARRAY;
                if (b != (array ? ']' : '}')) {
                    throw scanner.unexpected(at, array ? "',' or ']'" : "',' or '}'");
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
        if (scanner.byteAt(at) != '"') {
            throw scanner.unexpected(at, "a name in quotes");
        }
        int after = skipSpace(string(at));
        if (scanner.byteAt(after) != ':') {
            throw scanner.unexpected(after, "':'");
        }
        return skipSpace(after + 1);
    }

    /** Enters the value that begins here; of an array or object only its bracket. */
    private int value(int at) throws MalformedJson {
        return switch (scanner.byteAt(at)) {
            case '"' -> string(at);
            case '{' -> enterContainer(OBJECT, at);
            case '[' -> enterContainer(ARRAY, at);
            case 't' -> enter(TRUE, at, scanner.word(at, "true"));
            case 'f' -> enter(FALSE, at, scanner.word(at, "false"));
            case 'n' -> enter(NULL, at, scanner.word(at, "null"));
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

    private int string(int start) throws MalformedJson {
        int end = scanner.string(start);
        return end >= 0 ? enter(PLAIN_STRING, start, end) : enter(STRING, start, ~end);
    }

    private int number(int start) throws MalformedJson {
        int end = scanner.number(start);
        return end >= 0 ? enter(SMALL_INTEGER, start, end) : enter(NUMBER, start, ~end);
    }

    private int skipSpace(int start) {
        int at = scanner.blanks(start);
        spaced |= at > start;
        return at;
    }
}
