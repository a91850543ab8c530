package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.plan.index.IndexSpans.Spans;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.syntax.Expr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A way to the documents of a keyspace: an index, and what its entries tell.
 *
 * @param direction 1 if the index has the wanted order, -1 if it has it backward, 0 otherwise
 * @param cover what an entry tells of its document
 * @param covers whether that is all that the query needs
 * @param filter the conditions that are decided by an entry and do not limit the range, or null without such conditions
 * @param wholeFilter all conditions that are decided by an entry, for a range that is not exact; null without any
 * @param filtered the conditions of {@code wholeFilter}
 * @param usedAreFiltered whether {@code wholeFilter} has all conditions that limit the range
 * @param undecided whether a condition is left that neither range nor filter decide
 * @param sortable whether an entry tells the values to sort by
 * @param groups how the index has the groups of the query side by side, or null if it does not
 */
record IndexPath(
        CompiledIndex index,
        IndexSpans spans,
        int direction,
        CoveredDocument cover,
        boolean covers,
        @Nullable Eval filter,
        @Nullable Eval wholeFilter,
        List<Expr> filtered,
        boolean usedAreFiltered,
        boolean undecided,
        boolean sortable,
        @Nullable IndexGroups groups) {

    static final int NO_ORDER = 0;

    String name() {
        return index.definition().name();
    }

    boolean ordered() {
        return direction != NO_ORDER;
    }

    boolean backward() {
        return direction < 0;
    }

    /** Returns the conditions that an entry of a range decides, or null without such conditions. */
    @Nullable
    Eval filter(Spans at) {
        return at.exact() ? filter : wholeFilter;
    }

    /** Returns whether an entry of a range decides all conditions. */
    boolean decides(Spans at) {
        return !undecided && (at.exact() || usedAreFiltered);
    }

    /** Returns whether the range alone decides all conditions, if it is exact. */
    boolean decidesByRange() {
        return !undecided && filter == null && !index.hasEach();
    }

    /** Returns the same way for a query that reads the documents, although the entries may have all that it needs. */
    IndexPath withDocuments() {
        return new IndexPath(
                index,
                spans,
                direction,
                cover,
                false,
                filter,
                wholeFilter,
                filtered,
                usedAreFiltered,
                undecided,
                sortable,
                groups);
    }
}
