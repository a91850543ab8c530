package io.millrace.subdoc.paths;

import io.millrace.json.Utf8;

/** Compares the keys of a document with those of a path. */
final class Keys {

    /** The shortest escape that can make a key in a document longer than it is in a path. */
    private static final int SHORTEST_GAIN = 3;

    private static final int ESCAPE_CHARS = 6;

    private Keys() {}

    /**
     * Returns true when a component of a path names the key whose letters stand in {@code text} from {@code start} to
     * {@code stop}. Only {@code \}{@code u} escapes are read; all others must be spelt in the path as in the document.
     */
    static boolean same(Path path, int component, byte[] text, int start, int stop) {
        int length = stop - start;
        int wanted = path.keyLength(component);
        if (length == wanted) {
            return path.keyEquals(component, text, start, stop);
        }
        return length >= wanted + SHORTEST_GAIN
                && escaped(text, start, stop)
                && sameUnescaped(path, component, text, start, stop);
    }

    private static boolean escaped(byte[] text, int start, int stop) {
        for (int i = start; i < stop; i++) {
            if (text[i] == '\\') {
                return true;
            }
        }
        return false;
    }

    private static boolean sameUnescaped(Path path, int component, byte[] text, int start, int stop) {
        byte[] plain = new byte[stop - start];
        int length = 0;
        int i = start;
        while (i < stop) {
            int unit = unit(text, i, stop);
            if (unit < 0) {
                // another escape is two bytes: the second may be a backslash and must not begin an escape of its own
                int bytes = text[i] == '\\' && i + 1 < stop ? 2 : 1;
                System.arraycopy(text, i, plain, length, bytes);
                length += bytes;
                i += bytes;
                continue;
            }
            i += ESCAPE_CHARS;
            int codePoint = unit;
            if (Character.isHighSurrogate((char) unit)) {
                int low = unit(text, i, stop);
                if (low < 0 || !Character.isLowSurrogate((char) low)) {
                    return false;
                }
                codePoint = Character.toCodePoint((char) unit, (char) low);
                i += ESCAPE_CHARS;
            } else if (Character.isLowSurrogate((char) unit)) {
                return false;
            }
            length = Utf8.append(codePoint, plain, length);
        }
        return path.keyEquals(component, plain, 0, length);
    }

    /** Returns the UTF-16 unit that is escaped at {@code i}, or -1. */
    private static int unit(byte[] text, int i, int stop) {
        if (i + ESCAPE_CHARS > stop || text[i] != '\\' || text[i + 1] != 'u') {
            return -1;
        }
        int unit = 0;
        for (int k = 2; k < ESCAPE_CHARS; k++) {
            int digit = Character.digit(text[i + k], 16);
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }
}
