package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.plan.operator.RowOrder;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.TreeMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the indexes that can serve one keyspace of a query, and what each can do; a run chooses by their counts. */
public final class IndexChoice {

    /**
     * The requirements of a query on a scan besides its conditions.
     *
     * @param select the query, to find which parts of the document it uses; null if whole documents are needed
     * @param order the wanted order of the rows if the scan may provide it, else empty
     * @param rows LIMIT and OFFSET, or null if later clauses remove or combine rows
     * @param covers the slots of expressions that an index may have
     */
    public record Wish(
            Query.@Nullable Select select,
            List<SortTerm> order,
            @Nullable Rows rows,
            Covers covers) {

        public static final Wish NONE = new Wish(null, List.of(), null, Covers.NONE);

        /** Returns what the query requires of a scan whose rows are not its first ones. */
        public Wish ofOther() {
            return new Wish(select, List.of(), null, covers);
        }
    }

    /**
     * LIMIT and OFFSET.
     *
     * @param enough whether so many rows of the scan are enough; if not, because a join may have no match for some, they are
     *     the ones to begin with
     */
    public record Rows(@Nullable Eval limit, @Nullable Eval offset, boolean enough) {

        public long at(Frame row) {
            long most = limit == null ? 0 : RowOperators.limit(limit, row) + RowOperators.offset(offset, row);
            return most < 0 ? 0 : most;
        }
    }

    private final ExprCompiler compiler;
    private final Query.KeyspaceTerm term;
    private final DocumentShape shape;
    private final Set<Integer> unknown;
    private final Wish wish;

    public IndexChoice(ExprCompiler compiler, Query.KeyspaceTerm term, Set<Integer> unknown, Wish wish) {
        this.compiler = compiler;
        this.term = term;
        this.shape = new DocumentShape(compiler.blocks().block(), term.slot(), term.metaSlot());
        this.unknown = unknown;
        this.wish = wish;
    }

    /** Replaces variables of LET by their expressions. */
    public static Expr withoutLets(Expr expr, int block, List<Query.Let> lets) {
        if (lets.isEmpty()) {
            return expr;
        }
        return new TreeMapper() {
            @Override
            public Expr map(Expr part) {
                if (part instanceof Expr.Ref ref && ref.block() == block) {
                    for (Query.Let let : lets) {
                        if (let.slot() == ref.slot()) {
                            return map(let.expr());
                        }
                    }
                }
                return children(part);
            }
        }.map(expr);
    }

    /**
     * Returns a scan by the best of the indexes, or null if none can be used or a hint wants the primary index.
     *
     * @param conditions those of the query
     * @param implied conditions that follow from those, for the choice only
     * @param all reads all documents
     * @param changing whether documents are changed while they are read, so that their entries move in the index
     */
    public @Nullable ScanChoice choose(
            List<CompiledIndex> indexes,
            List<Expr> conditions,
            List<Expr> implied,
            KeyspaceSlots slots,
            Operator all,
            boolean changing) {
        List<IndexPath> paths = paths(indexes, conditions, implied);
        List<ScanChoice.Union> unions = new ArrayList<>();
        for (Expr condition : conditions) {
            ScanChoice.Union union = union(indexes, condition, conditions, implied);
            if (union != null) {
                unions.add(union);
            }
        }
        if (paths.isEmpty() && unions.isEmpty()) {
            return null;
        }
        List<String> hinted = term.use().indexes();
        List<IndexPath> wanted =
                paths.stream().filter(path -> hinted.contains(path.name())).toList();
        boolean obeys = !wanted.isEmpty();
        if (!obeys && hinted.contains(IndexDefinition.PRIMARY_NAME)) {
            return null;
        }
        return new ScanChoice(
                KeyspaceRef.of(term),
                slots,
                obeys ? wanted : paths,
                List.of(),
                obeys ? List.of() : unions,
                wish.rows(),
                wish.order().isEmpty() ? null : order(),
                all,
                changing,
                conditions.stream().anyMatch(this::isDependent));
    }

    /**
     * Returns a scan that looks up the rows that match a row of other terms, or null if no index can.
     *
     * @param others the slots of the other terms
     */
    public @Nullable ScanChoice probe(
            List<CompiledIndex> indexes, List<Expr> conditions, KeyspaceSlots slots, Set<Integer> others) {
        List<IndexPath> all = paths(indexes, conditions, List.of());
        List<IndexPath> hinted = all.stream()
                .filter(path -> term.use().indexes().contains(path.name()))
                .toList();
        List<IndexPath> paths = lookingUp(all, others);
        List<IndexPath> wanted = lookingUp(hinted, others);
        return paths.isEmpty()
                ? null
                : new ScanChoice(
                        KeyspaceRef.of(term),
                        slots,
                        wanted.isEmpty() ? paths : wanted,
                        alike(hinted.isEmpty() ? all : hinted, slots),
                        List.of(),
                        null,
                        null,
                        null,
                        false,
                        true);
    }

    /** Returns the paths that need a row of the other terms. */
    private List<IndexPath> lookingUp(List<IndexPath> paths, Set<Integer> others) {
        int block = compiler.blocks().block();
        return paths.stream()
                .filter(path -> path.spans().used().stream()
                        .anyMatch(condition ->
                                FreeRefs.of(condition).slotsOf(block).stream().anyMatch(others::contains)))
                .toList();
    }

    /** Returns the paths whose documents are the same whatever rows the other terms and outer queries have. */
    private List<IndexPath> alike(List<IndexPath> paths, KeyspaceSlots slots) {
        int block = compiler.blocks().block();
        Set<Integer> own = Set.of(slots.value(), slots.meta());
        return paths.stream()
                .filter(path -> path.spans().used().stream()
                        .allMatch(condition -> FreeRefs.of(condition).refs().stream()
                                .allMatch(ref -> ref.block() == block && own.contains(ref.slot()))))
                .toList();
    }

    private boolean isDependent(Expr condition) {
        return FreeRefs.of(condition).refs().stream()
                .anyMatch(ref -> ref.block() != compiler.blocks().block() || !unknown.contains(ref.slot()));
    }

    /** What a query wants of a scan by key: an order, no more than the key, an early end. */
    public record ByKey(
            int direction, boolean keyOnly, @Nullable Rows rows) {}

    public ByKey byKey() {
        int direction = 0;
        if (!wish.order().isEmpty()) {
            SortTerm first = wish.order().getFirst();
            boolean byId = shape.map(first.expr()).equals(DocumentShape.ID) && first.nullsFirst() == null;
            direction = byId ? first.descending() ? -1 : 1 : 0;
        }
        Query.Select select = wish.select();
        boolean keyOnly = select != null
                && CoveredDocument.isKeyEnough(select, compiler.blocks().block(), term);
        return new ByKey(direction, keyOnly, wish.order().isEmpty() || direction != 0 ? wish.rows() : null);
    }

    private RowOrder order() {
        return RowOrder.of(wish.order(), compiler);
    }

    private List<IndexPath> paths(List<CompiledIndex> indexes, List<Expr> conditions, List<Expr> implied) {
        List<Expr> usable = new ArrayList<>(conditions);
        usable.addAll(implied);
        Implication implication = new Implication(compiler, shape, usable);
        List<IndexPath> paths = new ArrayList<>();
        for (CompiledIndex index : indexes) {
            if (implication.proves(index.where())) {
                for (IndexSpans spans : IndexSpans.of(index, compiler, shape, unknown, usable)) {
                    paths.add(path(index, spans, conditions));
                }
            }
        }
        return paths;
    }

    private IndexPath path(CompiledIndex index, IndexSpans spans, List<Expr> conditions) {
        CoveredDocument cover = new CoveredDocument(index, compiler.blocks().block(), term, wish.covers());
        boolean waits = conditions.stream()
                .anyMatch(condition -> !runsPerRow(condition)
                        && !spans.used().contains(condition)
                        && !cover.covers(condition, unknown));
        List<Expr> filter = new ArrayList<>();
        List<Expr> whole = new ArrayList<>();
        boolean undecided = false;
        boolean usedAreFiltered = true;
        for (Expr condition : conditions) {
            boolean used = spans.used().contains(condition);
            boolean told = cover.covers(condition, unknown) && !(waits && runsPerRow(condition));
            if (told && !index.where().contains(shape.map(condition))) {
                whole.add(condition);
                if (!used) {
                    filter.add(condition);
                }
            }
            undecided |= !told && !used;
            usedAreFiltered &= told || !used;
        }
        boolean sortable =
                !wish.order().isEmpty() && wish.order().stream().allMatch(term -> cover.covers(term.expr(), unknown));
        Query.Select select = wish.select();
        return new IndexPath(
                index,
                spans,
                direction(index, spans),
                cover,
                select != null && cover.covers(select),
                conjunction(filter),
                conjunction(whole),
                whole,
                usedAreFiltered,
                undecided,
                sortable,
                select == null
                        ? null
                        : IndexGroups.of(
                                index,
                                select,
                                expr -> shape.map(
                                        withoutLets(expr, compiler.blocks().block(), select.let()))));
    }

    /** Such a condition is dear: if an entry does not decide all others, it waits for the document, which does. */
    private boolean runsPerRow(Expr condition) {
        return FreeRefs.of(condition).hasSubqueryOf(compiler.blocks().block());
    }

    private @Nullable Eval conjunction(List<Expr> conditions) {
        return conditions.isEmpty()
                ? null
                : compiler.compile(
                        conditions.size() == 1
                                ? conditions.getFirst()
                                : new Expr.Operation(Op.AND, conditions, Place.NONE));
    }

    /** Returns the ways to the documents of each alternative of an OR, or null if one of them has none. */
    private ScanChoice.@Nullable Union union(
            List<CompiledIndex> indexes, Expr condition, List<Expr> conditions, List<Expr> implied) {
        if (!(condition instanceof Expr.Operation operation) || operation.op() != Op.OR) {
            return null;
        }
        List<List<IndexPath>> alternatives = new ArrayList<>();
        for (Expr alternative : disjuncts(condition)) {
            List<Expr> own = new ArrayList<>(conditions);
            own.remove(condition);
            own.addAll(0, Expr.conjuncts(alternative));
            List<IndexPath> paths = paths(indexes, own, implied);
            if (paths.isEmpty()) {
                return null;
            }
            alternatives.add(paths.stream().map(IndexPath::withDocuments).toList());
        }
        return new ScanChoice.Union(alternatives);
    }

    private static List<Expr> disjuncts(Expr condition) {
        return condition instanceof Expr.Operation operation && operation.op() == Op.OR
                ? operation.args().stream()
                        .flatMap(arg -> disjuncts(arg).stream())
                        .toList()
                : List.of(condition);
    }

    /** Returns 1 if the index has the wanted order forward, -1 backward, 0 otherwise. */
    private int direction(CompiledIndex index, IndexSpans spans) {
        if (wish.order().isEmpty() || index.hasEach()) {
            return IndexPath.NO_ORDER;
        }
        List<Expr> given = new ArrayList<>();
        List<Boolean> descending = new ArrayList<>();
        List<Expr> constant = new ArrayList<>();
        for (int i = 0; i < index.keys().size(); i++) {
            if (spans.isSingle(i)) {
                constant.add(index.keys().get(i));
            } else {
                given.add(index.keys().get(i));
                descending.add(index.descending(i));
            }
        }
        given.add(DocumentShape.ID);
        descending.add(false);
        int direction = IndexPath.NO_ORDER;
        int at = 0;
        for (SortTerm sort : wish.order()) {
            Expr wanted = shape.map(sort.expr());
            if (constant.contains(wanted)) {
                continue;
            }
            if (sort.nullsFirst() != null
                    || at == given.size()
                    || !given.get(at).equals(wanted)) {
                return IndexPath.NO_ORDER;
            }
            int own = sort.descending() == descending.get(at) ? 1 : -1;
            if (direction != IndexPath.NO_ORDER && direction != own) {
                return IndexPath.NO_ORDER;
            }
            direction = own;
            at++;
        }
        return direction == IndexPath.NO_ORDER ? 1 : direction;
    }
}
