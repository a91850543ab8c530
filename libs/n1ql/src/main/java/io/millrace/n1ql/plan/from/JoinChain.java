package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.From;
import io.millrace.n1ql.syntax.Query.JoinKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Inner joins of keyspaces that do not depend on each other, so that they give the same rows in any order.
 *
 * @param conditions all conditions of the joins, and those of WHERE that compare terms
 * @param movable whether hints leave the order to the plan
 */
record JoinChain(int block, List<Query.KeyspaceTerm> terms, List<Expr> conditions, boolean movable) {

    /** More terms are joined in the order of the text: the search doubles with each term. */
    private static final int MOST_TERMS = 8;

    /** A FROM clause, and the conditions that are left for WHERE. */
    record Written(From from, List<Expr> where) {}

    /**
     * Returns the chain that a FROM clause is, or null if its rows depend on the order of its text.
     *
     * @param unknown the slots that FROM and LET fill
     */
    static @Nullable JoinChain of(From from, int block, List<Expr> where, Set<Integer> unknown) {
        LinkedList<Query.KeyspaceTerm> terms = new LinkedList<>();
        LinkedList<Expr> conditions = new LinkedList<>();
        From rest = from;
        while (rest instanceof Query.Join join) {
            if (join.kind() != JoinKind.INNER || join.nest() || !(join.right() instanceof Query.KeyspaceTerm term)) {
                return null;
            }
            terms.addFirst(term);
            conditions.addAll(0, Expr.conjuncts(join.on()));
            rest = join.left();
        }
        if (!(rest instanceof Query.KeyspaceTerm first) || terms.isEmpty() || terms.size() >= MOST_TERMS) {
            return null;
        }
        terms.addFirst(first);
        Set<Integer> slots = new HashSet<>();
        terms.forEach(term -> slots.addAll(FromSlots.slotsOf(term)));
        for (Query.KeyspaceTerm term : terms) {
            boolean system = KeyspaceRef.isSystem(term.path());
            boolean lateral = FreeRefs.of(term).slotsOf(block).stream().anyMatch(slots::contains);
            if (system || lateral || term.parameter() != null) {
                return null;
            }
        }
        boolean hinted = terms.stream()
                .anyMatch(term -> term.use().ordered() || term.use().strategy() != null);
        JoinChain chain = new JoinChain(block, List.copyOf(terms), conditions, !hinted);
        Set<Integer> others = new HashSet<>(unknown);
        others.removeAll(slots);
        for (Expr condition : where) {
            Set<Integer> read = FreeRefs.of(condition).slotsOf(block);
            boolean ofTheChain = read.stream().noneMatch(others::contains);
            if (ofTheChain
                    && terms.stream()
                                    .filter(term -> reads(condition, block, term))
                                    .count()
                            > 1) {
                conditions.add(condition);
            }
        }
        return chain;
    }

    /** A condition has slots of its own too: the variables of ANY and EVERY. */
    private static boolean reads(Expr condition, int block, Query.KeyspaceTerm term) {
        Set<Integer> read = FreeRefs.of(condition).slotsOf(block);
        return FromSlots.slotsOf(term).stream().anyMatch(read::contains);
    }

    private boolean readsOnly(Expr condition, Collection<Query.KeyspaceTerm> known) {
        return terms.stream().noneMatch(term -> !known.contains(term) && reads(condition, block, term));
    }

    /** Returns the conditions on a term alone among these and those of the joins. */
    List<Expr> own(Query.KeyspaceTerm term, List<Expr> where) {
        return Stream.concat(where.stream(), conditions.stream())
                .filter(condition -> readsOnly(condition, List.of(term)))
                .toList();
    }

    /** Returns the conditions of the joins on two terms or one of them. */
    List<Expr> on(Query.KeyspaceTerm one, Query.KeyspaceTerm other) {
        return conditions.stream()
                .filter(condition -> readsOnly(condition, List.of(one, other)))
                .toList();
    }

    /** Returns the conditions of the joins that read both terms and no other. */
    List<Expr> comparing(Query.KeyspaceTerm one, Query.KeyspaceTerm other) {
        return on(one, other).stream()
                .filter(condition -> reads(condition, block, one) && reads(condition, block, other))
                .toList();
    }

    /** Writes the joins in an order. Each condition belongs to the first join that knows all of its terms. */
    Written inOrder(int[] order, List<Expr> where) {
        List<Expr> left = new ArrayList<>(conditions);
        List<Expr> rest = new ArrayList<>(where);
        rest.removeAll(conditions);
        List<Query.KeyspaceTerm> known = new ArrayList<>();
        From from = null;
        for (int number : order) {
            Query.KeyspaceTerm term = terms.get(number);
            known.add(term);
            List<Expr> taken = left.stream()
                    .filter(condition -> readsOnly(condition, known))
                    .toList();
            left.removeAll(taken);
            if (from == null) {
                rest.addAll(taken);
            }
            from = from == null ? term : new Query.Join(JoinKind.INNER, false, from, term, Expr.and(taken));
        }
        return new Written(Objects.requireNonNull(from), rest);
    }
}
