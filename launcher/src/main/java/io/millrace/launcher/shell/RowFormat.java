package io.millrace.launcher.shell;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How rows are printed. */
public enum RowFormat {
    /** Columns with a line below their names. */
    TABLE,
    /** One row of JSON on each line. */
    JSON,
    /** Comma-separated values with a line of names (RFC 4180). */
    CSV,
    /** A table in Markdown. */
    MARKDOWN,
    /** Columns in frames. */
    BOX;

    /** Returns the format with the name, in upper or lower case. */
    public static Optional<RowFormat> of(String name) {
        return Arrays.stream(values())
                .filter(format -> format.name().equalsIgnoreCase(name))
                .findFirst();
    }

    /** Returns the names for a message: {@code table, json, ...}. */
    public static String names() {
        return Arrays.stream(values()).map(RowFormat::toString).collect(Collectors.joining(", "));
    }

    /** Returns whether the rows are for a person, with a line of figures below them. */
    boolean forPeople() {
        return this == TABLE || this == BOX;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
