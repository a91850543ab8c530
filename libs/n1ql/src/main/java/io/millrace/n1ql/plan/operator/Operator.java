package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One step of a plan. Has no state; the cursors that it opens have. */
public interface Operator {

    /** Opens a cursor over rows that extend the given row by more slots. */
    Cursor<Frame> open(Frame row);

    /** Returns the output of EXPLAIN, the name of the operator first. */
    Explanation explain();

    /** The output of EXPLAIN for an operator. */
    final class Explanation {

        private final Map<String, Value> fields = new LinkedHashMap<>();

        public Explanation(String operator) {
            fields.put("#operator", Value.of(operator));
        }

        public Explanation with(String name, String text) {
            fields.put(name, Value.of(text));
            return this;
        }

        public Explanation with(String name, Value value) {
            fields.put(name, value);
            return this;
        }

        public Explanation over(Operator... inputs) {
            for (int i = 0; i < inputs.length; i++) {
                fields.put(
                        i == 0 ? "~child" : "~child" + (i + 1),
                        inputs[i].explain().value());
            }
            return this;
        }

        public Explanation withAll(String name, List<String> texts) {
            fields.put(name, ArrayValue.ofStrings(texts));
            return this;
        }

        public Value value() {
            return ObjectValue.of(fields);
        }
    }
}
