package io.millrace.streams.store;

import java.util.Objects;

/**
 * The name of a stream within its category: one or more parts, joined by underscores.
 *
 * @param text not empty
 */
public record StreamId(String text) {

    private static final String SEPARATOR = "_";

    public StreamId {
        Objects.requireNonNull(text, "text");
        if (text.isEmpty()) {
            throw new IllegalArgumentException("A stream id must not be empty.");
        }
    }

    /** Joins parts; throws {@link IllegalArgumentException} when one of several is empty or has an underscore. */
    public static StreamId of(String first, String... more) {
        if (more.length == 0) {
            return new StreamId(first);
        }
        checkPart(first);
        for (String part : more) {
            checkPart(part);
        }
        return new StreamId(first + SEPARATOR + String.join(SEPARATOR, more));
    }

    private static void checkPart(String part) {
        if (part.isEmpty() || part.contains(SEPARATOR)) {
            throw new IllegalArgumentException(
                    "A part of a stream id must not be empty or contain an underscore: " + part);
        }
    }
}
