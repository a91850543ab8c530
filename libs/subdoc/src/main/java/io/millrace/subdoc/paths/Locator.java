package io.millrace.subdoc.paths;

import io.millrace.json.JsonSkip;
import io.millrace.subdoc.SubdocLimits;

/**
 * Follows one path into a document and remembers what an operation must know about the place: the entry, its container
 * and its neighbours. Nothing behind that place is read.
 */
public final class Locator {

    /** How far the path led. */
    public enum Place {
        /** There is a value at the path. */
        FOUND,
        /** The container is there, and has no entry of this key or index. */
        MISSING,
        /** A component asks for an entry of a value that has no such entries. */
        MISMATCH,
        NOT_JSON,
        TOO_DEEP
    }

    private static final int NO_COMMA = -1;

    private final byte[] text;
    private final int end;
    private final Path path;

    private int matched;
    private int start;
    private int entry;
    private int comma = NO_COMMA;
    private int container;
    private int close;
    private long count;

    public Locator(byte[] text, Path path) {
        this.text = text;
        this.end = text.length;
        this.path = path;
    }

    /** Follows the first {@code components} of the path. */
    public Place locate(int components) {
        start = JsonSkip.blanks(text, 0, end);
        if (start == end || text[start] == '"') {
            return Place.NOT_JSON;
        }
        for (matched = 0; matched < components; matched++) {
            if (start >= end) {
                return Place.NOT_JSON;
            }
            boolean index = path.isIndex(matched);
            if (text[start] != (index ? '[' : '{')) {
                return JsonSkip.begins(text[start]) ? Place.MISMATCH : Place.NOT_JSON;
            }
            container = start;
            int found = index ? element(path.index(matched)) : member();
            if (found < 0) {
                return found == JsonSkip.TOO_DEEP ? Place.TOO_DEEP : Place.NOT_JSON;
            }
            if (found == 0) {
                return Place.MISSING;
            }
        }
        return start < end ? Place.FOUND : Place.NOT_JSON;
    }

    /** How many components were matched. */
    public int matched() {
        return matched;
    }

    /** Where the value begins, when it was found. */
    public int start() {
        return start;
    }

    /** Where the entry begins: at its key in an object, at its value in an array. */
    public int entry() {
        return entry;
    }

    /** The comma before the entry, or -1 when it is the first. */
    public int comma() {
        return comma;
    }

    /** The opening bracket of the container of the entry, or of the one in which it is missing. */
    public int container() {
        return container;
    }

    /** The closing bracket of the container in which an entry is missing. */
    public int close() {
        return close;
    }

    /** How many entries the container has in which one is missing. */
    public long count() {
        return count;
    }

    /** Looks for a key in the object at {@link #container}. Returns 1 found, 0 missing, or what is wrong. */
    private int member() {
        comma = NO_COMMA;
        count = 0;
        int at = JsonSkip.blanks(text, container + 1, end);
        if (at < end && text[at] == '}') {
            close = at;
            return 0;
        }
        while (at < end && text[at] == '"') {
            int key = at;
            at = JsonSkip.string(text, at, end);
            if (at < 0) {
                return at;
            }
            boolean same = path.keyMatches(matched, text, key + 1, at - 1);
            at = JsonSkip.blanks(text, at, end);
            if (at >= end || text[at] != ':') {
                return JsonSkip.NOT_JSON;
            }
            at = JsonSkip.blanks(text, at + 1, end);
            if (same) {
                entry = key;
                start = at;
                return 1;
            }
            at = behind(at, '}');
            if (at <= 0) {
                return at;
            }
        }
        return JsonSkip.NOT_JSON;
    }

    /** Looks for an element in the array at {@link #container}. Returns 1 found, 0 missing, or what is wrong. */
    private int element(long index) {
        comma = NO_COMMA;
        count = 0;
        int at = JsonSkip.blanks(text, container + 1, end);
        if (at < end && text[at] == ']') {
            close = at;
            return 0;
        }
        while (at < end) {
            if (count == index) {
                entry = at;
                start = at;
                return 1;
            }
            int before = comma;
            int element = at;
            at = behind(at, ']');
            if (at == 0 && index == Path.LAST) {
                comma = before;
                entry = element;
                start = element;
                return 1;
            }
            if (at <= 0) {
                return at;
            }
        }
        return JsonSkip.NOT_JSON;
    }

    /** Goes over a value and the comma behind it. Returns where the next entry begins, 0 for none, or what is wrong. */
    private int behind(int value, char closing) {
        int at = JsonSkip.value(text, value, end, matched + 1, SubdocLimits.MAX_DEPTH_LEVELS);
        if (at < 0) {
            return at;
        }
        count++;
        at = JsonSkip.blanks(text, at, end);
        if (at == end) {
            return JsonSkip.NOT_JSON;
        }
        if (text[at] == ',') {
            comma = at;
            return JsonSkip.blanks(text, at + 1, end);
        }
        close = at;
        return text[at] == closing ? 0 : JsonSkip.NOT_JSON;
    }
}
