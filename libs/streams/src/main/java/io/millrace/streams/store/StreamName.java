package io.millrace.streams.store;

import java.util.Objects;

/**
 * The name of a stream: {@code <category>-<id>}.
 *
 * @param category not empty, without a hyphen
 */
public record StreamName(String category, StreamId id) {

    private static final char SEPARATOR = '-';

    public StreamName {
        Objects.requireNonNull(id, "id");
        if (category.isEmpty() || category.indexOf(SEPARATOR) >= 0) {
            throw new IllegalArgumentException("A category must not be empty or contain a hyphen: " + category);
        }
    }

    public static StreamName create(String category, StreamId id) {
        return new StreamName(category, id);
    }

    /** Parses a name; throws {@link IllegalArgumentException} if it lacks a category or an id. */
    public static StreamName parse(String text) {
        int separator = text.indexOf(SEPARATOR);
        if (separator < 0) {
            throw new IllegalArgumentException("A stream name must have the form <category>-<id>: " + text);
        }
        return new StreamName(text.substring(0, separator), new StreamId(text.substring(separator + 1)));
    }

    @Override
    public String toString() {
        return category + SEPARATOR + id.text();
    }
}
