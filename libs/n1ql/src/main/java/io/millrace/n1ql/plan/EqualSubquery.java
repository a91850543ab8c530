package io.millrace.n1ql.plan;

import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.syntax.FreeRefs.SlotOf;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.Select;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A subquery that depends on the row around it only because values of both must be equal: {@code (SELECT ... FROM o WHERE
 * o.customer = c.name AND o.total > 9)}. Without these conditions it is the same query for every row, so it can be read
 * once and its rows looked up by the values.
 *
 * @param query the query without the conditions; a row is the array of the inner values, then the row of the subquery
 * @param outer the values that a row around must have, in the order of the inner ones
 */
record EqualSubquery(Query query, List<Expr> outer) {

    /** Returns the parts of a subquery whose rows are wanted, or null if it is not of this form. */
    static @Nullable EqualSubquery ofRows(Query query, Set<SlotOf> constants) {
        Expr row = query.body() instanceof Select select && select.order().isEmpty() && !select.distinct()
                ? row(select.projection())
                : null;
        return row == null ? null : of(query, constants, List.of(row));
    }

    /** Returns the parts of a subquery of which only whether it has rows is wanted, or null. */
    static @Nullable EqualSubquery ofExists(Query query, Set<SlotOf> constants) {
        return of(query, constants, List.of());
    }

    private static @Nullable EqualSubquery of(Query query, Set<SlotOf> constants, List<Expr> row) {
        if (!(query.body() instanceof Select select)
                || query.block() >= 0
                || query.limit() != null
                || query.offset() != null
                || select.from() == null
                || select.grouping() != null
                || !select.windowCalls().isEmpty()) {
            return null;
        }
        Predicate<Expr> inside = expr -> refs(expr, constants).stream().allMatch(ref -> ref.block() == select.block());
        Predicate<Expr> outside =
                expr -> refs(expr, constants).stream().noneMatch(ref -> ref.block() == select.block());
        List<Expr> inner = new ArrayList<>();
        List<Expr> outer = new ArrayList<>();
        List<Expr> rest = new ArrayList<>();
        for (Expr condition : Expr.conjuncts(select.where())) {
            if (inside.test(condition)) {
                rest.add(condition);
            } else if (condition instanceof Expr.Operation equal && equal.op() == Op.EQ) {
                boolean innerFirst = inside.test(equal.arg(0)) && outside.test(equal.arg(1));
                if (!innerFirst && !(inside.test(equal.arg(1)) && outside.test(equal.arg(0)))) {
                    return null;
                }
                inner.add(equal.arg(innerFirst ? 0 : 1));
                outer.add(equal.arg(innerFirst ? 1 : 0));
            } else {
                return null;
            }
        }
        List<Expr> values = new ArrayList<>(inner);
        values.addAll(row);
        Query alone = new Query(
                query.block(),
                query.slots(),
                query.rowSlot(),
                List.of(),
                select(select, values, rest),
                List.of(),
                null,
                null);
        boolean depends = FreeRefs.of(alone).refs().stream().anyMatch(ref -> !constants.contains(ref));
        return inner.isEmpty() || depends ? null : new EqualSubquery(alone, outer);
    }

    private static Set<SlotOf> refs(Expr expr, Set<SlotOf> constants) {
        Set<SlotOf> refs = FreeRefs.of(expr).refs();
        refs.removeAll(constants);
        return refs;
    }

    private static Select select(Select select, List<Expr> values, List<Expr> conditions) {
        Query.Term term = new Query.ExprTerm(new Expr.ArrayLiteral(values), "$1", false, Place.NONE);
        return new Select(
                select.block(),
                select.slots(),
                false,
                new Query.Projection(true, List.of(term), List.of(), List.of()),
                select.from(),
                select.let(),
                Expr.and(conditions),
                null,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                select.used());
    }

    /** Returns the row that a projection makes as an expression, or null if it has a star. */
    private static @Nullable Expr row(Query.Projection projection) {
        List<Expr.Member> members = new ArrayList<>();
        for (Query.Term term : projection.terms()) {
            if (!(term instanceof Query.ExprTerm one) || !projection.exclude().isEmpty()) {
                return null;
            }
            if (projection.raw()) {
                return one.expr();
            }
            String name = one.alias() == null ? "" : one.alias();
            members.add(new Expr.Member(new Expr.Literal(Value.of(name)), one.expr()));
        }
        return new Expr.ObjectLiteral(members);
    }
}
