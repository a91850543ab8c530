package io.millrace.n1ql.analysis;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Over;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.Query.Computed;
import io.millrace.n1ql.syntax.Query.NamedWindow;
import io.millrace.n1ql.syntax.TreeMapper;
import java.util.ArrayList;
import java.util.List;

/** Replaces window functions by slots, and completes their windows from the WINDOW clause. */
final class WindowCollector extends TreeMapper {

    private final Block block;
    private final List<NamedWindow> windows;
    private final List<Computed> calls = new ArrayList<>();

    WindowCollector(Block block, List<NamedWindow> windows) {
        this.block = block;
        this.windows = windows;
    }

    List<Computed> calls() {
        return calls;
    }

    @Override
    public Expr map(Expr expr) {
        if (!(expr instanceof Expr.Call call) || call.over() == null) {
            // the windows of a subquery belong to the subquery
            return expr instanceof Expr.Subquery ? expr : children(expr);
        }
        Expr.Call full = new Expr.Call(
                call.name(),
                call.args(),
                call.star(),
                call.distinct(),
                call.filter(),
                complete(call.over(), windows, call),
                call.place());
        WindowRules.check(full);
        for (Computed known : calls) {
            if (known.call().equals(full)) {
                return block.ref(known.slot(), ExprText.of(full));
            }
        }
        Computed computed = new Computed(full, block.newSlot());
        calls.add(computed);
        return block.ref(computed.slot(), ExprText.of(full));
    }

    /** A window may refer to an earlier one. */
    private static Over complete(Over over, List<NamedWindow> visible, Expr.Call call) {
        if (over.window() == null) {
            return over;
        }
        int at = 0;
        while (at < visible.size() && !visible.get(at).name().equals(over.window())) {
            at++;
        }
        if (at == visible.size()) {
            throw call.place()
                    .error(ErrorCode.WINDOW, "Window " + over.window() + " not in the scope of window clause");
        }
        Over base = complete(visible.get(at).spec(), visible.subList(0, at), call);
        if (!over.partition().isEmpty()
                || !over.order().isEmpty() && !base.order().isEmpty()) {
            throw call.place()
                    .error(ErrorCode.WINDOW, "Window " + over.window() + " cannot be redefined by its reference");
        }
        return new Over(
                null,
                base.partition(),
                over.order().isEmpty() ? base.order() : over.order(),
                over.frame() == null ? base.frame() : over.frame(),
                over.fromLast(),
                over.ignoreNulls());
    }
}
