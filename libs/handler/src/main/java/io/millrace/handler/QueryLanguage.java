package io.millrace.handler;

import java.util.Set;

/** The language of the statements that code may contain: tells statements from other text. Thread-safe. */
@FunctionalInterface
public interface QueryLanguage {

    /** A language without statements. */
    QueryLanguage NONE = text -> new Unreadable("Queries are not available here", 1, 1);

    /** Reads a text that may be a statement; it does not end with a semicolon. */
    Reading read(String text);

    /** What a text is. */
    sealed interface Reading permits Statement, Unreadable {}

    /**
     * A statement.
     *
     * @param parameters the names of its parameters
     * @param select whether it is a query and changes nothing
     */
    record Statement(Set<String> parameters, boolean select) implements Reading {}

    /**
     * Not a statement.
     *
     * @param message why not
     * @param line the place in the text, from 1
     * @param column likewise
     */
    record Unreadable(String message, int line, int column) implements Reading {}
}
