package io.millrace.handler;

/**
 * Code that cannot be a handler: it does not parse, has no entry point, or does more than declare functions.
 *
 * @param line where in the user's code, from 1; 0 when the fault has no place
 * @param column likewise
 */
public record HandlerRejected(String message, int line, int column) implements Compilation, SyntaxCheck.Result {

    HandlerRejected(String message, UserCode.Position at) {
        this(message, at.line(), at.column());
    }
}
