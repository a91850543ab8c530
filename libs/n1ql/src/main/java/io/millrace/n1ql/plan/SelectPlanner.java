package io.millrace.n1ql.plan;

import io.millrace.n1ql.expression.BlockChain;
import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.plan.from.Conjuncts;
import io.millrace.n1ql.plan.from.FromPlanner;
import io.millrace.n1ql.plan.from.Sources;
import io.millrace.n1ql.plan.index.IndexChoice;
import io.millrace.n1ql.plan.index.MinMaxScan;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.QueryPlan;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.Let;
import io.millrace.n1ql.syntax.Query.Select;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans one SELECT, clause by clause in the order in which they take effect. */
final class SelectPlanner {

    private final QueryPlanner queries;
    private final BlockChain around;
    private final boolean repeated;
    private boolean ordered;

    SelectPlanner(QueryPlanner queries, BlockChain around, boolean repeated) {
        this.queries = queries;
        this.around = around;
        this.repeated = repeated;
    }

    QueryPlan plan(Select select, @Nullable Expr limitExpr, @Nullable Expr offsetExpr) {
        ExprCompiler compiler = new ExprCompiler(new BlockChain(select.block(), around), queries);
        Eval limit = compiler.optional(limitExpr);
        Eval offset = compiler.optional(offsetExpr);
        Operator rows = rows(select, compiler, limit == null ? null : new IndexChoice.Rows(limit, offset));
        rows = stopEarly(rows, select, compiler, limitExpr, offsetExpr);
        if (select.grouping() != null) {
            rows = group(rows, select.grouping(), select, compiler);
        }
        if (!select.windowCalls().isEmpty()) {
            rows = Windows.plan(rows, select.windowCalls(), compiler);
        }
        rows = let(rows, select.computedBeforeOrder(), compiler);
        Eval result = Projector.of(select.projection(), compiler);
        int slots = select.slots();
        if (select.distinct()) {
            int slot = slots++;
            rows = new RowOperators.Distinct(rows, result, slot);
            result = frame -> frame.get(slot);
        }
        if (!select.order().isEmpty() && !ordered) {
            rows = sort(rows, select.order(), compiler, offset, limit);
        }
        if (limit != null || offset != null) {
            rows = new RowOperators.Page(rows, offset, limit);
        }
        return new SelectPlan(rows, result, slots);
    }

    private Operator rows(Select select, ExprCompiler compiler, IndexChoice.@Nullable Rows limit) {
        MinMaxScan extreme = extreme(select);
        Conjuncts where =
                new Conjuncts(select.block(), extreme == null ? select.where() : extreme.where(select.where()));
        Set<Integer> unknown = FromPlanner.slotsOf(select.from());
        unknown.addAll(QueryPlanner.letSlots(select.let()));
        if (select.from() == null) {
            return Conjuncts.filter(
                    let(new Sources.DummyScan(), select.let(), compiler), List.copyOf(where.all()), compiler);
        }
        FromPlanner from = new FromPlanner(queries, compiler, select.used(), where, unknown, repeated)
                .wishing(extreme == null ? wish(select, limit) : extreme.wish(select), select.let());
        Operator rows = from.plan(select.from());
        ordered = from.ordered();
        rows = Conjuncts.filter(let(rows, select.let(), compiler), List.copyOf(where.all()), compiler);
        if (extreme == null) {
            return rows;
        }
        boolean first = ordered;
        ordered = false; // ORDER BY sorts the one row of the aggregate
        return first ? MinMaxScan.first(rows) : rows;
    }

    /** Returns the single MIN or MAX of the query if its keyspace has an index; else its condition would only cost. */
    private @Nullable MinMaxScan extreme(Select select) {
        boolean indexed = select.from() instanceof Query.KeyspaceTerm term
                && !queries.indexes().of(KeyspaceRef.of(term)).isEmpty();
        return indexed ? MinMaxScan.of(select) : null;
    }

    /** A scan that is all of FROM can provide the order of the rows, unless rows are combined afterwards. */
    private static IndexChoice.Wish wish(Select select, IndexChoice.@Nullable Rows limit) {
        boolean oneByOne = select.from() instanceof Query.KeyspaceTerm
                && select.grouping() == null
                && select.windowCalls().isEmpty()
                && !select.distinct();
        if (!oneByOne) {
            return new IndexChoice.Wish(select, List.of(), null);
        }
        List<Let> lets = new ArrayList<>(select.let());
        lets.addAll(select.computedBeforeOrder());
        List<SortTerm> order = select.order().stream()
                .map(term -> new SortTerm(
                        IndexChoice.withoutLets(term.expr(), select.block(), lets),
                        term.descending(),
                        term.nullsFirst()))
                .toList();
        return new IndexChoice.Wish(select, order, limit);
    }

    /** If all rows of a scan reach a constant LIMIT, the scan does not read ahead of it. */
    private static Operator stopEarly(
            Operator rows, Select select, ExprCompiler compiler, @Nullable Expr limit, @Nullable Expr offset) {
        boolean allReachIt = rows instanceof Sources.PrimaryScan
                && limit != null
                && select.grouping() == null
                && select.windowCalls().isEmpty()
                && !select.distinct()
                && select.order().isEmpty();
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
            return ((Sources.PrimaryScan) rows)
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

    private static Operator group(Operator rows, Query.Grouping grouping, Select select, ExprCompiler compiler) {
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
        Operator let = let(grouped, grouping.letting(), compiler);
        return grouping.having() == null
                ? let
                : new RowOperators.Filter(let, compiler.compile(grouping.having()), ExprText.of(grouping.having()));
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
            Operator rows, List<SortTerm> order, ExprCompiler compiler, @Nullable Eval offset, @Nullable Eval limit) {
        return new Sort(
                rows,
                terms(order, compiler),
                offset,
                limit,
                order.stream()
                        .map(term -> ExprText.of(term.expr()) + (term.descending() ? " desc" : ""))
                        .toList());
    }

    static Sort.Term[] terms(List<SortTerm> order, ExprCompiler compiler) {
        return order.stream()
                .map(term -> new Sort.Term(compiler.compile(term.expr()), term.descending(), term.nullsFirst()))
                .toArray(Sort.Term[]::new);
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
        public Value explain() {
            return rows.explain().value();
        }
    }
}
