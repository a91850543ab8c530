package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.value.Value;
import java.util.Comparator;
import java.util.List;

/**
 * What rows are sorted by; compares the keys of rows.
 *
 * @param keys of a row, one for each term
 */
public record RowOrder(Eval[] keys, List<SortTerm> terms) implements Comparator<Value[]> {

    public static RowOrder of(List<SortTerm> terms, ExprCompiler compiler) {
        return new RowOrder(compiler.all(terms.stream().map(SortTerm::expr).toList()), terms);
    }

    public int size() {
        return keys.length;
    }

    public Value[] keysOf(Frame row) {
        Value[] values = new Value[keys.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = keys[i].eval(row);
        }
        return values;
    }

    @Override
    public int compare(Value[] left, Value[] right) {
        for (int i = 0; i < keys.length; i++) {
            int order = terms.get(i).compare(left[i], right[i]);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** Returns the terms as EXPLAIN shows them. */
    public List<String> texts() {
        return terms.stream()
                .map(term -> ExprText.of(term.expr()) + (term.descending() ? " desc" : ""))
                .toList();
    }
}
