package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.expression.BlockChain;
import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.plan.index.IndexChoice;
import io.millrace.n1ql.plan.index.Indexes;
import io.millrace.n1ql.plan.index.ScanChoice;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.QueryPlan;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.plan.operator.RowOrder;
import io.millrace.n1ql.plan.operator.SystemTables;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.From;
import io.millrace.n1ql.syntax.Query.JoinKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plans a FROM clause in the order of its text. WHERE conditions are pushed down to the first operator that provides
 * their fields, but never below an outer join, which would null-extend the rows they remove.
 */
public final class FromPlanner {

    /** A subquery that runs for every row of another may not scan more documents than these. */
    private static final long LARGEST_REPEATED_SCAN = 1000;

    /** Services of the planner of the enclosing query. */
    public interface Queries {

        /** Plans a subquery. {@code repeated} when it runs for every row of another. */
        QueryPlan plan(Query query, BlockChain around, boolean repeated);

        SystemTables system();

        Indexes indexes();

        /** Returns whether an expression is a common table expression whose rows the query holds and counts. */
        boolean isHeld(Expr expr);

        /** Returns an operator that measures this one, if plans are measured. */
        Operator measured(Operator operator);
    }

    private final Queries queries;
    private final ExprCompiler compiler;
    private final JoinPlanner joins;
    private final int block;
    private final BitSet used;
    private final Conjuncts where;
    private final boolean repeated;
    /** The slots of FROM and LET that the operators planned so far do not fill. */
    private final Set<Integer> unknown;

    private boolean distinctKeys;
    private List<Query.Let> lets = List.of();
    private IndexChoice.Wish wish = IndexChoice.Wish.NONE;
    /** The keyspace that the wish is for: the first one, as long as the order of joins is that of the text. */
    private Query.@Nullable KeyspaceTerm wished;

    /** Conditions that follow from those of WHERE; only indexes are chosen by them. */
    private List<Expr> implied = List.of();

    private boolean endsEarly;
    private boolean keepsOrder;

    private Counter counter = row -> Optional.empty();
    private @Nullable ScanChoice grouper;

    /** Counts rows without reading them, if that is possible in a run. */
    public interface Counter {
        Optional<Long> count(Frame row);
    }

    /** @param repeated whether the query runs for every row of another */
    public FromPlanner(
            Queries queries,
            ExprCompiler compiler,
            BitSet used,
            Conjuncts where,
            Set<Integer> unknown,
            boolean repeated) {
        this.queries = queries;
        this.compiler = compiler;
        this.block = compiler.blocks().block();
        this.used = used;
        this.where = where;
        this.unknown = new HashSet<>(unknown);
        this.repeated = repeated;
        this.joins = new JoinPlanner(this, compiler);
    }

    /** Returns one row for a key that occurs twice in USE KEYS, so that a document is changed once. */
    public FromPlanner withDistinctKeys() {
        distinctKeys = true;
        return this;
    }

    /** Sets the wish for the first keyspace of FROM, and the variables of LET. */
    public FromPlanner wishing(IndexChoice.Wish first, List<Query.Let> variables) {
        wish = first;
        lets = variables;
        return this;
    }

    /** Declares that the query needs only the first rows, in any order. */
    public FromPlanner endingEarly(boolean early) {
        endsEarly = early;
        return this;
    }

    /** Returns what counts the rows of a FROM that is one keyspace. */
    public Counter counter() {
        return counter;
    }

    /** Returns what tells the groups of a FROM that is one keyspace, or null if no index has them side by side. */
    public @Nullable ScanChoice grouper() {
        return grouper;
    }

    public Operator plan(From from) {
        wished = FromSlots.first(from);
        return plan(from, true);
    }

    Operator plan(From from, boolean mayFilter) {
        Operator operator = switch (from) {
            case Query.PathTerm term -> throw new IllegalStateException("not looked up: " + term);
            case Query.KeyspaceTerm term -> keyspace(term, mayFilter ? where.all() : List.of());
            case Query.ExprTermFrom term -> expression(term);
            case Query.SubqueryTerm term -> subquery(term);
            case Query.Join join -> {
                JoinChain chain = mayFilter && !keepsOrder ? JoinChain.of(join, block, where.all(), unknown) : null;
                yield chain == null ? joins.join(join, mayFilter) : ordered(chain);
            }
            case Query.KeyJoin join -> joins.byKeys(join, mayFilter);
            case Query.Unnest unnest -> unnest(unnest, mayFilter);
        };
        unknown.removeAll(FromSlots.slotsOf(from));
        if (!mayFilter) {
            return queries.measured(operator);
        }
        List<Expr> own = where.takeWithout(unknown);
        return queries.measured(own.isEmpty() ? operator : Conjuncts.filter(queries.measured(operator), own, compiler));
    }

    // ---- for joins

    Queries queries() {
        return queries;
    }

    /** Returns the conditions of WHERE. */
    List<Expr> conditions() {
        return where.all();
    }

    Set<Integer> unknown() {
        return unknown;
    }

    /** Returns the wish for other keyspaces than the first one. */
    IndexChoice.Wish wish() {
        return wish.ofOther();
    }

    IndexJoin.Ends ends() {
        if (endsEarly) {
            return IndexJoin.Ends.WITH_ANY_FIRST;
        }
        return endsInOrder() ? IndexJoin.Ends.WITH_THE_FIRST_IN_ORDER : IndexJoin.Ends.WITH_ALL_ROWS;
    }

    /** Returns what sorts rows of the first keyspace as the query wants, or null if it does not end with the first of them. */
    @Nullable
    RowOrder order() {
        return endsEarly || !endsInOrder() ? null : RowOrder.of(wish.order(), compiler);
    }

    private boolean endsInOrder() {
        return wished != null && wish.rows() != null && !wish.order().isEmpty();
    }

    // ---- sources

    Operator keyspace(Query.KeyspaceTerm term, List<Expr> conditions) {
        KeyspaceSlots slots = slots(term);
        if (KeyspaceRef.isSystem(term.path())) {
            String table = term.path().getFirst().substring("system:".length());
            return new Sources.SystemScan(table, queries.system(), slots);
        }
        Expr.Param parameter = term.parameter();
        if (parameter == null || term.use().keys() != null) {
            return stored(term, slots, conditions);
        }
        Operator stored = stored(term, slots, conditions);
        Counter documents = counter;
        counter = row -> Sources.ParameterScan.values(parameter, row) == null ? documents.count(row) : Optional.empty();
        grouper = null;
        return new Sources.ParameterScan(parameter, stored, slots);
    }

    /** Plans the scan of a keyspace with documents. */
    private Operator stored(Query.KeyspaceTerm term, KeyspaceSlots slots, List<Expr> conditions) {
        KeyspaceRef ref = KeyspaceRef.of(term);
        Query.UseHints use = term.use();
        if (use.keys() != null) {
            return new Sources.KeyScan(
                    ref, slots, compiler.compile(use.keys()), distinctKeys, use.validate(), ExprText.of(use.keys()));
        }
        KeyConditions keys = new KeyConditions(compiler, term.metaSlot(), unknown);
        Operator lookup = keys.lookup(ref, slots, conditions);
        if (lookup != null) {
            return lookup;
        }
        IndexChoice choice = new IndexChoice(compiler, term, unknown, term == wished ? wish : wish.ofOther());
        KeyConditions.Narrowed narrowed = keys.range(conditions);
        long refuseBeyond = repeated ? LARGEST_REPEATED_SCAN : 0;
        PrimaryScan all = new PrimaryScan(
                ref, slots, narrowed.range(), Long.MAX_VALUE, refuseBeyond, narrowed.wholly(), choice.byKey());
        counter = all::count;
        ScanChoice chosen =
                choice.choose(queries.indexes().of(ref), withoutLets(conditions), implied, slots, all, distinctKeys);
        if (chosen == null) {
            return all;
        }
        counter = chosen::count;
        grouper = chosen.mayGroup() ? chosen : null;
        return chosen;
    }

    List<Expr> withoutLets(List<Expr> conditions) {
        return conditions.stream()
                .map(condition -> IndexChoice.withoutLets(condition, block, lets))
                .toList();
    }

    KeyspaceSlots slots(Query.KeyspaceTerm term) {
        return new KeyspaceSlots(
                term.alias(), term.slot(), term.metaSlot(), used.get(term.slot()), used.get(term.metaSlot()));
    }

    Operator expression(Query.ExprTermFrom term) {
        return new Sources.ExpressionScan(
                compiler.compile(term.expr()),
                term.slot(),
                queries.isHeld(term.expr()),
                term.alias() == null ? "" : term.alias(),
                ExprText.of(term.expr()));
    }

    Operator subquery(Query.SubqueryTerm term) {
        QueryPlan plan = queries.plan(term.query(), compiler.blocks(), repeated);
        return new Sources.SubqueryScan(plan, term.slot(), term.alias() == null ? "" : term.alias());
    }

    // ---- joins

    /** Plans joins that may change their order. A query that ends early keeps it: its rows come one by one. */
    private Operator ordered(JoinChain chain) {
        List<Expr> conditions = List.copyOf(where.all());
        List<Expr> impliedHere = implied;
        Set<Integer> unknownHere = Set.copyOf(unknown);
        Function<int[], Operator> planner = order -> {
            JoinChain.Written written = chain.inOrder(order, conditions);
            FromPlanner moved = new FromPlanner(
                            queries, compiler, used, new Conjuncts(block, written.where()), unknownHere, repeated)
                    .wishing(wish, lets)
                    .endingEarly(endsEarly);
            moved.implied = impliedHere;
            moved.keepsOrder = true;
            moved.wished = FromSlots.first(written.from()) == wished ? wished : null;
            return moved.plan(written.from(), true);
        };
        Operator written =
                planner.apply(IntStream.range(0, chain.terms().size()).toArray());
        List<Operator> alone = new ArrayList<>();
        JoinOrder.Link[][] links =
                new JoinOrder.Link[chain.terms().size()][chain.terms().size()];
        for (int i = 0; chain.movable() && !endsEarly && i < links.length; i++) {
            alone.add(keyspace(chain.terms().get(i), chain.own(chain.terms().get(i), conditions)));
            for (int j = 0; j < links.length; j++) {
                links[i][j] = link(chain, chain.terms().get(i), chain.terms().get(j));
            }
        }
        chain.terms().forEach(term -> unknown.removeAll(FromSlots.slotsOf(term)));
        where.takeWithout(unknown);
        return alone.isEmpty()
                ? written
                : new JoinOrder(written, alone, links, endsInOrder() ? wish.rows() : null, planner, queries);
    }

    /** Returns how a term can be joined to rows that have another one only. */
    private JoinOrder.Link link(JoinChain chain, Query.KeyspaceTerm term, Query.KeyspaceTerm other) {
        if (term == other || term.use().keys() != null) {
            return JoinOrder.Link.NONE;
        }
        Set<Integer> unknownHere = new HashSet<>(unknown);
        unknownHere.removeAll(FromSlots.slotsOf(other));
        if (new KeyConditions(compiler, term.metaSlot(), unknownHere).keys(chain.conditions()) != null) {
            return JoinOrder.Link.KEY;
        }
        ScanChoice probe = new IndexChoice(compiler, term, unknownHere, wish.ofOther())
                .probe(
                        queries.indexes().of(KeyspaceRef.of(term)),
                        withoutLets(chain.on(term, other)),
                        slots(term),
                        FromSlots.slotsOf(other));
        if (probe != null) {
            return JoinOrder.Link.INDEX;
        }
        List<EqualValues> equal = EqualValues.of(chain.comparing(term, other), block, FromSlots.slotsOf(term));
        return equal.isEmpty() ? JoinOrder.Link.NONE : JoinOrder.Link.EQUAL;
    }

    private Operator unnest(Query.Unnest unnest, boolean mayFilter) {
        if (mayFilter) {
            implied = withElement(unnest);
        }
        Operator left = plan(unnest.left(), mayFilter);
        return new RowOperators.Unnest(
                left,
                compiler.compile(unnest.expr()),
                unnest.slot(),
                unnest.positionSlot(),
                unnest.kind(),
                unnest.alias() == null ? "" : unnest.alias(),
                ExprText.of(unnest.expr()));
    }

    /** A document has a row of UNNEST that fulfils the conditions if one of the elements does. */
    private List<Expr> withElement(Query.Unnest unnest) {
        List<Expr> own = withoutLets(where.all()).stream()
                .filter(condition -> FreeRefs.of(condition).slotsOf(block).equals(Set.of(unnest.slot())))
                .toList();
        if (own.isEmpty() || unnest.kind() != JoinKind.INNER) {
            return implied;
        }
        Expr.Binding element = new Expr.Binding(
                null,
                unnest.alias() == null ? "" : unnest.alias(),
                false,
                unnest.expr(),
                -1,
                unnest.slot(),
                unnest.place());
        Expr satisfies = own.size() == 1 ? own.getFirst() : new Expr.Operation(Op.AND, own, Place.NONE);
        List<Expr> all = new ArrayList<>(implied);
        all.add(new Expr.Quantified(Expr.Quantified.Quantifier.ANY, List.of(element), satisfies));
        return all;
    }
}
