package io.millrace.n1ql;

/** Translates exceptions into errors of the engine. */
final class Failures {

    private Failures() {}

    static QueryException of(Throwable thrown) {
        if (thrown instanceof QueryException known) {
            return known;
        }
        if (thrown instanceof StackOverflowError) {
            return QueryException.of(ErrorCode.SYNTAX, "syntax error - nested too deeply");
        }
        return QueryException.of(ErrorCode.INTERNAL, "Internal error: " + thrown);
    }
}
