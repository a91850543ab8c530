package io.millrace.subdocservice.json;

import java.nio.charset.StandardCharsets;

/**
 * Walks over one JSON text (RFC 8259, UTF-8) in a byte array, strictly: no comments, no byte order mark, no malformed
 * UTF-8, nothing after the value. Names may repeat, and numbers may have any length, as the RFC allows.
 *
 * <p>{@link #check} is all that a document needs. The other methods walk over objects and arrays and give the places of
 * their values, so that a value can be cut out exactly as it was spelt. Not thread-safe; of no use after an exception.
 */
public final class JsonCursor {

    private final byte[] text;
    private final int start;
    private final int end;
    private int at;
    private boolean firstMember;

    /** Opens a cursor on {@code text[from]} to {@code text[to - 1]}. */
    public JsonCursor(byte[] text, int from, int to) {
        this.text = text;
        this.start = from;
        this.end = to;
        this.at = from;
    }

    /** Returns if the array is one JSON value with nothing but blanks around it. */
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
        blanks();
        if (at == end || text[at] != '{') {
            throw unexpected("an object");
        }
        at++;
        firstMember = true;
    }

    /**
     * Returns true when the object has one more member and the cursor stands at its name, or false when the cursor has
     * just left the object. The name and the value have to be read in between.
     */
    public boolean nextMember() throws MalformedJson {
        blanks();
        boolean first = firstMember;
        firstMember = false;
        if (at < end && text[at] == '}') {
            at++;
            return false;
        }
        if (!first) {
            if (at == end || text[at] != ',') {
                throw unexpected("',' or '}'");
            }
            at++;
            blanks();
        }
        if (at == end || text[at] != '"') {
            throw unexpected(first ? "a name in quotes or '}'" : "a name in quotes");
        }
        return true;
    }

    /** Steps into an array; the value that follows must be one. */
    public void beginArray() throws MalformedJson {
        blanks();
        if (at == end || text[at] != '[') {
            throw unexpected("an array");
        }
        at++;
        firstMember = true;
    }

    /**
     * Returns true when the array has one more element, which has to be read next, or false when the cursor has just left
     * the array.
     */
    public boolean nextElement() throws MalformedJson {
        blanks();
        boolean first = firstMember;
        firstMember = false;
        if (at < end && text[at] == ']') {
            at++;
            return false;
        }
        if (!first) {
            if (at == end || text[at] != ',') {
                throw unexpected("',' or ']'");
            }
            at++;
        }
        return true;
    }

    /** Reads the name of a member and the colon after it. */
    public String readName() throws MalformedJson {
        String name = readString();
        colon();
        return name;
    }

    /** Reads a string and resolves its escapes; a lone surrogate stays one. */
    public String readString() throws MalformedJson {
        if (peek() != '"') {
            throw unexpected("a string");
        }
        int from = at + 1;
        boolean escaped = string();
        if (!escaped) {
            return new String(text, from, at - 1 - from, StandardCharsets.UTF_8);
        }
        return unescape(new String(text, from, at - 1 - from, StandardCharsets.UTF_8));
    }

    /** Returns the first byte of the next value, which tells its kind; the cursor then stands at it. */
    public byte peek() throws MalformedJson {
        blanks();
        if (at == end) {
            throw unexpected("a value");
        }
        return text[at];
    }

    /** Skips blanks and one value of any kind. */
    public void skipValue() throws MalformedJson {
        long[] inObject = new long[(JsonLimits.MAX_DEPTH_LEVELS + 63) >> 6];
        int depth = 0;
        while (true) {
            blanks();
            byte first = at < end ? text[at] : 0;
            if (first == '{' || first == '[') {
                at++;
                boolean object = first == '{';
                if (depth == JsonLimits.MAX_DEPTH_LEVELS) {
                    throw malformed("Values are nested deeper than " + JsonLimits.MAX_DEPTH_LEVELS + " levels");
                }
                blanks();
                if (at < end && text[at] == (object ? '}' : ']')) {
                    at++;
                } else {
                    mark(inObject, depth++, object);
                    if (object) {
                        name("a name in quotes or '}'");
                    }
                    continue;
                }
            } else {
                scalar(first);
            }
            depth = leave(inObject, depth);
            if (depth == 0) {
                return;
            }
        }
    }

    /** Leaves the arrays and objects that end here; returns how many are still open. */
    private int leave(long[] inObject, int open) throws MalformedJson {
        int depth = open;
        while (depth > 0) {
            blanks();
            boolean object = (inObject[(depth - 1) >> 6] >>> (depth - 1) & 1) != 0;
            byte next = at < end ? text[at] : 0;
            if (next == ',') {
                at++;
                if (object) {
                    blanks();
                    name("a name in quotes");
                }
                return depth;
            }
            if (next != (object ? '}' : ']')) {
                throw unexpected(object ? "',' or '}'" : "',' or ']'");
            }
            at++;
            depth--;
        }
        return 0;
    }

    /** Returns if nothing but blanks is left. */
    public void end() throws MalformedJson {
        blanks();
        if (at != end) {
            throw unexpected("the end");
        }
    }

    private static void mark(long[] bits, int index, boolean value) {
        if (value) {
            bits[index >> 6] |= 1L << index;
        } else {
            bits[index >> 6] &= ~(1L << index);
        }
    }

    private void blanks() {
        while (at < end) {
            byte b = text[at];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return;
            }
            at++;
        }
    }

    private void name(String expected) throws MalformedJson {
        if (at == end || text[at] != '"') {
            throw unexpected(expected);
        }
        string();
        colon();
    }

    private void colon() throws MalformedJson {
        blanks();
        if (at == end || text[at] != ':') {
            throw unexpected("':'");
        }
        at++;
    }

    private void scalar(byte first) throws MalformedJson {
        switch (first) {
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> throw unexpected("a value");
        }
    }

    private void word(String word) throws MalformedJson {
        for (int i = 0; i < word.length(); i++, at++) {
            if (at == end || text[at] != word.charAt(i)) {
                throw unexpected("'" + word + "'");
            }
        }
    }

    private void number() throws MalformedJson {
        if (text[at] == '-') {
            at++;
        }
        if (at < end && text[at] == '0') {
            at++;
            if (at < end && digit(text[at])) {
                throw malformed("A number starts with a zero that does not belong there");
            }
        } else {
            digits();
        }
        if (at < end && text[at] == '.') {
            at++;
            digits();
        }
        if (at < end && (text[at] | 0x20) == 'e') {
            at++;
            if (at < end && (text[at] == '+' || text[at] == '-')) {
                at++;
            }
            digits();
        }
    }

    private void digits() throws MalformedJson {
        if (at == end || !digit(text[at])) {
            throw unexpected("a digit");
        }
        while (at < end && digit(text[at])) {
            at++;
        }
    }

    private static boolean digit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Skips the string that starts here; returns true when it has escapes. */
    private boolean string() throws MalformedJson {
        boolean escaped = false;
        int i = at + 1;
        while (i < end) {
            byte b = text[i];
            if (b == '"') {
                at = i + 1;
                return escaped;
            }
            if (b == '\\') {
                escaped = true;
                at = i;
                i = escape();
            } else if (b < 0) {
                at = i;
                i = character();
            } else if (b < ' ') {
                at = i;
                throw malformed("The control character U+%04X has to be escaped in a string".formatted((int) b));
            } else {
                i++;
            }
        }
        at = end;
        throw malformed("A string has no end");
    }

    /** Checks the escape that starts here; returns the index after it. */
    private int escape() throws MalformedJson {
        byte kind = at + 1 < end ? text[at + 1] : 0;
        switch (kind) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                return at + 2;
            }
            case 'u' -> {
                for (int i = at + 2; i < at + 6; i++) {
                    if (i >= end || Character.digit((char) (text[i] & 0xff), 16) < 0) {
                        throw malformed("An escape \\u needs four hexadecimal digits");
                    }
                }
                return at + 6;
            }
            default -> throw malformed("There is no such escape in JSON");
        }
    }

    /** Checks the character of two to four bytes that starts here (RFC 3629); returns the index after it. */
    private int character() throws MalformedJson {
        int lead = text[at] & 0xff;
        int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        int second = at + 1 < end ? text[at + 1] & 0xff : 0;
        boolean good = lead >= 0xc2 && lead <= 0xf4 && at + length <= end;
        // the second byte excludes overlong forms, surrogates and what is beyond U+10FFFF
        good &= second >= (lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80);
        good &= second <= (lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf);
        for (int i = 2; good && i < length; i++) {
            good = (text[at + i] & 0xc0) == 0x80;
        }
        if (!good) {
            throw malformed("The text is not UTF-8");
        }
        return at + length;
    }

    private static String unescape(String raw) {
        StringBuilder out = new StringBuilder(raw.length());
        int i = 0;
        while (i < raw.length()) {
            char c = raw.charAt(i++);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char kind = raw.charAt(i++);
            switch (kind) {
                case 'b' -> out.append('\b');
                case 'f' -> out.append('\f');
                case 'n' -> out.append('\n');
                case 'r' -> out.append('\r');
                case 't' -> out.append('\t');
                case 'u' -> {
                    out.append((char) Integer.parseInt(raw, i, i + 4, 16));
                    i += 4;
                }
                default -> out.append(kind);
            }
        }
        return out.toString();
    }

    private MalformedJson unexpected(String expected) {
        if (at == end) {
            return malformed("The text ends where " + expected + " should be");
        }
        int b = text[at] & 0xff;
        String found = b > ' ' && b < 0x7f ? "'" + (char) b + "'" : "a byte 0x%02x".formatted(b);
        return malformed("Found " + found + " where " + expected + " should be");
    }

    private MalformedJson malformed(String detail) {
        int line = 1;
        int column = 1;
        for (int i = start; i < at; i++) {
            if (text[i] == '\n') {
                line++;
                column = 1;
            } else if ((text[i] & 0xc0) != 0x80) {
                column++;
            }
        }
        return new MalformedJson(detail, line, column);
    }
}
