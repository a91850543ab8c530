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
            throw new IllegalArgumentException("A category is not empty and has no hyphen: " + category);
        }
    }

    public static StreamName create(String category, StreamId id) {
        return new StreamName(category, id);
    }

    /** Reads a name back; throws {@link IllegalArgumentException} when it has no category or no id. */
    public static StreamName parse(String text) {
        int separator = text.indexOf(SEPARATOR);
        if (separator < 0) {
            throw new IllegalArgumentException("A stream name is <category>-<id>: " + text);
        }
        return new StreamName(text.substring(0, separator), new StreamId(text.substring(separator + 1)));
    }

    @Override
    public String toString() {
        return category + SEPARATOR + id.text();
    }
}
