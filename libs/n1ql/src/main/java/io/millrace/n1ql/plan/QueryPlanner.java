package io.millrace.n1ql.plan;

import io.millrace.n1ql.expression.BlockChain;
import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.expression.SubqueryCompiler;
import io.millrace.n1ql.plan.from.Conjuncts;
import io.millrace.n1ql.plan.from.FromPlanner;
import io.millrace.n1ql.plan.from.FromSlots;
import io.millrace.n1ql.plan.from.Sources;
import io.millrace.n1ql.plan.index.Covers;
import io.millrace.n1ql.plan.index.IndexChoice;
import io.millrace.n1ql.plan.index.Indexes;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.QueryPlan;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.plan.operator.SystemTables;
import io.millrace.n1ql.plan.operator.Timed;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.syntax.FreeRefs.SlotOf;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.Cte;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Plans queries and the subqueries in their expressions. */
public final class QueryPlanner implements SubqueryCompiler, FromPlanner.Queries {

    /** The block of the frame around the whole statement. */
    public static final BlockChain ROOT = new BlockChain(-1, null);

    private final SystemTables system;
    private final Indexes indexes;
    private final boolean measured;
    /** Slots of common table expressions that are computed once per run. */
    private final Set<SlotOf> constants = new HashSet<>();
    /** Slots of common table expressions whose rows are counted as held. */
    private final Set<SlotOf> counted = new HashSet<>();
    /** Subqueries that all candidates of a plan with their condition share, so that none is read for each of them. */
    private final Map<InPlace, Eval> shared = new HashMap<>();

    /** A subquery inside of these blocks; EXISTS of it is another value. */
    private record InPlace(Query query, BlockChain blocks, boolean exists) {}

    /** Makes a planner of plans that are not measured. */
    public QueryPlanner(SystemTables system, Indexes indexes) {
        this(system, indexes, false);
    }

    /** @param measured whether the operators of plans are measured */
    public QueryPlanner(SystemTables system, Indexes indexes, boolean measured) {
        this.measured = measured;
        this.system = system;
        this.indexes = indexes;
    }

    @Override
    public SystemTables system() {
        return system;
    }

    @Override
    public Indexes indexes() {
        return indexes;
    }

    @Override
    public boolean isHeld(Expr expr) {
        return expr instanceof Expr.Ref ref && counted.contains(new SlotOf(ref.block(), ref.slot()));
    }

    @Override
    public Operator measured(Operator operator) {
        return measured && !(operator instanceof Timed) ? new Timed(operator) : operator;
    }

    @Override
    public QueryPlan plan(Query query, BlockChain around, boolean repeated) {
        boolean framed = query.block() >= 0;
        BlockChain blocks = framed ? new BlockChain(query.block(), around) : around;
        ExprCompiler compiler = new ExprCompiler(blocks, this);
        if (!framed) {
            return body(query, compiler, repeated);
        }
        List<Eval> ctes = new ArrayList<>();
        for (Cte cte : query.with()) {
            ctes.add(
                    cte.recursion() == null
                            ? compiler.compile(cte.expr())
                            : RecursivePlan.of(this, blocks, compiler, cte, cte.recursion()));
            SlotOf slot = new SlotOf(query.block(), cte.slot());
            if (cte.recursion() != null || cte.expr() instanceof Expr.Subquery) {
                counted.add(slot);
            }
            if (!repeated) {
                constants.add(slot);
            }
        }
        int[] slots = query.with().stream().mapToInt(Cte::slot).toArray();
        QueryPlan body = body(query, compiler, repeated);
        return new Framed(query.slots(), slots, ctes.toArray(new Eval[0]), body);
    }

    /**
     * Plans the FROM, LET and WHERE of a statement that changes documents; each document occurs once.
     *
     * @param wanted how many rows are wanted if not all
     */
    public Operator rowsToChange(
            Query.From from,
            List<Query.Let> lets,
            Conjuncts where,
            IndexChoice.@Nullable Rows wanted,
            ExprCompiler compiler) {
        Set<Integer> unknown = FromSlots.slotsOf(from);
        unknown.addAll(letSlots(lets));
        BitSet used = new BitSet();
        unknown.forEach(used::set);
        Operator rows = new FromPlanner(this, compiler, used, where, unknown, false)
                .wishing(new IndexChoice.Wish(null, List.of(), wanted, Covers.NONE), List.of())
                .withDistinctKeys()
                .plan(from);
        rows = SelectPlanner.let(rows, lets, compiler);
        return Conjuncts.filter(rows, List.copyOf(where.all()), compiler);
    }

    private QueryPlan body(Query query, ExprCompiler compiler, boolean repeated) {
        if (query.body() instanceof Query.Select select) {
            return new SelectPlanner(this, compiler.blocks(), repeated).plan(select, query.limit(), query.offset());
        }
        QueryPlan plan = body(query.body(), compiler.blocks(), repeated, BranchLimit.of(query));
        Eval limit = compiler.optional(query.limit());
        Eval offset = compiler.optional(query.offset());
        if (!query.order().isEmpty()) {
            return new SortedRows(
                    SelectPlanner.sort(
                            measured(new RowsOf(plan, query.rowSlot())),
                            query.order(),
                            compiler,
                            offset,
                            limit,
                            new Sort.Late(row -> row.get(query.rowSlot()), query.rowSlot())),
                    offset,
                    limit,
                    query.rowSlot());
        }
        return limit == null && offset == null ? plan : new Paged(plan, offset, limit);
    }

    /** @param wanted what rows of the result are wanted, or null for all */
    private QueryPlan body(Query.Body body, BlockChain blocks, boolean repeated, @Nullable BranchLimit wanted) {
        return switch (body) {
            case Query.Nested nested
            when wanted != null && BranchLimit.passes(nested.query()) ->
                body(nested.query().body(), blocks, repeated, wanted);
            case Query.Nested nested -> plan(nested.query(), blocks, repeated);
            case Query.Combined combined -> {
                boolean all = combined.operation() == Query.SetOperation.UNION && combined.all();
                BranchLimit ofEach = all ? wanted : null;
                yield new SetOperations(
                        combined.operation(),
                        combined.all(),
                        body(combined.left(), blocks, repeated, ofEach),
                        body(combined.right(), blocks, repeated, ofEach));
            }
            case Query.Select select -> {
                Query.Select sorted = wanted == null ? null : wanted.sorted(select);
                SelectPlanner planner = new SelectPlanner(this, blocks, repeated);
                yield wanted == null || sorted == null
                        ? planner.plan(select, null, null)
                        : planner.plan(sorted, wanted.limit(), null);
            }
        };
    }

    // ---- in expressions

    @Override
    public Eval subquery(Query query, BlockChain blocks) {
        if (!isCorrelated(query)) {
            return shared(query, blocks, false, () -> once(query, blocks, QueryPlanner::keptRows));
        }
        EqualSubquery equal = EqualSubquery.ofRows(query, constants);
        if (equal != null) {
            return shared(query, blocks, false, () -> lookedUp(query, equal, blocks, false));
        }
        QueryPlan plan = plan(query, blocks, true);
        return frame -> rows(plan, frame);
    }

    /** The first row is enough. */
    @Override
    public Eval exists(Query query, BlockChain blocks) {
        if (!isCorrelated(query)) {
            return shared(query, blocks, true, () -> once(query, blocks, QueryPlanner::hasRow));
        }
        EqualSubquery equal = EqualSubquery.ofExists(query, constants);
        if (equal != null) {
            return shared(query, blocks, true, () -> lookedUp(query, equal, blocks, true));
        }
        QueryPlan plan = plan(query, blocks, true);
        return frame -> hasRow(plan, frame);
    }

    private boolean isCorrelated(Query query) {
        Set<SlotOf> outside = FreeRefs.of(query).refs();
        outside.removeAll(constants);
        return !outside.isEmpty();
    }

    private Eval shared(Query query, BlockChain blocks, boolean exists, Supplier<Eval> value) {
        InPlace place = new InPlace(query, blocks, exists);
        Eval known = shared.get(place);
        if (known == null) {
            known = value.get();
            shared.put(place, known);
        }
        return known;
    }

    private Eval once(Query query, BlockChain blocks, BiFunction<QueryPlan, Frame, Value> value) {
        QueryPlan plan = plan(query, blocks, false);
        return new Once(frame -> value.apply(plan, frame));
    }

    /** A value that is computed once in a run. */
    private static final class Once implements Eval {

        private final Eval value;

        Once(Eval value) {
            this.value = value;
        }

        @Override
        public Value eval(Frame frame) {
            Map<Object, Value> results = frame.execution().results();
            Value known = results.get(this);
            if (known == null) {
                known = value.eval(frame);
                results.put(this, known);
            }
            return known;
        }
    }

    private static Value hasRow(QueryPlan plan, Frame frame) {
        try (Cursor<Value> rows = plan.open(frame)) {
            return Value.of(rows.next() != null);
        }
    }

    private Eval lookedUp(Query query, EqualSubquery equal, BlockChain blocks, boolean exists) {
        Eval[] outer = new ExprCompiler(blocks, this).all(equal.outer());
        return new LookedUpSubquery(plan(query, blocks, true), plan(equal.query(), blocks, false), outer, exists);
    }

    /** The rows for one row around; those of the next one replace them. */
    private static Value rows(QueryPlan plan, Frame frame) {
        return rows(plan, frame, row -> row);
    }

    /** The rows that are kept to the end of the run, without the documents that they come from. */
    private static Value keptRows(QueryPlan plan, Frame frame) {
        return rows(plan, frame, ValueBytes::alone);
    }

    private static Value rows(QueryPlan plan, Frame frame, UnaryOperator<Value> kept) {
        HeldBytes held = HeldBytes.ofNext(plan, frame.execution());
        List<Value> rows = new ArrayList<>();
        try (Cursor<Value> cursor = plan.open(frame)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                Value value = kept.apply(row);
                held.add(RowSizes.listed(value));
                rows.add(value);
            }
        }
        return ArrayValue.of(rows);
    }

    // ---- plans of other queries than a single SELECT

    /** A query with common table expressions, which are computed into its frame. */
    private record Framed(int slots, int[] cteSlots, Eval[] ctes, QueryPlan body) implements QueryPlan {

        @Override
        public Cursor<Value> open(Frame outer) {
            Frame frame = new Frame(slots, outer, outer.execution());
            for (int i = 0; i < ctes.length; i++) {
                frame.set(cteSlots[i], ctes[i].eval(frame));
            }
            return body.open(frame);
        }

        @Override
        public Value explain(Frame outer) {
            return body.explain(new Frame(slots, outer, outer.execution()));
        }
    }

    private record Paged(
            QueryPlan plan, @Nullable Eval offset, @Nullable Eval limit) implements QueryPlan {

        @Override
        public Cursor<Value> open(Frame outer) {
            long skip = RowOperators.offset(offset, outer);
            long most = RowOperators.limit(limit, outer);
            return RowOperators.page(plan.open(outer), skip, most);
        }

        @Override
        public Value explain(Frame outer) {
            Map<String, Value> fields = new LinkedHashMap<>();
            fields.put("#operator", Value.of(limit == null ? "Offset" : "Limit"));
            fields.put("~child", plan.explain(outer));
            return ObjectValue.of(fields);
        }
    }

    /** The results of a query as rows with one slot, for ORDER BY. */
    private record RowsOf(QueryPlan plan, int slot) implements Operator {

        @Override
        public Cursor<Frame> open(Frame row) {
            return Sources.rows(plan, slot, row);
        }

        @Override
        public Explanation explain(Frame row) {
            return new Explanation("Sequence").with("~child", plan.explain(row));
        }
    }

    private record SortedRows(
            Operator sorted,
            @Nullable Eval offset,
            @Nullable Eval limit,
            int slot) implements QueryPlan {

        @Override
        public Cursor<Value> open(Frame outer) {
            Cursor<Frame> rows = RowOperators.page(
                    sorted.open(outer), RowOperators.offset(offset, outer), RowOperators.limit(limit, outer));
            return SelectPlanner.results(rows, row -> row.get(slot));
        }

        @Override
        public Value explain(Frame outer) {
            return sorted.explain(outer).value();
        }
    }

    static Set<Integer> letSlots(List<Query.Let> lets) {
        Set<Integer> slots = new HashSet<>();
        lets.forEach(let -> slots.add(let.slot()));
        return slots;
    }
}
