package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One step of a plan. Has no state; the cursors that it opens have. */
public interface Operator {

    /** Opens a cursor over rows that extend the given row by more slots. */
    Cursor<Frame> open(Frame row);

    /** Returns the output of EXPLAIN for a run that would begin with this row, the name of the operator first. */
    Explanation explain(Frame row);

    /** What reading a document costs, in entries of an index: entries come in pages, documents one by one. */
    double DOCUMENT = 8;

    /** What asking an index for a range costs besides what it has there, in entries. */
    double LOOKUP = 4;

    /** Returns what reading all rows would cost in this run, in entries of an index; infinite if that is not known. */
    default double reads(Frame row) {
        return Double.POSITIVE_INFINITY;
    }

    /** Returns how many rows there are in this run, or 0 if that is not known. */
    default double rowCount(Frame row) {
        return 0;
    }

    /** Returns whether the rows of this run come in the order that the query wants, as far as that is known. */
    default boolean ordered(Frame row) {
        return false;
    }

    /** The output of EXPLAIN for an operator. */
    final class Explanation {

        private final Map<String, Value> fields = new LinkedHashMap<>();
        private boolean ordered;
        private double rows = Double.NaN;
        private double cost = Double.NaN;

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

        public Explanation over(Frame row, Operator... inputs) {
            return over(Arrays.stream(inputs).map(input -> input.explain(row)).toArray(Explanation[]::new));
        }

        public Explanation over(Explanation... inputs) {
            for (int i = 0; i < inputs.length; i++) {
                fields.put(i == 0 ? "~child" : "~child" + (i + 1), inputs[i].value());
            }
            return this;
        }

        /** Adds the input of an operator that does not change the order of the rows and has no more of them. */
        public Explanation along(Frame row, Operator input) {
            Explanation child = input.explain(row);
            ordered = child.ordered;
            rows = child.rows;
            cost = child.cost;
            return over(child);
        }

        /** Records that the rows come in the order that the query wants. */
        public Explanation inOrder(boolean wanted) {
            ordered = wanted;
            return this;
        }

        public boolean isInOrder() {
            return ordered;
        }

        /** Adds how many rows are expected, and what they cost, if both are known: they are not if they are NaN. */
        public Explanation expecting(double expected, double expectedCost) {
            rows = expected;
            cost = expectedCost;
            return Double.isFinite(rows + cost)
                    ? with("cardinality", Value.of(Math.round(rows))).with("cost", Value.of(Math.round(cost)))
                    : this;
        }

        /** Returns how many rows are expected, at the most; NaN if that is not known. */
        public double rows() {
            return rows;
        }

        /** Returns what the rows cost; NaN if that is not known. */
        public double cost() {
            return cost;
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
