package io.millrace.subdoc;

import java.util.Arrays;

/** Checks that bytes are JSON text (RFC 8259), without building anything of it. */
public final class Json {

    private static final int BITS = 64;

    private final byte[] text;
    private final int end;
    private final boolean checksEscapes;
    private int at;
    private int level;
    private int deepest;
    /** One bit for each open container: set for an object. */
    private long[] objects = new long[1];

    private Json(byte[] text, boolean checksEscapes) {
        this.text = text;
        this.end = text.length;
        this.checksEscapes = checksEscapes;
    }

    /**
     * Returns true when the bytes are one JSON value in UTF-8, of any depth: what a store marks as JSON and
     * {@link SubDocuments} then works on. The hexadecimal digits of an escape ({@code \}{@code u}) are not looked at, as
     * clients of the binary protocol are used to.
     */
    public static boolean isJson(byte[] text) {
        return new Json(text, false).values(false) > 0;
    }

    /**
     * Returns the level of a value or, with {@code many}, the highest level of several that commas separate: 1 for a
     * scalar or an empty container, one more for each container around it. 0 when the bytes are anything else.
     */
    static int level(byte[] text, boolean many) {
        return new Json(text, true).values(many);
    }

    private int values(boolean many) {
        do {
            if (!value()) {
                return 0;
            }
        } while (many && comma());
        return at == end ? deepest : 0;
    }

    private boolean comma() {
        if (at < end && text[at] == ',') {
            at++;
            return true;
        }
        return false;
    }

    /** Reads a value with the blanks around it. */
    private boolean value() {
        level = 0;
        Next next = Next.VALUE;
        while (next == Next.VALUE) {
            skipBlanks();
            if (at == end) {
                return false;
            }
            deepest = Math.max(deepest, level + 1);
            byte c = text[at];
            if (c == '{' || c == '[') {
                next = open(c == '{');
            } else {
                next = scalar(c) ? behindValue() : Next.NOTHING;
            }
        }
        return next == Next.END;
    }

    /** What must come next. */
    private enum Next {
        VALUE,
        END,
        NOTHING
    }

    private Next open(boolean object) {
        at++;
        if (level == objects.length * BITS) {
            objects = Arrays.copyOf(objects, objects.length * 2);
        }
        long bit = 1L << level;
        int word = level++ / BITS;
        objects[word] = object ? objects[word] | bit : objects[word] & ~bit;
        skipBlanks();
        if (closes()) {
            return behindValue();
        }
        return !object || key() ? Next.VALUE : Next.NOTHING;
    }

    private boolean inObject() {
        int container = level - 1;
        return (objects[container / BITS] & 1L << container) != 0;
    }

    /** Goes over the closing bracket of the innermost container if it is the next byte. */
    private boolean closes() {
        if (at < end && text[at] == (inObject() ? '}' : ']')) {
            at++;
            level--;
            return true;
        }
        return false;
    }

    private Next behindValue() {
        skipBlanks();
        while (level > 0) {
            if (comma()) {
                skipBlanks();
                return !inObject() || key() ? Next.VALUE : Next.NOTHING;
            }
            if (!closes()) {
                return Next.NOTHING;
            }
            skipBlanks();
        }
        return Next.END;
    }

    private boolean key() {
        if (at == end || text[at] != '"' || !string()) {
            return false;
        }
        skipBlanks();
        return at < end && text[at++] == ':';
    }

    private void skipBlanks() {
        at = Scan.blanks(text, at, end);
    }

    private boolean scalar(byte first) {
        return switch (first) {
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> number();
        };
    }

    private boolean literal(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (at == end || text[at++] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean number() {
        if (text[at] == '-') {
            at++;
        }
        if (at < end && text[at] == '0') {
            at++;
        } else if (!digits()) {
            return false;
        }
        if (at < end && text[at] == '.') {
            at++;
            if (!digits()) {
                return false;
            }
        }
        if (at < end && (text[at] == 'e' || text[at] == 'E')) {
            at++;
            if (at < end && (text[at] == '+' || text[at] == '-')) {
                at++;
            }
            return digits();
        }
        return true;
    }

    private boolean digits() {
        int start = at;
        while (at < end && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        return at > start;
    }

    private boolean string() {
        at++;
        while (at < end) {
            byte c = text[at];
            if (c == '"') {
                at++;
                return true;
            }
            if (c == '\\') {
                if (!escape()) {
                    return false;
                }
            } else if (c >= ' ') {
                at++;
            } else if (c >= 0) {
                return false;
            } else {
                at = Utf8.character(text, at, end);
                if (at < 0) {
                    return false;
                }
            }
        }
        return false;
    }

    private boolean escape() {
        if (++at == end) {
            return false;
        }
        switch (text[at++]) {
            case '"', '/', '\\', 'b', 'f', 'n', 'r', 't' -> {
                return true;
            }
            case 'u' -> {
                return !checksEscapes || hex();
            }
            default -> {
                return false;
            }
        }
    }

    private boolean hex() {
        for (int i = 0; i < 4; i++) {
            if (at == end || Character.digit(text[at++], 16) < 0) {
                return false;
            }
        }
        return true;
    }
}
