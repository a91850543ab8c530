package io.millrace.n1ql.analysis;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.function.Functions;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.TreeMapper;
import java.util.List;

/** What expressions over one document have in common, in an index and in a condition that stands alone. */
public final class DocumentExprs {

    /** The keyspace in a statement that is made around an expression: its name would hide a field of the same name. */
    public static final String KEYSPACE = "` `";

    private DocumentExprs() {}

    /** Returns the error of an expression that depends on more than the document. */
    public static QueryException refusal(String subject, String what) {
        return refusal(subject, what, Place.NONE);
    }

    private static QueryException refusal(String subject, String what, Place place) {
        return place.error(ErrorCode.SEMANTICS, subject + " cannot depend on " + what + ".");
    }

    /**
     * Throws if an expression depends on anything but the document.
     *
     * @param subject what has the expression, as the first words of the error
     */
    public static void requireNothingElse(String subject, Expr expr) {
        new Refusals(subject).map(expr);
    }

    /** Returns the size of the row in which expressions over the document of a statement are computed. */
    public static int slots(Statement.Target target, List<Expr> exprs) {
        Highest highest = new Highest(Math.max(target.slot(), target.metaSlot()));
        exprs.forEach(highest::map);
        return highest.slot + 1;
    }

    /** Finds what makes the value of an expression differ for the same document. */
    private static final class Refusals extends TreeMapper {

        private final String subject;

        Refusals(String subject) {
            this.subject = subject;
        }

        @Override
        public Expr map(Expr expr) {
            if (expr instanceof Expr.Param) {
                throw refusal(subject, "a parameter");
            }
            if (expr instanceof Expr.Subquery) {
                throw refusal(subject, "a subquery");
            }
            if (expr instanceof Expr.Call call) {
                FunctionSpec function = Functions.find(call.name());
                if (function != null && (!function.stable() || function.aggregate() || function.window())) {
                    throw refusal(subject, call.name() + "()", call.place());
                }
            }
            return children(expr);
        }
    }

    /** Finds the highest slot. */
    private static final class Highest extends TreeMapper {

        private int slot;

        Highest(int slot) {
            this.slot = slot;
        }

        private void note(List<Expr.Binding> bindings) {
            bindings.forEach(binding -> slot = Math.max(slot, Math.max(binding.slot(), binding.keySlot())));
        }

        @Override
        public Expr map(Expr expr) {
            if (expr instanceof Expr.Quantified quantified) {
                note(quantified.bindings());
            }
            if (expr instanceof Expr.Comprehension comprehension) {
                comprehension.levels().forEach(this::note);
            }
            return children(expr);
        }
    }
}
