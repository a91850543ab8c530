package io.millrace.n1ql.syntax;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.grammar.N1qlParser.UsingIndexContext;
import org.jspecify.annotations.Nullable;

/** Refuses kinds of indexes that there are none of. */
final class IndexKinds {

    private IndexKinds() {}

    static void refuse(@Nullable UsingIndexContext context) {
        if (context != null && context.GSI() == null) {
            throw TokenText.place(context)
                    .error(
                            ErrorCode.SEMANTICS,
                            "There are no indexes of the kind "
                                    + context.getStop().getText() + "; write USING GSI, or leave it out");
        }
    }
}
