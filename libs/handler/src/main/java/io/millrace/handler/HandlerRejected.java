package io.millrace.handler;

import io.millrace.handler.HandlerEngine.Compilation;
import io.millrace.handler.code.UserCode;
import java.util.List;

/**
 * Code that is rejected: it does not parse, has no entry point, or does more than declare functions.
 *
 * @param mistakes all mistakes found, at least one, in the order of the code
 */
public record HandlerRejected(List<Mistake> mistakes) implements Compilation, SyntaxCheck.Result {

    public HandlerRejected {
        mistakes = List.copyOf(mistakes);
        if (mistakes.isEmpty()) {
            throw new IllegalArgumentException("Code is rejected for a reason");
        }
    }

    HandlerRejected(String message, int line, int column) {
        this(List.of(new Mistake(message, line, column)));
    }

    /**
     * One reason.
     *
     * @param line where in the user's code, from 1; 0 when the mistake has no position
     * @param column likewise
     */
    public record Mistake(String message, int line, int column) {

        public Mistake(String message, UserCode.Position at) {
            this(message, at.line(), at.column());
        }
    }

    /** Returns what the first mistake is. */
    public String message() {
        return mistakes.getFirst().message();
    }

    /** Returns where in the user's code the first mistake is, from 1; 0 when it has no position. */
    public int line() {
        return mistakes.getFirst().line();
    }

    /** Returns the column that belongs to {@link #line}. */
    public int column() {
        return mistakes.getFirst().column();
    }
}
