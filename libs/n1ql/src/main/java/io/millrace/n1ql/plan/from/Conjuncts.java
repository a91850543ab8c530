package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.syntax.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The conditions of a WHERE that no operator applies yet; operators take those that they can apply. */
public final class Conjuncts {

    private final int block;
    private final List<Expr> left = new ArrayList<>();

    public Conjuncts(int block, @Nullable Expr where) {
        this.block = block;
        left.addAll(Expr.conjuncts(where));
    }

    Conjuncts(int block, List<Expr> conditions) {
        this.block = block;
        left.addAll(conditions);
    }

    public List<Expr> all() {
        return left;
    }

    /** Takes the conditions that read none of the given slots. */
    List<Expr> takeWithout(Set<Integer> unknownSlots) {
        List<Expr> taken = new ArrayList<>();
        for (Iterator<Expr> exprs = left.iterator(); exprs.hasNext(); ) {
            Expr expr = exprs.next();
            if (FreeRefs.of(expr).slotsOf(block).stream().noneMatch(unknownSlots::contains)) {
                taken.add(expr);
                exprs.remove();
            }
        }
        return taken;
    }

    /** Filters rows; subqueries that depend on the row run only for those that fulfil all other conditions. */
    public static Operator filter(Operator input, List<Expr> conditions, ExprCompiler compiler) {
        if (conditions.isEmpty()) {
            return input;
        }
        int block = compiler.blocks().block();
        List<Expr> cheapFirst = conditions.stream()
                .sorted(Comparator.comparing(condition -> FreeRefs.of(condition).hasSubqueryOf(block)))
                .toList();
        Expr all = cheapFirst.size() == 1 ? cheapFirst.getFirst() : new Expr.Operation(Op.AND, cheapFirst, Place.NONE);
        return new RowOperators.Filter(input, compiler.compile(all), text(cheapFirst));
    }

    static String text(List<Expr> conditions) {
        return conditions.stream().map(ExprText::of).collect(Collectors.joining(" and "));
    }
}
