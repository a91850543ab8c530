package io.millrace.n1ql.syntax;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.function.Functions;
import io.millrace.n1ql.function.spec.FunctionSpec;
import java.util.Locale;

/** Rejects unknown functions and calls with invalid arguments. */
final class FunctionCheck {

    private FunctionCheck() {}

    static Expr.Call checked(Expr.Call call) {
        boolean self = call.name().equals("self") && call.args().isEmpty();
        if (self) {
            return call;
        }
        if (call.name().equals("meta")) {
            checkCount(call, 0, 1);
            return call;
        }
        if (call.name().equals("unnest_pos") || call.name().equals("unnest_position")) {
            checkCount(call, 1, 1);
            return call;
        }
        FunctionSpec spec = Functions.find(call.name());
        if (spec == null) {
            throw call.place()
                    .error(
                            ErrorCode.SYNTAX,
                            "Invalid function " + call.name() + " (resolving to default:" + call.name() + ")");
        }
        checkCount(call, spec.minArgs(), spec.maxArgs());
        boolean aggregate = spec.aggregate();
        if (call.star() && !(aggregate && call.name().equals("count"))) {
            throw call.place().error(ErrorCode.SYNTAX, "syntax error - * in " + call.name());
        }
        if ((call.distinct() || call.filter() != null) && !aggregate || call.over() != null && !spec.window()) {
            throw call.place().error(ErrorCode.SYNTAX, "syntax error - " + call.name() + " is not an aggregate");
        }
        if (call.over() == null && spec.window() && !aggregate) {
            throw call.place().error(ErrorCode.WINDOW, "window function " + call.name() + " needs OVER");
        }
        return call;
    }

    private static void checkCount(Expr.Call call, int min, int max) {
        int count = call.star() ? 1 : call.args().size();
        if (count < min || count > max) {
            String wanted = min == max ? Integer.toString(min) : "between " + min + " and " + max;
            throw call.place()
                    .error(
                            ErrorCode.SYNTAX,
                            "Number of arguments to function " + call.name().toUpperCase(Locale.ROOT) + " must be "
                                    + wanted);
        }
    }
}
