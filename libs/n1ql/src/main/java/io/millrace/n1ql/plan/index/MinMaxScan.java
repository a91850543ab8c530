package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.Select;
import io.millrace.n1ql.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The only MIN or MAX of a query without groups: the first row of an index in the order of the value is enough.
 *
 * @param greatest true for MAX, false for MIN
 */
public record MinMaxScan(Expr value, boolean greatest) {

    private static final Eval ONE = row -> Value.of(1L);

    /** The scan needs to return one row. */
    static final IndexChoice.Rows FIRST_ROW = new IndexChoice.Rows(ONE, null, true);

    /** Returns the MIN or MAX if a query over one keyspace has no other aggregate and no groups, else null. */
    public static @Nullable MinMaxScan of(Select select) {
        Query.Grouping grouping = select.grouping();
        boolean alone = select.from() instanceof Query.KeyspaceTerm
                && grouping != null
                && grouping.keys().isEmpty()
                && select.aggregates().size() == 1;
        return alone ? of(select.aggregates().getFirst().call()) : null;
    }

    /** Returns the MIN or MAX that a call is, or null for another function. */
    public static @Nullable MinMaxScan of(Expr.Call call) {
        boolean greatest = call.name().equals("max");
        return (greatest || call.name().equals("min")) && call.filter() == null
                ? new MinMaxScan(call.args().getFirst(), greatest)
                : null;
    }

    /** Adds the condition that the value is neither MISSING nor NULL, because MIN and MAX skip these. */
    public Expr where(@Nullable Expr condition) {
        Expr valued = new Expr.Operation(Op.IS_VALUED, List.of(value), Place.NONE);
        return condition == null ? valued : new Expr.Operation(Op.AND, List.of(condition, valued), Place.NONE);
    }

    public IndexChoice.Wish wish(Select select, Covers covers) {
        Expr sorted = IndexChoice.withoutLets(value, select.block(), select.let());
        return new IndexChoice.Wish(select, List.of(new SortTerm(sorted, greatest, null)), FIRST_ROW, covers);
    }

    /** The first row, if the rows are in the order of the value. */
    public record First(Operator input) implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            Cursor<Frame> rows = input.open(row);
            return rows.ordered() ? RowOperators.page(rows, 0, 1) : rows;
        }

        @Override
        public Explanation explain(Frame row) {
            Explanation child = input.explain(row);
            return child.isInOrder() ? new Explanation("Limit").over(child) : child;
        }
    }
}
