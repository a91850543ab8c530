package io.millrace.json;

import java.nio.charset.StandardCharsets;

/**
 * Walks over one JSON text (RFC 8259, UTF-8) in a byte array, strictly: no comments, no byte order mark, no malformed
 * UTF-8, nothing after the value. Names may repeat, and numbers may have any length, as the RFC allows.
 *
 * <p>{@link #check} is all that a document needs. The other methods walk over objects and arrays and give the positions
 * of their values, so that a value can be cut out exactly as it was spelt. Not thread-safe; of no use after an
 * exception.
 */
public final class JsonCursor {

    private final byte[] text;
    private final int end;
    private final JsonScanner scanner;
    private int at;
    private boolean firstMember;

    /** Opens a cursor on {@code text[from]} to {@code text[to - 1]}. */
    public JsonCursor(byte[] text, int from, int to) {
        this(text, from, to, true);
    }

    private JsonCursor(byte[] text, int from, int to, boolean checksUnicodeEscapes) {
        this.text = text;
        this.end = to;
        this.at = from;
        this.scanner = new JsonScanner(text, from, to, checksUnicodeEscapes);
    }

    /** Opens a cursor on a text in which the four digits of an escape ({@code \}{@code u}) may be missing or wrong. */
    public static JsonCursor lenient(byte[] text) {
        return new JsonCursor(text, 0, text.length, false);
    }

    /** Returns if the array is one JSON value with nothing but white space around it. */
    public static void check(byte[] text) throws MalformedJson {
        JsonCursor cursor = new JsonCursor(text, 0, text.length);
        cursor.skipValue();
        cursor.end();
    }

    /** Returns the index of the next byte of the array. */
    public int position() {
        return at;
    }

    /** Steps into an object; the value that follows must be one. */
    public void beginObject() throws MalformedJson {
        begin('{', "an object");
    }

    /** Steps into an array; the value that follows must be one. */
    public void beginArray() throws MalformedJson {
        begin('[', "an array");
    }

    private void begin(char bracket, String expected) throws MalformedJson {
        at = scanner.blanks(at);
        if (scanner.byteAt(at) != bracket) {
            throw scanner.unexpected(at, expected);
        }
        at++;
        firstMember = true;
    }

    /**
     * Returns true when the object has one more member and the cursor stands at its name, or false when the cursor has
     * just left the object. The name and the value have to be read in between.
     */
    public boolean nextMember() throws MalformedJson {
        boolean first = firstMember;
        if (!next('}', "',' or '}'")) {
            return false;
        }
        at = scanner.blanks(at);
        if (scanner.byteAt(at) != '"') {
            throw scanner.unexpected(at, first ? "a name in quotes or '}'" : "a name in quotes");
        }
        return true;
    }

    /**
     * Returns true when the array has one more element, which has to be read next, or false when the cursor has just
     * left the array.
     */
    public boolean nextElement() throws MalformedJson {
        return next(']', "',' or ']'");
    }

    private boolean next(char bracket, String expected) throws MalformedJson {
        at = scanner.blanks(at);
        boolean first = firstMember;
        firstMember = false;
        if (scanner.byteAt(at) == bracket) {
            at++;
            return false;
        }
        if (!first && !skipComma()) {
            throw scanner.unexpected(at, expected);
        }
        return true;
    }

    /** Reads the name of a member and the colon after it. */
    public String readName() throws MalformedJson {
        String name = readString();
        at = colon(at);
        return name;
    }

    /** Reads a string and resolves its escapes; a lone surrogate stays one. */
    public String readString() throws MalformedJson {
        if (peek() != '"') {
            throw scanner.unexpected(at, "a string");
        }
        int from = at + 1;
        int behind = scanner.string(at);
        at = JsonScanner.behind(behind);
        return behind >= 0
                ? new String(text, from, at - 1 - from, StandardCharsets.ISO_8859_1)
                : JsonScanner.decode(text, from, at - 1);
    }

    /** Returns the first byte of the next value, which decides its type; the cursor then stands at it. */
    public byte peek() throws MalformedJson {
        at = scanner.blanks(at);
        if (at == end) {
            throw scanner.unexpected(at, "a value");
        }
        return text[at];
    }

    /**
     * Skips white space and one value of any kind.
     *
     * @return how many levels the value has: 1 for a scalar or an empty container, one more for each container around
     *     it
     */
    public int skipValue() throws MalformedJson {
        long[] inObject = new long[(JsonLimits.MAX_DEPTH_LEVELS + 63) >> 6];
        int depth = 0;
        int levels = 1;
        int i = at;
        while (true) {
            i = scanner.blanks(i);
            byte first = scanner.byteAt(i);
            levels = Math.max(levels, depth + 1);
            if (first == '{' || first == '[') {
                boolean object = first == '{';
                if (depth == JsonLimits.MAX_DEPTH_LEVELS) {
                    throw scanner.tooDeep(i + 1);
                }
                i = scanner.blanks(i + 1);
                if (scanner.byteAt(i) == (object ? '}' : ']')) {
                    i++;
                } else {
                    mark(inObject, depth++, object);
                    i = object ? name(i, "a name in quotes or '}'") : i;
                    continue;
                }
            } else {
                i = scanner.scalar(i);
            }
            // leaves the arrays and objects that end here
            while (depth > 0) {
                i = scanner.blanks(i);
                boolean object = (inObject[(depth - 1) >> 6] >>> (depth - 1) & 1) != 0;
                byte next = scanner.byteAt(i);
                if (next == ',') {
                    i = object ? name(scanner.blanks(i + 1), "a name in quotes") : i + 1;
                    break;
                }
                if (next != (object ? '}' : ']')) {
                    throw scanner.unexpected(i, object ? "',' or '}'" : "',' or ']'");
                }
                i++;
                depth--;
            }
            if (depth == 0) {
                at = i;
                return levels;
            }
        }
    }

    private static void mark(long[] bits, int index, boolean value) {
        if (value) {
            bits[index >> 6] |= 1L << index;
        } else {
            bits[index >> 6] &= ~(1L << index);
        }
    }

    private int name(int first, String expected) throws MalformedJson {
        if (scanner.byteAt(first) != '"') {
            throw scanner.unexpected(first, expected);
        }
        return colon(JsonScanner.behind(scanner.string(first)));
    }

    private int colon(int from) throws MalformedJson {
        int colon = scanner.blanks(from);
        if (scanner.byteAt(colon) != ':') {
            throw scanner.unexpected(colon, "':'");
        }
        return colon + 1;
    }

    /** Returns whether a comma comes next, and goes over it. */
    public boolean skipComma() {
        at = scanner.blanks(at);
        boolean comma = scanner.byteAt(at) == ',';
        at += comma ? 1 : 0;
        return comma;
    }

    /** Returns if nothing but white space is left. */
    public void end() throws MalformedJson {
        at = scanner.blanks(at);
        if (at != end) {
            throw scanner.unexpected(at, "the end");
        }
    }
}
