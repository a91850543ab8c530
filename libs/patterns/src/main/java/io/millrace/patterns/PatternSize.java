package io.millrace.patterns;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How long a regular expression is when its repetitions are written out, as they are when it is compiled:
 * <code>(a{100}){100}</code> has 10,000 parts. Groups, classes and escapes are found as RE2 finds them.
 */
public final class PatternSize {

    /** Past this the exact size does not matter. */
    private static final long MOST = 1L << 40;

    private final String regex;
    private final Deque<Long> open = new ArrayDeque<>();
    private int at;

    /** The parts of the innermost open group. */
    private long parts;

    /** Those of the last part of it, which a repetition behind it multiplies. */
    private long last;

    private PatternSize(String regex) {
        this.regex = regex;
    }

    /** Returns the number of parts; large numbers may be {@code 1L << 40} instead. Takes any text, also one that does not compile. */
    public static long of(String regex) {
        // without braces nothing is repeated more than once, and a part has at least a character
        return regex.indexOf('{') < 0 ? regex.length() : new PatternSize(regex).count();
    }

    private long count() {
        while (at < regex.length()) {
            switch (regex.charAt(at)) {
                case '\\' -> escape();
                case '[' -> {
                    at = endOfClass();
                    add(1);
                }
                case '(' -> {
                    open.push(parts);
                    parts = 0;
                    last = 0;
                    at++;
                }
                case ')' -> close();
                case '{' -> braces();
                case '*', '+', '?' -> at++;
                default -> {
                    at++;
                    add(1);
                }
            }
        }
        while (!open.isEmpty()) {
            close();
        }
        return parts;
    }

    private void add(long size) {
        last = size;
        parts = Math.min(MOST, parts + size);
    }

    private void close() {
        at++;
        if (!open.isEmpty()) {
            long group = parts;
            parts = open.pop();
            add(group + 1);
        }
    }

    private void escape() {
        if (regex.startsWith("\\Q", at)) {
            int end = regex.indexOf("\\E", at);
            int quoted = (end < 0 ? regex.length() : end) - at - 2;
            at = end < 0 ? regex.length() : end + 2;
            add(quoted);
            last = 1;
            return;
        }
        boolean named = regex.startsWith("\\p{", at) || regex.startsWith("\\P{", at) || regex.startsWith("\\x{", at);
        int end = named ? regex.indexOf('}', at) : -1;
        at = end < 0 ? at + 2 : end + 1;
        add(1);
    }

    /** Returns the position behind a class; a bracket at its beginning is one of its characters. */
    private int endOfClass() {
        int position = at + (regex.startsWith("[^", at) ? 2 : 1);
        boolean first = true;
        while (position < regex.length() && (first || regex.charAt(position) != ']')) {
            first = false;
            int endOfName = regex.startsWith("[:", position) ? regex.indexOf(":]", position + 2) : -1;
            if (endOfName >= 0) {
                position = endOfName + 2;
            } else {
                position += regex.charAt(position) == '\\' ? 2 : 1;
            }
        }
        return position + 1;
    }

    /** Reads {@code {n}}, {@code {n,}} or {@code {n,m}}; other braces are characters. */
    private void braces() {
        int end = regex.indexOf('}', at);
        String inside = end < 0 ? "" : regex.substring(at + 1, end);
        if (!inside.matches("\\d{1,4}(,\\d{0,4})?")) {
            at++;
            add(1);
            return;
        }
        long times = 1;
        for (String limit : inside.split(",")) {
            times = Math.max(times, Integer.parseInt(limit));
        }
        at = end + 1;
        parts -= last;
        add(Math.min(MOST, last * times));
    }
}
