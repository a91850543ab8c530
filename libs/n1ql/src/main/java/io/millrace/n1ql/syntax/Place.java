package io.millrace.n1ql.syntax;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;

/**
 * A position in the text; lines and columns from 1. All places are equal, so that expressions with the same text are
 * equal wherever they are.
 */
public record Place(int line, int column) {

    public static final Place NONE = new Place(0, 0);

    public QueryException error(ErrorCode code, String message) {
        return line == 0 ? QueryException.of(code, message) : QueryException.at(code, line, column, message);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Place;
    }

    @Override
    public int hashCode() {
        return 0;
    }
}
