package io.millrace.n1ql.plan;

import io.millrace.n1ql.expression.BlockChain;
import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.plan.from.Conjuncts;
import io.millrace.n1ql.plan.from.FromPlanner;
import io.millrace.n1ql.plan.from.FromSlots;
import io.millrace.n1ql.plan.from.PrimaryScan;
import io.millrace.n1ql.plan.from.Sources;
import io.millrace.n1ql.plan.index.Covers;
import io.millrace.n1ql.plan.index.IndexChoice;
import io.millrace.n1ql.plan.index.MinMaxScan;
import io.millrace.n1ql.plan.index.ScanChoice;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.QueryPlan;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.plan.operator.RowOrder;
import io.millrace.n1ql.plan.operator.Timed;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.Let;
import io.millrace.n1ql.syntax.Query.Select;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans one SELECT, clause by clause in the order in which they take effect. */
final class SelectPlanner {

    private final QueryPlanner queries;
    private final BlockChain around;
    private final boolean repeated;
    private FromPlanner.Counter counter = row -> Optional.empty();
    private @Nullable ScanChoice grouper;

    SelectPlanner(QueryPlanner queries, BlockChain around, boolean repeated) {
        this.queries = queries;
        this.around = around;
        this.repeated = repeated;
    }

    QueryPlan plan(Select select, @Nullable Expr limitExpr, @Nullable Expr offsetExpr) {
        Covers covers = Covers.of(select, queries.indexes());
        ExprCompiler compiler = new ExprCompiler(new BlockChain(select.block(), around), queries, covers.slots());
        Eval limit = compiler.optional(limitExpr);
        Eval offset = compiler.optional(offsetExpr);
        MinMaxScan only = extreme(select);
        Operator rows = only != null
                ? new MinMaxScan.First(rows(select, compiler, covers, null, only))
                : rows(
                        select,
                        compiler,
                        covers,
                        limit == null
                                ? null
                                : new IndexChoice.Rows(limit, offset, FromSlots.keepsFirst(select.from())));
        rows = queries.measured(stopEarly(rows, select, compiler, limitExpr, offsetExpr));
        if (select.grouping() != null) {
            rows = queries.measured(group(rows, select.grouping(), select, compiler, covers));
        } else if (grouper != null
                && select.distinct()
                && select.let().isEmpty()
                && (limit == null || !select.order().isEmpty())) {
            rows = GroupScan.distinct(grouper, rows);
        }
        if (!select.windowCalls().isEmpty()) {
            rows = queries.measured(Windows.plan(rows, select.windowCalls(), compiler));
        }
        rows = let(rows, select.computedBeforeOrder(), compiler);
        Eval result = Projector.of(select.projection(), compiler);
        int slots = select.slots() + covers.slots().size();
        if (select.distinct()) {
            int slot = slots++;
            Eval projected = result;
            result = frame -> {
                Value known = frame.known(slot);
                return known == null ? projected.eval(frame) : known;
            };
            rows = queries.measured(
                    new Distinct(rows, result, slot, select.order().isEmpty()));
        }
        if (!select.order().isEmpty()) {
            Sort.Late late = new Sort.Late(result, slots++);
            rows = queries.measured(sort(rows, select.order(), compiler, offset, limit, late));
            result = late::of;
        }
        if (limit != null || offset != null) {
            rows = new RowOperators.Page(rows, offset, limit);
        }
        return new SelectPlan(rows, result, slots);
    }

    private Operator rows(Select select, ExprCompiler compiler, Covers covers, IndexChoice.@Nullable Rows limit) {
        return rows(select, compiler, covers, limit, null);
    }

    /** @param extreme the rows need to have only the first value of this, in its order */
    private Operator rows(
            Select select,
            ExprCompiler compiler,
            Covers covers,
            IndexChoice.@Nullable Rows limit,
            @Nullable MinMaxScan extreme) {
        Conjuncts where =
                new Conjuncts(select.block(), extreme == null ? select.where() : extreme.where(select.where()));
        Set<Integer> unknown = FromSlots.slotsOf(select.from());
        unknown.addAll(QueryPlanner.letSlots(select.let()));
        if (select.from() == null) {
            return Conjuncts.filter(
                    let(new Sources.DummyScan(), select.let(), compiler), List.copyOf(where.all()), compiler);
        }
        IndexChoice.Wish wish = extreme == null ? wish(select, limit, covers) : extreme.wish(select, covers);
        FromPlanner from = new FromPlanner(queries, compiler, select.used(), where, unknown, repeated)
                .wishing(wish, select.let())
                .endingEarly(
                        limit != null && isOneByOne(select) && select.order().isEmpty());
        Operator rows = from.plan(select.from());
        if (select.from() instanceof Query.KeyspaceTerm) {
            counter = from.counter();
            grouper = from.grouper();
        }
        rows = Conjuncts.filter(let(rows, select.let(), compiler), List.copyOf(where.all()), compiler);
        return rows;
    }

    /** Returns the single MIN or MAX of the query if its keyspace has an index; else its condition would only cost. */
    private @Nullable MinMaxScan extreme(Select select) {
        return isIndexed(select) ? MinMaxScan.of(select) : null;
    }

    private boolean isIndexed(Select select) {
        return select.from() instanceof Query.KeyspaceTerm term
                && !queries.indexes().of(KeyspaceRef.of(term)).isEmpty();
    }

    /** Returns whether each row gives one result of its own. */
    private static boolean isOneByOne(Select select) {
        return select.grouping() == null && select.windowCalls().isEmpty() && !select.distinct();
    }

    /** The first keyspace of FROM can provide the order of the rows, unless rows are combined afterwards. */
    private static IndexChoice.Wish wish(Select select, IndexChoice.@Nullable Rows limit, Covers covers) {
        IndexChoice.Wish nothing = new IndexChoice.Wish(select, List.of(), null, covers);
        Query.KeyspaceTerm first = FromSlots.first(select.from());
        if (first == null || !isOneByOne(select)) {
            return nothing;
        }
        List<Let> lets = new ArrayList<>(select.let());
        lets.addAll(select.computedBeforeOrder());
        List<SortTerm> order = select.order().stream()
                .map(term -> new SortTerm(
                        IndexChoice.withoutLets(term.expr(), select.block(), lets),
                        term.descending(),
                        term.nullsFirst()))
                .toList();
        Set<Integer> others = FromSlots.slotsOf(select.from());
        others.removeAll(FromSlots.slotsOf(first));
        boolean readsFirst = order.stream()
                .allMatch(term -> Collections.disjoint(FreeRefs.of(term.expr()).slotsOf(select.block()), others));
        return readsFirst ? new IndexChoice.Wish(select, order, limit, covers) : nothing;
    }

    /** If all rows of a scan reach a constant LIMIT, the scan does not read ahead of it. */
    private static Operator stopEarly(
            Operator rows, Select select, ExprCompiler compiler, @Nullable Expr limit, @Nullable Expr offset) {
        boolean allReachIt = Timed.behind(rows) instanceof PrimaryScan
                && limit != null
                && select.grouping() == null
                && select.windowCalls().isEmpty()
                && !select.distinct()
                && (select.order().isEmpty() || ((PrimaryScan) Timed.behind(rows)).ordered());
        if (!allReachIt || limit == null) {
            return rows;
        }
        Value rowsWanted = compiler.constant(limit);
        Value skipped = offset == null ? Value.of(0L) : compiler.constant(offset);
        if (rowsWanted instanceof NumberValue wanted
                && skipped instanceof NumberValue skip
                && wanted.isWhole()
                && skip.isWhole()
                && wanted.doubleValue() + skip.doubleValue() < Integer.MAX_VALUE) {
            return ((PrimaryScan) Timed.behind(rows))
                    .limitedTo(Math.max(0, wanted.longValue()) + Math.max(0, skip.longValue()));
        }
        return rows;
    }

    static Operator let(Operator rows, List<Let> lets, ExprCompiler compiler) {
        if (lets.isEmpty()) {
            return rows;
        }
        return new RowOperators.Let(
                rows,
                lets.stream().mapToInt(Let::slot).toArray(),
                lets.stream().map(let -> compiler.compile(let.expr())).toArray(Eval[]::new),
                lets.stream()
                        .map(let -> let.name() + " = " + ExprText.of(let.expr()))
                        .toList());
    }

    private Operator group(
            Operator rows, Query.Grouping grouping, Select select, ExprCompiler compiler, Covers covers) {
        Operator grouped = new Group(
                rows,
                grouping.keys().stream()
                        .map(key -> compiler.compile(key.expr()))
                        .toArray(Eval[]::new),
                grouping.keys().stream().mapToInt(Query.GroupKey::slot).toArray(),
                select.aggregates().stream()
                        .map(computed -> aggregate(computed, compiler))
                        .toArray(Group.Aggregate[]::new),
                grouping.keys().stream().map(key -> ExprText.of(key.expr())).toList());
        if (grouper != null && !grouping.keys().isEmpty()) {
            grouped = new GroupScan(
                    grouper,
                    grouped,
                    grouping.keys().stream().mapToInt(Query.GroupKey::slot).toArray(),
                    select.aggregates().stream().mapToInt(Query.Computed::slot).toArray());
        }
        grouped = extremes(grouped, grouping, select, compiler, covers);
        if (grouping.keys().isEmpty() && select.aggregates().stream().allMatch(SelectPlanner::countsRows)) {
            grouped = new CountScan(
                    counter,
                    grouped,
                    select.aggregates().stream().mapToInt(Query.Computed::slot).toArray());
        }
        Operator let = let(grouped, grouping.letting(), compiler);
        return grouping.having() == null
                ? let
                : new RowOperators.Filter(let, compiler.compile(grouping.having()), ExprText.of(grouping.having()));
    }

    /** Several MIN, MAX and COUNT(*): each is looked up if an index allows it. */
    private Operator extremes(
            Operator grouped, Query.Grouping grouping, Select select, ExprCompiler compiler, Covers covers) {
        List<Query.Computed> all = select.aggregates();
        List<Query.Computed> counts =
                all.stream().filter(SelectPlanner::countsRows).toList();
        if (!grouping.keys().isEmpty() || all.size() < 2 || counts.size() == all.size() || !isIndexed(select)) {
            return grouped;
        }
        FromPlanner.Counter rowCounter = counter;
        List<Extremes.Extreme> extremes = new ArrayList<>();
        for (Query.Computed computed : all) {
            MinMaxScan extreme = MinMaxScan.of(computed.call());
            if (extreme == null && !counts.contains(computed)) {
                return grouped;
            }
            if (extreme != null) {
                Operator rows = rows(select, compiler, covers, null, extreme);
                extremes.add(new Extremes.Extreme(rows, compiler.compile(extreme.value()), computed.slot()));
            }
        }
        return new Extremes(
                extremes, counts.stream().mapToInt(Query.Computed::slot).toArray(), rowCounter, grouped);
    }

    /** COUNT(*), or COUNT of a constant that is not NULL. */
    private static boolean countsRows(Query.Computed computed) {
        Expr.Call call = computed.call();
        boolean all = call.star()
                || call.args().getFirst() instanceof Expr.Literal literal
                        && !literal.value().isUnknown();
        return call.name().equals("count") && all && !call.distinct() && call.filter() == null;
    }

    private static Group.Aggregate aggregate(Query.Computed computed, ExprCompiler compiler) {
        Expr.Call call = computed.call();
        return new Group.Aggregate(
                call.name(),
                call.star() ? null : compiler.compile(call.args().getFirst()),
                call.distinct(),
                compiler.optional(call.filter()),
                computed.slot());
    }

    static Operator sort(
            Operator rows,
            List<SortTerm> order,
            ExprCompiler compiler,
            @Nullable Eval offset,
            @Nullable Eval limit,
            Sort.Late late) {
        return new Sort(rows, RowOrder.of(order, compiler), offset, limit, late);
    }

    /** Maps rows to results. */
    static Cursor<Value> results(Cursor<Frame> rows, Eval result) {
        return new Cursor<>() {
            @Override
            public @Nullable Value next() {
                Frame row = rows.next();
                return row == null ? null : result.eval(row);
            }

            @Override
            public boolean ready() {
                return rows.ready();
            }

            @Override
            public void close() {
                rows.close();
            }
        };
    }

    private record SelectPlan(Operator rows, Eval result, int slots) implements QueryPlan {

        @Override
        public Cursor<Value> open(Frame outer) {
            return results(rows.open(new Frame(slots, outer, outer.execution())), result);
        }

        @Override
        public double reads(Frame outer) {
            return rows.reads(new Frame(slots, outer, outer.execution()));
        }

        @Override
        public Value explain(Frame outer) {
            return rows.explain(new Frame(slots, outer, outer.execution())).value();
        }
    }
}
