package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.plan.operator.RowOperators;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.TreeMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses an index for one keyspace of a query: prefers most keys fixed by equality, then a range on the next key, then
 * the wanted order, then an index that covers the query.
 */
public final class IndexChoice {

    /**
     * The requirements of a query on a scan besides its conditions.
     *
     * @param select the query, to find which parts of the document it uses; null if whole documents are needed
     * @param order the wanted order of the rows if the scan may provide it, else empty
     * @param rows LIMIT and OFFSET, or null if later clauses remove or combine rows
     */
    public record Wish(
            Query.@Nullable Select select,
            List<SortTerm> order,
            @Nullable Rows rows) {

        public static final Wish NONE = new Wish(null, List.of(), null);
    }

    /** LIMIT and OFFSET. */
    public record Rows(@Nullable Eval limit, @Nullable Eval offset) {

        long at(Frame row) {
            long most = limit == null ? 0 : RowOperators.limit(limit, row) + RowOperators.offset(offset, row);
            return most < 0 ? 0 : most;
        }
    }

    /** @param ordered whether the rows are in the wanted order */
    public record Chosen(Operator scan, boolean ordered) {}

    private record Candidate(
            CompiledIndex index,
            IndexSpans spans,
            int direction,
            @Nullable CoveredDocument cover) {}

    private static final int NO_ORDER = 0;

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

    @Nullable
    public Chosen choose(List<CompiledIndex> indexes, List<Expr> conditions, KeyspaceSlots slots, boolean idsFirst) {
        List<Candidate> candidates = new ArrayList<>();
        List<Expr> shaped = conditions.stream().map(shape::map).toList();
        for (CompiledIndex index : indexes) {
            IndexSpans spans = new IndexSpans(index, compiler, shape, unknown);
            if (shaped.containsAll(index.where()) && spans.take(conditions)) {
                Query.Select select = wish.select();
                CoveredDocument cover = select == null ? null : CoveredDocument.of(select, index, term);
                candidates.add(new Candidate(index, spans, direction(index, spans), cover));
            }
        }
        List<String> hinted = term.use().indexes();
        Comparator<Candidate> better = Comparator.<Candidate, Boolean>comparing(
                        one -> hinted.contains(one.index().definition().name()))
                .thenComparing(one -> one.spans().equalKeys())
                .thenComparing(one -> one.spans().keys())
                .thenComparing(one -> one.direction() != NO_ORDER)
                .thenComparing(one -> one.cover() != null)
                .thenComparing(one -> -one.index().keys().size());
        return candidates.stream()
                .max(better)
                .map(best -> chosen(best, slots, idsFirst))
                .orElse(null);
    }

    private Chosen chosen(Candidate best, KeyspaceSlots slots, boolean idsFirst) {
        boolean ordered = best.direction() != NO_ORDER;
        boolean allReachLimit = ordered || wish.order().isEmpty();
        IndexScan scan = new IndexScan(
                KeyspaceRef.of(term),
                slots,
                best.index(),
                best.spans(),
                best.direction() < 0,
                best.cover(),
                idsFirst,
                allReachLimit ? wish.rows() : null);
        return new Chosen(scan, ordered);
    }

    /** Returns 1 if the index has the wanted order forward, -1 backward, 0 otherwise. */
    private int direction(CompiledIndex index, IndexSpans spans) {
        if (wish.order().isEmpty() || index.hasEach()) {
            return NO_ORDER;
        }
        List<Expr> given = new ArrayList<>();
        List<Boolean> descending = new ArrayList<>();
        List<Expr> constant = new ArrayList<>();
        for (int i = 0; i < index.keys().size(); i++) {
            if (spans.isEqual(i)) {
                constant.add(index.keys().get(i));
            } else {
                given.add(index.keys().get(i));
                descending.add(index.descending(i));
            }
        }
        given.add(DocumentShape.ID);
        descending.add(false);
        int direction = NO_ORDER;
        int at = 0;
        for (SortTerm sort : wish.order()) {
            Expr wanted = shape.map(sort.expr());
            if (constant.contains(wanted)) {
                continue;
            }
            if (sort.nullsFirst() != null
                    || at == given.size()
                    || !given.get(at).equals(wanted)) {
                return NO_ORDER;
            }
            int own = sort.descending() == descending.get(at) ? 1 : -1;
            if (direction != NO_ORDER && direction != own) {
                return NO_ORDER;
            }
            direction = own;
            at++;
        }
        return direction == NO_ORDER ? 1 : direction;
    }
}
