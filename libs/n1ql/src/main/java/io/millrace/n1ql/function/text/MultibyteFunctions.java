package io.millrace.n1ql.function.text;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.StatementLimits;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;

/** Functions of strings whose positions and lengths count characters. */
final class MultibyteFunctions {

    private MultibyteFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(1, 1, Args.ofString(text -> Value.of((long) length(text))), "mb_length");
        registrar.add(2, 2, position(0), "mb_position", "mb_pos", "mb_position0", "mb_pos0");
        registrar.add(2, 2, position(1), "mb_position1", "mb_pos1");
        registrar.add(2, 3, (args, context) -> substring(args, 0), "mb_substr", "mb_substr0");
        registrar.add(2, 3, (args, context) -> substring(args, 1), "mb_substr1");
        registrar.add(2, 3, (args, context) -> pad(args, true), "mb_lpad");
        registrar.add(2, 3, (args, context) -> pad(args, false), "mb_rpad");
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static FunctionSpec.Body position(int first) {
        return Args.ofStrings((text, part) -> {
            Bounds.search(text, part, "MB_POSITION()");
            int at = text.indexOf(part);
            return Value.of(at < 0 ? first - 1L : text.codePointCount(0, at) + (long) first);
        });
    }

    private static String slice(String text, int from, int to) {
        return text.substring(text.offsetByCodePoints(0, from), text.offsetByCodePoints(0, to));
    }

    private static Value substring(Value[] args, int first) {
        if (!(args[0] instanceof StringValue text)) {
            return Args.unknown(args);
        }
        int[] range = StringFunctions.range(args, length(text.text()), first);
        return range == null ? Args.unknown(args) : Value.of(slice(text.text(), range[0], range[1]));
    }

    private static Value pad(Value[] args, boolean left) {
        if (!(args[0] instanceof StringValue text) || args.length > 2 && !args[2].isString()) {
            return Args.unknown(args);
        }
        Long wanted = Args.whole(args[1]);
        String padding = args.length > 2 ? ((StringValue) args[2]).text() : " ";
        if (Args.anyMissing(args) || wanted == null || wanted < 0 || padding.isEmpty()) {
            return Args.unknown(args);
        }
        if (wanted > StatementLimits.MAX_RESULT_LENGTH) {
            throw QueryException.outOfRange(left ? "MB_LPAD()" : "MB_RPAD()");
        }
        int size = wanted.intValue();
        int missing = size - length(text.text());
        if (missing <= 0) {
            return Value.of(slice(text.text(), 0, size));
        }
        String gap = slice(padding.repeat(missing / length(padding) + 1), 0, missing);
        return Value.of(left ? gap + text.text() : text.text() + gap);
    }
}
