package io.millrace.handler;

import java.util.regex.Pattern;

/**
 * An ES module that handlers and other libraries import.
 *
 * @param id what follows {@code from} in an import, {@code NAME@VERSION}; both begin with a letter or a digit and have up
 *     to 50 letters, digits, {@code .}, {@code _} and {@code -}
 * @param code JavaScript
 */
public record Library(String id, String code) {

    private static final String PART = "[A-Za-z0-9][A-Za-z0-9._-]{0,49}";

    private static final Pattern ID = Pattern.compile(PART + '@' + PART);

    public Library {
        if (!isId(id)) {
            throw new IllegalArgumentException("'%s' does not have the form NAME@VERSION".formatted(id));
        }
    }

    /** Returns whether a text has the form of {@link #id}. */
    public static boolean isId(String text) {
        return ID.matcher(text).matches();
    }
}
