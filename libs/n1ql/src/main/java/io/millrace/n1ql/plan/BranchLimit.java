package io.millrace.n1ql.plan;

import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.ExprTerm;
import io.millrace.n1ql.syntax.Query.Select;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * ORDER BY and LIMIT of a UNION ALL, for each of its queries: the first rows of all are among the first ones of each.
 *
 * @param row the row that is sorted
 * @param limit how many rows of each query are enough
 */
record BranchLimit(Expr.Ref row, List<SortTerm> order, Expr limit) {

    /** No query has so many rows. */
    private static final long MOST = 1L << 50;

    /** Returns what the queries of a UNION ALL can have of its clauses, or null if it has no LIMIT. */
    static @Nullable BranchLimit of(Query query) {
        Expr limit = query.limit();
        if (limit == null) {
            return null;
        }
        Expr offset = query.offset();
        Expr most = offset == null
                ? limit
                : new Expr.Operation(Op.ADD, List.of(inBounds(limit), inBounds(offset)), Place.NONE);
        return new BranchLimit(new Expr.Ref(query.block(), query.rowSlot(), ""), query.order(), most);
    }

    /** A negative LIMIT or OFFSET counts as 0; the sum of two that are too large would not be a whole number. */
    private static Expr inBounds(Expr count) {
        return call("least", call("greatest", count, literal(0)), literal(MOST));
    }

    private static Expr call(String function, Expr... args) {
        return new Expr.Call(function, List.of(args), false, false, null, null, Place.NONE);
    }

    private static Expr literal(long number) {
        return new Expr.Literal(Value.of(number));
    }

    /** Returns whether a query in parentheses has no clauses of its own that a LIMIT must not pass. */
    static boolean passes(Query query) {
        return query.with().isEmpty() && query.order().isEmpty() && query.limit() == null && query.offset() == null;
    }

    /**
     * Returns a query in the order of the union, or null if the values to sort by are not fields of documents in its
     * result.
     */
    @Nullable
    Select sorted(Select select) {
        List<SortTerm> own = new ArrayList<>();
        for (SortTerm term : order) {
            Expr value = value(term.expr(), select.projection());
            if (value == null) {
                return null;
            }
            own.add(new SortTerm(value, term.descending(), term.nullsFirst()));
        }
        return select.sortedBy(own);
    }

    private @Nullable Expr value(Expr expr, Query.Projection projection) {
        if (!(expr instanceof Expr.Field field)
                || field.ignoreCase()
                || projection.raw()
                || !projection.exclude().isEmpty()) {
            return null;
        }
        if (!isRow(field.base())) {
            Expr base = value(field.base(), projection);
            return base == null ? null : new Expr.Field(base, field.name(), false, field.place());
        }
        Expr found = null;
        for (Query.Term term : projection.terms()) {
            if (!(term instanceof ExprTerm one)) {
                return null; // all fields of a document: one of them may have the name
            }
            found = field.name().equals(one.alias()) ? one.expr() : found;
        }
        return found != null && isPath(found) ? found : null;
    }

    private boolean isRow(Expr expr) {
        return expr instanceof Expr.Ref ref && ref.block() == row.block() && ref.slot() == row.slot();
    }

    /** Other expressions may have another value when they are computed again. */
    private static boolean isPath(Expr expr) {
        return expr instanceof Expr.Ref || expr instanceof Expr.Field field && isPath(field.base());
    }
}
