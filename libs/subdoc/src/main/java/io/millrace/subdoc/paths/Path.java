package io.millrace.subdoc.paths;

import io.millrace.subdoc.Status;
import io.millrace.subdoc.SubdocLimits;
import java.util.Arrays;

/**
 * A parsed path: keys and array indexes, root first.
 *
 * <p>Components are separated by dots; {@code [n]} is an index and {@code [-1]} the last element; a key that holds dots
 * or brackets is put in backticks, a backtick in a key is doubled. The first byte of a key opens backticks in any case.
 * Keys are spelt as between the quotes of a JSON string, without
 * {@code \}{@code u}. One dot at the end is ignored and {@code []} reads as {@code [0]}, because clients rely on it.
 */
public final class Path {

    /** The index that stands for the last element. */
    public static final long LAST = -1;

    private static final long KEY = -2;
    private static final int USUAL_COMPONENTS = 8;
    /** Larger than the size of any array. */
    private static final long OUT_OF_REACH = Long.MAX_VALUE;

    /** The letters of all keys: the path itself as long as it needs no unescaping. */
    private byte[] letters;

    private int[] from = new int[USUAL_COMPONENTS];
    private int[] to = new int[USUAL_COMPONENTS];
    private long[] indexes = new long[USUAL_COMPONENTS];
    private int size;
    private Status status = Status.SUCCESS;

    private Path(byte[] text) {
        this.letters = text;
    }

    /** Parses a path; {@link #status} says whether it is valid. An empty path is the root. */
    public static Path parse(byte[] text) {
        Path path = new Path(text);
        path.status = path.components(text);
        return path;
    }

    /** Returns SUCCESS, PATH_EINVAL or PATH_E2BIG; the other methods are for the first case only. */
    public Status status() {
        return status;
    }

    public int size() {
        return size;
    }

    public boolean isIndex(int component) {
        return indexes[component] != KEY;
    }

    /** Returns an index, {@link #LAST} for the last element. */
    public long index(int component) {
        return indexes[component];
    }

    int keyLength(int component) {
        return to[component] - from[component];
    }

    byte keyByte(int component, int at) {
        return letters[from[component] + at];
    }

    public byte[] key(int component) {
        return Arrays.copyOfRange(letters, from[component], to[component]);
    }

    /** Returns true when a component is the key that stands in {@code text} from {@code start} to {@code stop}. */
    public boolean keyEquals(int component, byte[] text, int start, int stop) {
        int first = from[component];
        int length = to[component] - first;
        if (stop - start != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (letters[first + i] != text[start + i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns true when a component is the key whose letters stand in a document from {@code start} to {@code stop}.
     * Escapes of the form {@code \}{@code u} are resolved there; all others must be spelt in the path as in the
     * document.
     */
    public boolean keyMatches(int component, byte[] document, int start, int stop) {
        return Keys.same(this, component, document, start, stop);
    }

    private Status components(byte[] text) {
        int i = 0;
        while (i < text.length) {
            if (size == SubdocLimits.MAX_PATH_COMPONENTS) {
                return Status.PATH_E2BIG;
            }
            i = text[i] == '[' ? index(text, i + 1) : key(text, i);
            if (i < 0) {
                return Status.PATH_EINVAL;
            }
            if (i < text.length && text[i] == '.') {
                i++;
                if (i < text.length && text[i] == '.') {
                    return Status.PATH_EINVAL;
                }
            } else if (i < text.length && text[i] != '[') {
                return Status.PATH_EINVAL;
            }
        }
        return Status.SUCCESS;
    }

    /** Reads an index behind its bracket; returns where it ends, or -1. */
    private int index(byte[] text, int start) {
        int i = start;
        if (i + 2 < text.length && text[i] == '-' && text[i + 1] == '1' && text[i + 2] == ']') {
            add(0, 0, LAST);
            return i + 3;
        }
        long value = 0;
        boolean large = false;
        while (i < text.length && text[i] >= '0' && text[i] <= '9') {
            int digit = text[i++] - '0';
            if (Long.compareUnsigned(value, Long.divideUnsigned(-1L, 10)) > 0
                    || (value == Long.divideUnsigned(-1L, 10) && digit > 5)) {
                return -1;
            }
            value = value * 10 + digit;
            large |= value < 0;
        }
        if (i == text.length || text[i] != ']') {
            return -1;
        }
        add(0, 0, large ? OUT_OF_REACH : value);
        return i + 1;
    }

    /** Reads a key; returns where it ends, or -1. */
    private int key(byte[] text, int start) {
        int i = start;
        while (i < text.length && plain(text[i])) {
            i++;
        }
        if (i < text.length && (text[i] == '`' || text[i] == '\\')) {
            return escapedKey(text, start, i);
        }
        if (i == start || i < text.length && text[i] != '.' && text[i] != '[') {
            return -1;
        }
        add(start, i, KEY);
        return i;
    }

    /** Reads a key with escapes or backticks, the first of them at {@code i}; the unescaped letters are copied. */
    private int escapedKey(byte[] text, int start, int first) {
        int i = first;
        byte[] all = Arrays.copyOf(letters, letters.length + text.length - start);
        int begin = letters.length;
        int end = begin;
        System.arraycopy(text, start, all, end, i - start);
        end += i - start;
        boolean quoted = false;
        while (i < text.length) {
            byte c = text[i];
            if (c == '`') {
                if (i > start && i + 1 < text.length && text[i + 1] == '`') {
                    all[end++] = c;
                    i += 2;
                } else {
                    quoted = !quoted;
                    i++;
                }
            } else if (c == '\\') {
                if (i + 1 == text.length || !escapable(text[i + 1])) {
                    return -1;
                }
                all[end++] = c;
                all[end++] = text[i + 1];
                i += 2;
            } else if (plain(c) || quoted && (c == '.' || c == '[' || c == ']')) {
                all[end++] = c;
                i++;
            } else if (c == '.' || c == '[') {
                break;
            } else {
                return -1;
            }
        }
        if (quoted || end == begin) {
            return -1;
        }
        letters = all;
        add(begin, end, KEY);
        return i;
    }

    private static boolean plain(byte c) {
        return switch (c) {
            case '.', '[', ']', '`', '"', '\\' -> false;
            default -> c < 0 || c >= 0x1f;
        };
    }

    private static boolean escapable(byte c) {
        return switch (c) {
            case '"', '/', '\\', 'b', 'f', 'n', 'r', 't' -> true;
            default -> false;
        };
    }

    private void add(int start, int stop, long index) {
        if (size == from.length) {
            from = Arrays.copyOf(from, SubdocLimits.MAX_PATH_COMPONENTS);
            to = Arrays.copyOf(to, SubdocLimits.MAX_PATH_COMPONENTS);
            indexes = Arrays.copyOf(indexes, SubdocLimits.MAX_PATH_COMPONENTS);
        }
        from[size] = start;
        to[size] = stop;
        indexes[size++] = index;
    }
}
