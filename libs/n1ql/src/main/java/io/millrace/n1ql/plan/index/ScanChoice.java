package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.index.IndexSpans.Spans;
import io.millrace.n1ql.plan.index.ScanCosts.Cost;
import io.millrace.n1ql.plan.index.ScanCosts.Counted;
import io.millrace.n1ql.plan.index.ScanCosts.First;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOrder;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Value;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents by the index that reads least in this run, by two indexes, or by one for each alternative of an OR. The
 * first time that a run opens it, the store counts the entries of each candidate; later, for the other rows of an outer
 * query, the choice stays.
 */
public final class ScanChoice implements Operator {

    /**
     * A group that an index has told.
     *
     * @param keys in the order of the query
     * @param aggregates in the order of the query
     * @param row with what the first entry of the group tells of its document
     */
    public record Group(List<Value> keys, List<Value> aggregates, Frame row) {}

    /** The documents of the alternatives of an OR: for each, the indexes that can serve it. */
    record Union(List<List<IndexPath>> alternatives) {}

    /** A way to the documents. */
    sealed interface Way {}

    record One(IndexPath path) implements Way {}

    /** Documents that both indexes have. */
    record Both(IndexPath first, IndexPath second) implements Way {}

    /** Documents that a second index has as well, whose entries are read once for all rows of the other scan. */
    record Among(IndexPath path, IndexPath alike) implements Way {}

    /**
     * Documents that one of the indexes has.
     *
     * @param few how many there are if they are so few that all are read at once, else 0
     */
    record Any(List<IndexPath> paths, long few) implements Way {}

    /** All documents. */
    record All() implements Way {}

    /** So few documents are read at once, because a single one would hardly be faster. */
    private static final int FEW = 16;

    /** @param rows how many entries there are, or keys; 0 if they were not counted */
    private record Decision(Way way, @Nullable Cost cost, double rows) {}

    private final KeyspaceRef ref;
    private final KeyspaceSlots slots;
    private final List<IndexPath> paths;
    private final List<IndexPath> alike;
    private final List<Union> unions;
    private final IndexChoice.@Nullable Rows rows;
    private final @Nullable RowOrder order;
    private final @Nullable Operator all;
    private final boolean changing;
    private final boolean dependent;

    /**
     * @param alike indexes whose documents are the same for each row of another scan
     * @param dependent whether the conditions read rows of another scan
     */
    ScanChoice(
            KeyspaceRef ref,
            KeyspaceSlots slots,
            List<IndexPath> paths,
            List<IndexPath> alike,
            List<Union> unions,
            IndexChoice.@Nullable Rows rows,
            @Nullable RowOrder order,
            @Nullable Operator all,
            boolean changing,
            boolean dependent) {
        this.ref = ref;
        this.slots = slots;
        this.paths = paths;
        this.alike = alike;
        this.unions = unions;
        this.rows = rows;
        this.order = order;
        this.all = all;
        this.changing = changing;
        this.dependent = dependent;
    }

    @Override
    public Cursor<Frame> open(Frame row) {
        return open(row, true);
    }

    /** @param toEnd whether all rows are needed as far as is known; if not, no more entries are read than documents */
    public Cursor<Frame> open(Frame row, boolean toEnd) {
        Keyspace keyspace = ref.open(row.execution(), Need.SELECT);
        Execution execution = row.execution();
        Decision decision =
                (Decision) execution.memo(this, known -> known == null ? decide(keyspace, row, false) : known);
        return open(decision, new IndexReader(keyspace, slots, row, changing, toEnd), row, toEnd);
    }

    /** Chooses with the counts, also if there is a single candidate. */
    private Decision counted(Frame row) {
        Keyspace keyspace = ref.open(row.execution(), Need.SELECT);
        return (Decision) row.execution()
                .memo(
                        this,
                        known -> known instanceof Decision decision && decision.cost() != null
                                ? known
                                : decide(keyspace, row, true));
    }

    @Override
    public double reads(Frame row) {
        return Objects.requireNonNull(counted(row).cost()).total();
    }

    @Override
    public double rowCount(Frame row) {
        return counted(row).rows();
    }

    @Override
    public boolean ordered(Frame row) {
        return isInOrder(counted(row), row);
    }

    private Cursor<Frame> open(Decision decision, IndexReader reader, Frame row, boolean toEnd) {
        return switch (decision.way()) {
            case All none -> Objects.requireNonNull(all).open(row);
            case Any any -> {
                long expected = order == null ? expected(row) : 0;
                yield reader.any(any.paths(), expected > 0 ? expected : any.few());
            }
            case Both both -> reader.both(both.first(), both.second());
            case Among among ->
                toEnd
                        ? reader.among(among.path(), reader.idsOfRun(among.alike(), among))
                        : reader.one(among.path(), among.path().spans().at(row), 0, 0);
            case One one -> {
                Spans spans = one.path().spans().at(row);
                long wanted = wanted(row);
                boolean streams = order == null || one.path().ordered();
                yield isSorted(one.path(), spans, wanted)
                        ? reader.firstOf(one.path(), spans, Objects.requireNonNull(order), wanted)
                        : reader.one(one.path(), spans, streams ? expected(row) : 0, dependent ? 0 : decision.rows());
            }
        };
    }

    /** Returns how many rows are enough, or 0 for all. */
    private long wanted(Frame row) {
        return First.of(rows, row).enough();
    }

    /** Returns how many rows will probably be needed, or 0. */
    private long expected(Frame row) {
        return First.of(rows, row).perhaps();
    }

    /** @param always whether a single candidate is counted too */
    private Decision decide(Keyspace keyspace, Frame row, boolean always) {
        boolean primary = all != null && keyspace.indexes().stream().anyMatch(IndexDefinition::primary);
        boolean mayReadAll =
                primary && paths.stream().allMatch(path -> path.index().hasEach());
        if (!always && unions.isEmpty() && alike.isEmpty() && paths.size() == 1 && !mayReadAll) {
            return new Decision(new One(paths.getFirst()), null, 0);
        }
        Decision best = null;
        long total = Long.MAX_VALUE;
        if (!paths.isEmpty()) {
            ScanCosts costs = ScanCosts.ask(keyspace, paths, alike, First.of(rows, row), order == null, row);
            total = costs.total();
            best = decide(costs);
        }
        for (Union union : unions) {
            Decision united = decide(union, keyspace, row);
            best = better(best, united);
        }
        if (mayReadAll || primary && paths.isEmpty()) {
            long documents = total == Long.MAX_VALUE ? row.execution().await(keyspace.count()) : total;
            best = better(best, new Decision(new All(), new Cost(documents, documents, 0), documents));
        }
        return Objects.requireNonNull(best);
    }

    private static Decision decide(ScanCosts costs) {
        Counted one = costs.best();
        ScanCosts.Pair pair = costs.pair();
        if (pair != null) {
            Way both = new Both(pair.first().path(), pair.second().path());
            return new Decision(both, pair.cost(), pair.cost().documents());
        }
        ScanCosts.Pair among = costs.pairAlike();
        return among == null
                ? new Decision(new One(one.path()), one.cost(), one.count())
                : new Decision(
                        new Among(among.first().path(), among.second().path()),
                        among.cost(),
                        among.cost().documents());
    }

    private static Decision better(@Nullable Decision one, Decision other) {
        Cost cost = one == null ? null : one.cost();
        Cost others = Objects.requireNonNull(other.cost());
        return one == null || cost != null && others.total() < cost.total() ? other : one;
    }

    /** If the first alternatives have all rows that are wanted, the others are not read. */
    private Decision decide(Union union, Keyspace keyspace, Frame row) {
        First first = order == null ? First.of(rows, row) : First.ALL;
        long wanted = first.enough();
        List<Counted> chosen = ScanCosts.cheapestFirst(
                union.alternatives().stream()
                        .map(alternative -> ScanCosts.ask(keyspace, alternative, List.of(), first, true, row)
                                .best())
                        .toList(),
                wanted);
        Cost cost = null;
        double rows = 0;
        for (Counted counted : chosen) {
            boolean enough = wanted > 0 && rows >= wanted;
            cost = cost == null ? counted.cost() : enough ? cost : cost.and(counted.cost());
            rows += counted.hasOnlyRows() ? counted.cost().documents() : 0;
        }
        long entries = chosen.stream().mapToLong(Counted::count).sum();
        List<IndexPath> read = chosen.stream().map(Counted::path).toList();
        return new Decision(new Any(read, entries <= FEW ? entries : 0), Objects.requireNonNull(cost), entries);
    }

    // ---- counting

    /** Returns how many documents fulfil the conditions if an index knows that without reading entries. */
    public Optional<Long> count(Frame row) {
        Execution execution = row.execution();
        Keyspace keyspace = ref.open(execution, Need.SELECT);
        for (IndexPath path : paths) {
            if (path.decidesByRange()) {
                Spans spans = path.spans().at(row);
                if (spans.exact()) {
                    return Optional.of(
                            execution.await(keyspace.count(path.index().secondary(), spans.ranges(), true)));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns whether an index has the groups, or the distinct results, of the query side by side. */
    public boolean mayGroup() {
        return paths.stream().anyMatch(path -> path.groups() != null && path.covers() && path.decidesByRange());
    }

    /** Returns the groups if an index has them side by side, and skipping from one to the next pays in this run. */
    public Optional<List<Group>> groups(Frame row) {
        Keyspace keyspace = ref.open(row.execution(), Need.SELECT);
        for (IndexPath path : paths) {
            IndexGroups groups = path.groups();
            if (groups != null && path.covers() && path.decidesByRange()) {
                Spans spans = path.spans().at(row);
                if (spans.exact()) {
                    return groups.read(keyspace, path, spans, row, slots);
                }
            }
        }
        return Optional.empty();
    }

    // ---- explanation

    @Override
    public Explanation explain(Frame row) {
        Decision decision = explained(row);
        Cost cost = decision.cost();
        Explanation shown = switch (decision.way()) {
            case All none -> Objects.requireNonNull(all).explain(row);
            case Any any -> several("UnionScan", any.paths());
            case Both both -> several("IntersectScan", List.of(both.first(), both.second()));
            case Among among -> several("IntersectScan", List.of(among.path(), among.alike()));
            case One one -> explain(one.path());
        };
        shown.inOrder(isInOrder(decision, row));
        return cost == null ? shown : shown.expecting(decision.rows(), cost.total());
    }

    private boolean isInOrder(Decision decision, Frame row) {
        if (decision.way() instanceof All) {
            return Objects.requireNonNull(all).ordered(row);
        }
        try {
            return decision.way() instanceof One(IndexPath path)
                    && (path.ordered()
                            || !dependent && isSorted(path, path.spans().at(row), wanted(row)));
        } catch (QueryException e) {
            return false;
        }
    }

    /** Returns whether entries are sorted, and only the documents of the first ones are read. */
    private boolean isSorted(IndexPath path, Spans spans, long wanted) {
        return order != null
                && !path.ordered()
                && !path.covers()
                && IndexReader.maySort(wanted)
                && path.sortable()
                && path.decides(spans);
    }

    /** A scan that depends on rows of another one has no counts yet: it is chosen by the form of the indexes. */
    private Decision explained(Frame row) {
        if (!dependent) {
            try {
                return counted(row);
            } catch (QueryException e) {
                // a parameter has no value, or the user may not read the documents
            }
        }
        if (paths.isEmpty()) {
            return new Decision(
                    new Any(
                            unions.getFirst().alternatives().stream()
                                    .map(ScanChoice::byForm)
                                    .toList(),
                            0),
                    null,
                    0);
        }
        return new Decision(new One(byForm(paths)), null, 0);
    }

    private static IndexPath byForm(List<IndexPath> paths) {
        return Collections.max(
                paths,
                Comparator.<IndexPath>comparingInt(path ->
                                path.spans().singleKeys() + path.index().where().size())
                        .thenComparing(path -> path.spans().keys())
                        .thenComparing(IndexPath::ordered)
                        .thenComparing(IndexPath::covers)
                        .thenComparing(path -> -path.index().keys().size()));
    }

    private Explanation several(String operator, List<IndexPath> scans) {
        return new Explanation(operator)
                .with("keyspace", ref.toString())
                .with("as", slots.alias())
                .with(
                        "scans",
                        ArrayValue.of(scans.stream()
                                .map(path -> explain(path).value())
                                .toList()));
    }

    private Explanation explain(IndexPath path) {
        Explanation explanation = new Explanation("IndexScan3")
                .with("index", path.name())
                .with("keyspace", ref.toString())
                .with("as", slots.alias())
                .with("using", "gsi")
                .withAll("spans", path.spans().texts());
        if (path.covers()) {
            explanation.withAll("covers", Covers.texts(path.index()));
        }
        if (path.filter() != null) {
            explanation.withAll(
                    "filter", path.filtered().stream().map(ExprText::of).toList());
        }
        if (path.backward()) {
            explanation.with("reverse", Value.TRUE);
        }
        boolean streams = order == null || path.ordered();
        return rows == null || rows.limit() == null || !streams ? explanation : explanation.with("limit", Value.TRUE);
    }
}
