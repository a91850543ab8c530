package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.keyspace.Keyspace.KeyRange;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import org.jspecify.annotations.Nullable;

/** The range of keys that conditions on META().id allow; its bounds may depend on parameters and outer rows. */
record KeyRanges(
        @Nullable Eval from, boolean fromIncluded, @Nullable Eval to, boolean toIncluded) {

    static final KeyRanges ALL = new KeyRanges(null, true, null, true);

    private static final KeyRange NOTHING = new KeyRange("", false, "", false);

    /** Returns the range, or null if an end is not a text, so that it does not decide the conditions. */
    @Nullable
    KeyRange exactly(Frame row) {
        boolean texts = (from == null || from.eval(row).isString())
                && (to == null || to.eval(row).isString());
        return texts ? at(row) : null;
    }

    KeyRange at(Frame row) {
        String start = null;
        String end = null;
        if (from != null) {
            Value value = from.eval(row);
            if (!(value instanceof StringValue text)) {
                // comparison with a value that is not a string: keys are above numbers and below arrays
                return value.isUnknown() || value.isArray() || value.isObject() ? NOTHING : withoutStart(row);
            }
            start = text.text();
        }
        if (to != null) {
            Value value = to.eval(row);
            if (!(value instanceof StringValue text)) {
                return value.isArray() || value.isObject() ? new KeyRange(start, fromIncluded, null, true) : NOTHING;
            }
            end = text.text();
        }
        return new KeyRange(start, fromIncluded, end, toIncluded);
    }

    private KeyRange withoutStart(Frame row) {
        return new KeyRanges(null, true, to, toIncluded).at(row);
    }

    Operator.Explanation explain(Operator.Explanation explanation) {
        if (from == null && to == null) {
            return explanation;
        }
        return explanation.with("range", from == null ? "below" : to == null ? "above" : "between");
    }
}
