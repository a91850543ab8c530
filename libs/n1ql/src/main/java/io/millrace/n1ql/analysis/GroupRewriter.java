package io.millrace.n1ql.analysis;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.function.Functions;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Query.Computed;
import io.millrace.n1ql.syntax.Query.GroupKey;
import io.millrace.n1ql.syntax.TreeMapper;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites expressions over rows to expressions over groups: keys and aggregates become slots, and other references to
 * rows are rejected.
 */
final class GroupRewriter extends TreeMapper {

    private final Block block;
    private final List<GroupKey> keys;
    private final BitSet rowSlots;
    private final List<Computed> aggregates = new ArrayList<>();

    GroupRewriter(Block block, List<GroupKey> keys, BitSet rowSlots) {
        this.block = block;
        this.keys = keys;
        this.rowSlots = rowSlots;
    }

    List<Computed> aggregates() {
        return aggregates;
    }

    @Override
    public Expr map(Expr expr) {
        for (GroupKey key : keys) {
            if (key.expr().equals(expr)) {
                return block.ref(key.slot(), ExprText.of(expr));
            }
        }
        if (expr instanceof Expr.Call call && call.over() == null && Functions.isAggregate(call.name())) {
            return aggregate(call);
        }
        if (dependsOnRow(expr)) {
            throw placeOf(expr)
                    .error(
                            ErrorCode.NOT_A_GROUP_KEY,
                            "Expression (" + ExprText.of(expr) + ") must depend only on group keys or aggregates");
        }
        return children(expr);
    }

    private Expr aggregate(Expr.Call call) {
        for (Computed known : aggregates) {
            if (known.call().equals(call)) {
                return block.ref(known.slot(), ExprText.of(call));
            }
        }
        if (containsAggregate(call.args())) {
            throw call.place().error(ErrorCode.SYNTAX, "Nested aggregates are not allowed");
        }
        call.args().forEach(GroupRewriter::refuseWindows);
        refuseOverRows(call.filter());
        Computed computed = new Computed(call, block.newSlot());
        aggregates.add(computed);
        return block.ref(computed.slot(), ExprText.of(call));
    }

    private static boolean containsAggregate(List<Expr> exprs) {
        return exprs.stream().anyMatch(GroupRewriter::containsAggregate);
    }

    /** Returns whether an expression has an aggregate of its own query. */
    static boolean containsAggregate(@Nullable Expr expr) {
        return expr != null && new AggregateSearch().first(expr) != null;
    }

    /** Rejects aggregates and windows in clauses that are evaluated per row. */
    static void refuseOverRows(@Nullable Expr expr) {
        Expr.Call aggregate = expr == null ? null : new AggregateSearch().first(expr);
        if (aggregate != null) {
            throw aggregate
                    .place()
                    .error(
                            ErrorCode.SYNTAX,
                            "Aggregates not available for this phase: " + ExprText.of(aggregate)
                                    + " needs all rows of a group, and this clause sees one row;"
                                    + " write the condition in HAVING, or the query in a subquery");
        }
        refuseWindows(expr);
    }

    /** Rejects windows in clauses that are evaluated before all groups are known. */
    static void refuseWindows(@Nullable Expr expr) {
        Expr.Call window = expr == null ? null : new WindowSearch().first(expr);
        if (window != null) {
            throw window.place()
                    .error(
                            ErrorCode.WINDOW,
                            "Window functions not available for this phase: " + window.name()
                                    + " OVER can be used in SELECT and ORDER BY");
        }
    }

    private static final class WindowSearch extends TreeMapper {

        private Expr.@Nullable Call found;

        Expr.@Nullable Call first(Expr expr) {
            map(expr);
            return found;
        }

        @Override
        public Expr map(Expr expr) {
            if (found == null && expr instanceof Expr.Call call && call.over() != null) {
                found = call;
            }
            return expr instanceof Expr.Subquery ? expr : children(expr);
        }
    }

    /** Errors name the longest path that starts at a value of the row. */
    private boolean dependsOnRow(Expr expr) {
        return switch (expr) {
            case Expr.Ref ref -> ref.block() == block.id() && rowSlots.get(ref.slot());
            case Expr.Field field -> isPath(field.base()) && noPartIsKey(field.base()) && dependsOnRow(field.base());
            default -> false;
        };
    }

    private static boolean isPath(Expr expr) {
        return expr instanceof Expr.Ref || expr instanceof Expr.Field;
    }

    private boolean noPartIsKey(Expr expr) {
        return keys.stream().noneMatch(key -> key.expr().equals(expr))
                && (!(expr instanceof Expr.Field field) || noPartIsKey(field.base()));
    }

    private static Place placeOf(Expr expr) {
        return expr instanceof Expr.Field field ? field.place() : Place.NONE;
    }

    private static final class AggregateSearch extends TreeMapper {

        private Expr.@Nullable Call found;

        Expr.@Nullable Call first(Expr expr) {
            map(expr);
            return found;
        }

        @Override
        public Expr map(Expr expr) {
            if (expr instanceof Expr.Call call && call.over() == null && Functions.isAggregate(call.name())) {
                found = found == null ? call : found;
                return expr;
            }
            // aggregates in a subquery belong to the subquery
            return expr instanceof Expr.Subquery ? expr : children(expr);
        }
    }
}
