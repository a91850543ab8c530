package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.FreeRefs;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether the conditions of a query prove those of an index: by the same text, or by fewer values of the same key. */
final class Implication {

    private final ExprCompiler compiler;
    private final DocumentShape shape;
    private final List<Expr> conditions;
    private final List<Expr> shaped;

    Implication(ExprCompiler compiler, DocumentShape shape, List<Expr> conditions) {
        this.compiler = compiler;
        this.shape = shape;
        this.conditions = conditions;
        this.shaped = conditions.stream().map(shape::map).toList();
    }

    boolean proves(List<Expr> wanted) {
        return wanted.stream().allMatch(one -> shaped.contains(one) || isWider(one));
    }

    private boolean isConstant(Expr expr) {
        return FreeRefs.of(expr).refs().isEmpty() && compiler.constant(expr) != null;
    }

    private boolean isWider(Expr wanted) {
        Expr key = key(wanted);
        KeyLimit limit = key == null ? null : new KeyLimits(compiler, same(), key, this::isConstant).of(wanted);
        if (key == null || limit == null) {
            return false;
        }
        KeyLimits limits = new KeyLimits(compiler, shape, key, this::isConstant);
        KeyLimit given = null;
        for (Expr condition : conditions) {
            KeyLimit own = limits.of(condition);
            given = given == null ? own : own == null ? given : given.and(own);
        }
        if (given == null) {
            return false;
        }
        Frame none = new Frame(0, null, Execution.ofConstants());
        Intervals all = limit.at(none);
        return all.exact() && given.at(none).isWithin(all);
    }

    /** Conditions of an index are normalized already. */
    private static DocumentShape same() {
        return new DocumentShape(-1, -1, -1) {
            @Override
            public Expr map(Expr expr) {
                return expr;
            }
        };
    }

    private @Nullable Expr key(Expr condition) {
        if (!(condition instanceof Expr.Operation operation)) {
            return null;
        }
        for (Expr arg : operation.args()) {
            if (!isConstant(arg)) {
                Expr inner = arg instanceof Expr.Operation ? key(arg) : null;
                return inner == null ? arg : inner;
            }
        }
        return null;
    }
}
