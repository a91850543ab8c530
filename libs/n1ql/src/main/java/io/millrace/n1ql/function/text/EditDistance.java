package io.millrace.n1ql.function.text;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;

/** EDIT_DISTANCE: how many characters must be added, removed or replaced to make one text of another. */
final class EditDistance {

    /** The longest text that is compared, in characters: the time grows with the product of both lengths. */
    private static final int LONGEST = 10_000;

    private EditDistance() {}

    static Value apply(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof StringValue left) || !(args[1] instanceof StringValue right)) {
            return Args.unknown(args);
        }
        int[] from = left.text().codePoints().toArray();
        int[] to = right.text().codePoints().toArray();
        if (Math.max(from.length, to.length) > LONGEST) {
            throw QueryException.outOfRange(
                    "EDIT_DISTANCE(): texts of at most " + LONGEST + " characters are compared");
        }
        return Value.of((long) of(from, to, context));
    }

    private static int of(int[] from, int[] to, FunctionContext context) {
        int[] above = new int[to.length + 1];
        for (int j = 0; j <= to.length; j++) {
            above[j] = j;
        }
        for (int i = 1; i <= from.length; i++) {
            int[] row = new int[to.length + 1];
            row[0] = i;
            for (int j = 1; j <= to.length; j++) {
                int replaced = above[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
            context.check();
        }
        return above[to.length];
    }
}
