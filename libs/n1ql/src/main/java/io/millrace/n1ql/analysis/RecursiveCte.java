package io.millrace.n1ql.analysis;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.analysis.Scope.Kind;
import io.millrace.n1ql.function.Functions;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.Combined;
import io.millrace.n1ql.syntax.Query.Cte;
import io.millrace.n1ql.syntax.Query.From;
import io.millrace.n1ql.syntax.Query.JoinKind;
import io.millrace.n1ql.syntax.Query.SetOperation;
import io.millrace.n1ql.syntax.TreeMapper;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A common table expression that refers to itself: the anchor, UNION, and the step that is repeated. */
final class RecursiveCte {

    private final Cte cte;
    private final Query.Recursion recursion;
    private final Combined parts;

    private RecursiveCte(Cte cte, Query.Recursion recursion, Combined parts) {
        this.cte = cte;
        this.recursion = recursion;
        this.parts = parts;
    }

    /** Returns the parts, or null if the expression does not refer to itself. */
    static @Nullable RecursiveCte of(Cte cte) {
        Query.Recursion recursion = cte.recursion();
        if (recursion == null || !(cte.expr() instanceof Expr.Subquery subquery)) {
            return null;
        }
        Query query = subquery.query();
        if (!(query.body() instanceof Combined parts) || parts.operation() != SetOperation.UNION) {
            new Rules(cte).query(query);
            return null;
        }
        if (references(parts.left(), cte) > 0) {
            throw cte.place()
                    .error(
                            ErrorCode.RECURSION_ANCHOR,
                            "Anchor Clause cannot have recursive reference in FROM expression: " + cte.name());
        }
        int direct = references(parts.right(), cte);
        if (direct > 0 && (!query.order().isEmpty() || query.limit() != null || query.offset() != null)) {
            throw refused(cte, "Order/Limit/Offset not allowed");
        }
        Rules rules = new Rules(cte);
        rules.query(query);
        if (rules.references > direct) {
            throw cte.place()
                    .error(
                            ErrorCode.RECURSION_UNSUPPORTED,
                            "Error evaluating WITH: the reference to " + cte.name()
                                    + " must be in the FROM clause of the last SELECT, not in a subquery");
        }
        return direct == 0 ? null : new RecursiveCte(cte, recursion, parts);
    }

    private static RuntimeException refused(Cte cte, String what) {
        return cte.place().error(ErrorCode.RECURSION, "recursive_with semantics: " + what);
    }

    Expr anchor() {
        return new Expr.Subquery(alone(parts.left()));
    }

    private static Query alone(Query.Body body) {
        return body instanceof Query.Nested nested
                ? nested.query()
                : new Query(-1, 0, -1, List.of(), body, List.of(), null, null);
    }

    /** @param scope where the name of the expression is declared */
    Query.Recursion resolve(QueryResolver queries, Scope scope) {
        Query step = queries.query(alone(parts.right()), scope);
        Scope row = scope.nested();
        int slot = scope.block().newSlot();
        row.add(Kind.FROM, cte.name(), slot, -1);
        row.prefer(cte.name());
        ExprResolver ofRow = new ExprResolver(queries, row);
        Expr options = recursion.options() == null ? null : new ExprResolver(queries, scope).map(recursion.options());
        List<Expr> cycle = recursion.cycle().stream().map(ofRow::map).toList();
        return new Query.Recursion(step, parts.all(), cycle, slot, options);
    }

    // ---- references

    /** Counts the references in the FROM clauses of a body itself. */
    private static int references(Query.Body body, Cte cte) {
        return switch (body) {
            case Query.Nested nested -> references(nested.query().body(), cte);
            case Combined combined -> references(combined.left(), cte) + references(combined.right(), cte);
            case Query.Select select -> {
                int found = select.from() == null ? 0 : references(select.from(), cte);
                if (found > 1) {
                    throw cte.place()
                            .error(
                                    ErrorCode.RECURSION_TWICE,
                                    "Recursive reference '" + cte.name()
                                            + "' must not appear more than once in the FROM clause");
                }
                yield found;
            }
        };
    }

    private static int references(From from, Cte cte) {
        return switch (from) {
            case Query.PathTerm term -> isReference(term, cte) ? 1 : 0;
            case Query.Join join ->
                joined(join.kind(), references(join.left(), cte) + references(join.right(), cte), cte);
            case Query.KeyJoin join ->
                joined(join.kind(), references(join.left(), cte) + references(join.right(), cte), cte);
            case Query.Unnest unnest -> joined(unnest.kind(), references(unnest.left(), cte), cte);
            default -> 0;
        };
    }

    private static int joined(JoinKind kind, int found, Cte cte) {
        if (found > 0 && kind != JoinKind.INNER) {
            throw cte.place().error(ErrorCode.RECURSION_UNSUPPORTED, "recursive_with_unsupported: OUTER JOIN");
        }
        return found;
    }

    private static boolean isReference(Query.PathTerm term, Cte cte) {
        return term.namespace() == null && term.path().getFirst().equals(cte.name());
    }

    /** Refuses what has no meaning round by round, and counts all references. */
    private static final class Rules extends TreeMapper {

        private final Cte cte;
        private int references;
        private boolean outermost = true;

        Rules(Cte cte) {
            this.cte = cte;
        }

        @Override
        protected Query query(Query query) {
            boolean own = outermost;
            outermost = false;
            if (!own || !(query.body() instanceof Combined)) {
                refuse(!query.order().isEmpty(), "Order not allowed");
                refuse(query.limit() != null, "Limit not allowed");
                refuse(query.offset() != null, "Offset not allowed");
            }
            return super.query(query);
        }

        @Override
        protected Query.Select select(Query.Select select) {
            refuse(select.grouping() != null, "Grouping is not allowed");
            refuse(select.distinct(), "Distinct not allowed");
            return super.select(select);
        }

        @Override
        public Expr map(Expr expr) {
            if (expr instanceof Expr.Call call) {
                refuse(
                        call.over() != null || Functions.isAggregate(call.name()),
                        "Aggregates/Window functions are not allowed");
            }
            return super.map(expr);
        }

        @Override
        protected From from(From from) {
            if (from instanceof Query.PathTerm term && isReference(term, cte)) {
                references++;
            }
            return super.from(from);
        }

        private void refuse(boolean found, String what) {
            if (found) {
                throw refused(cte, what);
            }
        }
    }
}
