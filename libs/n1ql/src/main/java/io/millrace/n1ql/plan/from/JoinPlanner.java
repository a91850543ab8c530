package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.plan.from.Joins.Shape;
import io.millrace.n1ql.plan.index.IndexChoice;
import io.millrace.n1ql.plan.index.ScanChoice;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.From;
import io.millrace.n1ql.syntax.Query.JoinKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plans how two sides are joined: by keys of documents, by an index of the right side, by a hash table, or each row with
 * each.
 */
final class JoinPlanner {

    private final FromPlanner terms;
    private final ExprCompiler compiler;
    private final int block;

    /** @param terms plans the sides */
    JoinPlanner(FromPlanner terms, ExprCompiler compiler) {
        this.terms = terms;
        this.compiler = compiler;
        this.block = compiler.blocks().block();
    }

    Operator byKeys(Query.KeyJoin join, boolean mayFilter) {
        Operator left = terms.plan(join.left(), mayFilter);
        Query.KeyspaceTerm right = (Query.KeyspaceTerm) join.right();
        return new Joins.KeyJoin(
                left,
                KeyspaceRef.of(right),
                terms.slots(right),
                compiler.compile(join.keys()),
                false,
                null,
                new Shape(join.kind() == JoinKind.LEFT, join.nest() ? right.slot() : -1, filledSlots(right)),
                ExprText.of(join.keys()));
    }

    Operator join(Query.Join join, boolean mayFilter) {
        boolean rightOuter = join.kind() == JoinKind.RIGHT;
        Operator left = terms.plan(join.left(), mayFilter && !rightOuter);
        From right = join.right();
        Set<Integer> rightSlots = FromSlots.slotsOf(right);
        int[] filled = filledSlots(right);
        boolean depends = FreeRefs.of(right).slotsOf(block).stream().anyMatch(FromSlots.slotsOf(join.left())::contains);
        String text = join.on() == null ? "" : ExprText.of(join.on());
        Eval on = compiler.optional(join.on());
        if (rightOuter) {
            if (join.nest() || depends) {
                throw Place.NONE.error(ErrorCode.SEMANTICS, "RIGHT OUTER JOIN cannot depend on its left side");
            }
            return new Joins.RightJoin(left, rightSide(right, List.of()), on, filled, text);
        }
        Shape shape = new Shape(join.kind() == JoinKind.LEFT, join.nest() ? FromSlots.nestSlot(right) : -1, filled);
        if (right instanceof Query.KeyspaceTerm term && term.use().keys() == null && !depends) {
            Expr keys =
                    new KeyConditions(compiler, term.metaSlot(), unknownOn(rightSlots)).keys(Expr.conjuncts(join.on()));
            if (keys != null) {
                Eval found = compiler.compile(keys);
                return new Joins.KeyJoin(left, KeyspaceRef.of(term), terms.slots(term), found, true, on, shape, text);
            }
        }
        if (depends) {
            return new Joins.NestedLoopJoin(left, rightSide(right, List.of()), on, shape, text);
        }
        List<Expr> conditions = conditionsOn(join, mayFilter);
        IndexJoin.Rest all = readingAll(left, rightSide(right, conditions), join, rightSlots, shape);
        ScanChoice probe = right instanceof Query.KeyspaceTerm term ? probe(term, join, conditions, rightSlots) : null;
        if (probe == null) {
            return all;
        }
        boolean mayChange = ((Query.KeyspaceTerm) right).use().strategy() != Query.Strategy.NESTED_LOOP;
        return new IndexJoin(left, probe, on, shape, text, all, mayChange, terms.ends(), terms.order());
    }

    /** Joins with the whole right side: by a hash table if values must be equal, else every pair. */
    private IndexJoin.Rest readingAll(
            Operator left, Operator rightSide, Query.Join join, Set<Integer> rightSlots, Shape shape) {
        String text = join.on() == null ? "" : ExprText.of(join.on());
        Eval on = compiler.optional(join.on());
        List<EqualValues> equal = EqualValues.of(Expr.conjuncts(join.on()), block, rightSlots);
        Query.Strategy strategy =
                join.right() instanceof Query.KeyspaceTerm term ? term.use().strategy() : null;
        if (equal.isEmpty() || strategy == Query.Strategy.NESTED_LOOP) {
            return new Joins.MaterializedJoin(left, rightSide, on, shape, text);
        }
        Eval[] leftKeys =
                equal.stream().map(pair -> compiler.compile(pair.left())).toArray(Eval[]::new);
        Eval[] rightKeys =
                equal.stream().map(pair -> compiler.compile(pair.right())).toArray(Eval[]::new);
        boolean readsLeftFirst = strategy == Query.Strategy.HASH_PROBE && join.kind() == JoinKind.INNER && !join.nest();
        if (readsLeftFirst) {
            Shape swapped = new Shape(false, -1, filledSlots(join.left()));
            return new Joins.HashJoin(rightSide, left, rightKeys, leftKeys, on, swapped, text);
        }
        return new Joins.HashJoin(left, rightSide, leftKeys, rightKeys, on, shape, text);
    }

    /**
     * Returns the conditions on rows of the right side without which they are not needed. Those of WHERE are not among them
     * below a RIGHT JOIN: a row that they remove there would be missing as a match.
     */
    private List<Expr> conditionsOn(Query.Join join, boolean mayFilter) {
        List<Expr> conditions = new ArrayList<>(Expr.conjuncts(join.on()));
        if (mayFilter && join.kind() == JoinKind.INNER && !join.nest()) {
            conditions.addAll(terms.conditions());
        }
        return conditions;
    }

    /** Returns a look-up of the matches of a left row by an index of the right side, or null. */
    private @Nullable ScanChoice probe(
            Query.KeyspaceTerm term, Query.Join join, List<Expr> conditions, Set<Integer> rightSlots) {
        Query.Strategy strategy = term.use().strategy();
        boolean hashed = strategy == Query.Strategy.HASH_BUILD || strategy == Query.Strategy.HASH_PROBE;
        boolean system = KeyspaceRef.isSystem(term.path());
        if (hashed || system || term.use().keys() != null) {
            return null;
        }
        return new IndexChoice(compiler, term, unknownOn(rightSlots), terms.wish())
                .probe(
                        terms.queries().indexes().of(KeyspaceRef.of(term)),
                        terms.withoutLets(conditions),
                        terms.slots(term),
                        FromSlots.slotsOf(join.left()));
    }

    /** Returns the slots that scans fill, including those of values that an index has. */
    private int[] filledSlots(From right) {
        Set<Integer> filled = FromSlots.slotsOf(right);
        for (int slot : FromSlots.slotsOf(right)) {
            filled.addAll(terms.wish().covers().slotsOf(slot));
        }
        return filled.stream().mapToInt(slot -> slot).toArray();
    }

    private Set<Integer> unknownOn(Set<Integer> rightSlots) {
        return Stream.concat(terms.unknown().stream(), rightSlots.stream()).collect(Collectors.toSet());
    }

    /** Plans the right side of a join; those of the conditions that read only the right side are applied below the join. */
    private Operator rightSide(From right, List<Expr> conditions) {
        List<Expr> own = new ArrayList<>(conditions);
        Set<Integer> slots = FromSlots.slotsOf(right);
        own.removeIf(condition -> !readsOnly(condition, slots));
        Operator source = switch (right) {
            case Query.KeyspaceTerm term -> terms.keyspace(term, own);
            case Query.ExprTermFrom term -> terms.expression(term);
            case Query.SubqueryTerm term -> terms.subquery(term);
            default -> terms.plan(right, false);
        };
        return terms.queries().measured(Conjuncts.filter(source, own, compiler));
    }

    private boolean readsOnly(Expr condition, Set<Integer> slots) {
        Set<Integer> read = FreeRefs.of(condition).slotsOf(block);
        return !read.isEmpty() && slots.containsAll(read);
    }
}
