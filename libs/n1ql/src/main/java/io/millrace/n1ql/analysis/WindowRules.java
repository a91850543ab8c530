package io.millrace.n1ql.analysis;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Bound;
import io.millrace.n1ql.syntax.Expr.Frame;
import io.millrace.n1ql.syntax.Expr.Over;
import java.util.Locale;
import java.util.Set;

/** The clauses that a window may have, by function; aggregates allow all. */
final class WindowRules {

    private static final Set<String> NEED_ORDER =
            Set.of("cume_dist", "dense_rank", "lag", "lead", "ntile", "percent_rank", "rank");

    private static final Set<String> WITHOUT_FRAME =
            Set.of("cume_dist", "dense_rank", "lag", "lead", "ntile", "percent_rank", "rank", "row_number");

    private static final Set<String> IGNORE_NULLS = Set.of("first_value", "last_value", "nth_value", "lag", "lead");

    private WindowRules() {}

    /** Rejects a call whose complete window has clauses that its function does not allow. */
    static void check(Expr.Call call) {
        Over over = call.over();
        if (over == null) {
            return;
        }
        call.args().forEach(GroupRewriter::refuseWindows);
        over.partition().forEach(GroupRewriter::refuseWindows);
        over.order().forEach(term -> GroupRewriter.refuseWindows(term.expr()));
        String name = call.name();
        if (NEED_ORDER.contains(name) && over.order().isEmpty()) {
            throw refused(call, "needs an ORDER BY clause");
        }
        if (WITHOUT_FRAME.contains(name) && over.frame() != null) {
            throw refused(call, "cannot have a frame");
        }
        if (over.ignoreNulls() && !IGNORE_NULLS.contains(name)) {
            throw refused(call, "cannot have a NULLS modifier");
        }
        if (over.fromLast() && !name.equals("nth_value")) {
            throw refused(call, "cannot have a FROM modifier");
        }
        if (over.frame() != null) {
            check(call, over, over.frame());
        }
    }

    private static void check(Expr.Call call, Over over, Frame frame) {
        Bound.Kind from = frame.from().kind();
        Bound.Kind to = frame.to().kind();
        boolean backwards = from.compareTo(to) > 0
                || from == Bound.Kind.UNBOUNDED_FOLLOWING
                || to == Bound.Kind.UNBOUNDED_PRECEDING;
        if (backwards) {
            throw refused(call, "has a frame that ends before it begins");
        }
        boolean distance = frame.from().distance() != null || frame.to().distance() != null;
        if (distance && frame.unit() == Frame.Unit.RANGE && over.order().size() != 1) {
            throw refused(call, "needs an ORDER BY clause of one term for a RANGE of values");
        }
        if (frame.unit() == Frame.Unit.GROUPS && over.order().isEmpty()) {
            throw refused(call, "needs an ORDER BY clause for a frame of GROUPS");
        }
    }

    private static QueryException refused(Expr.Call call, String why) {
        return call.place().error(ErrorCode.WINDOW, call.name().toUpperCase(Locale.ROOT) + " window function " + why);
    }
}
