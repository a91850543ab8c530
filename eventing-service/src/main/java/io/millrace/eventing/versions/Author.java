package io.millrace.eventing.versions;

import io.millrace.access.Subject;
import io.millrace.eventing.definition.FunctionsException;

/**
 * Who saves a function, and why.
 *
 * @param note up to {@value #MAX_NOTE_CHARS} characters, "" for none
 */
public record Author(Subject subject, String note) {

    /** The longest note of a version in characters. */
    public static final int MAX_NOTE_CHARS = 500;

    public Author {
        if (note.length() > MAX_NOTE_CHARS) {
            throw FunctionsException.invalidRequest(
                    "The note has %d characters, at most %d are allowed.".formatted(note.length(), MAX_NOTE_CHARS));
        }
    }

    /** Returns an author who says nothing about the reason. */
    public static Author of(Subject subject) {
        return new Author(subject, "");
    }

    /** Returns this author with another note, unless there is one. */
    public Author noting(String other) {
        return note.isEmpty() ? new Author(subject, other) : this;
    }
}
