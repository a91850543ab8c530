package io.millrace.n1ql.syntax;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the slots of outer blocks that a tree reads, including the variables of its own comprehensions. */
public final class FreeRefs extends TreeMapper {

    /** A slot of a block. */
    public record SlotOf(int block, int slot) {}

    private final Set<SlotOf> refs = new LinkedHashSet<>();
    private final Set<Integer> innerBlocks = new HashSet<>();
    private final Set<Integer> blocksOfSubqueries = new HashSet<>();
    private int depth;
    private boolean parameter;
    private boolean subquery;

    private FreeRefs() {}

    public static FreeRefs of(@Nullable Expr expr) {
        FreeRefs refs = new FreeRefs();
        if (expr != null) {
            refs.map(expr);
        }
        return refs;
    }

    public static FreeRefs of(Query query) {
        FreeRefs refs = new FreeRefs();
        refs.query(query);
        return refs;
    }

    public static FreeRefs of(Query.From from) {
        FreeRefs refs = new FreeRefs();
        refs.from(from);
        return refs;
    }

    public Set<SlotOf> refs() {
        Set<SlotOf> free = new LinkedHashSet<>(refs);
        free.removeIf(ref -> innerBlocks.contains(ref.block()));
        return free;
    }

    /** Returns the slots of one block. */
    public Set<Integer> slotsOf(int block) {
        Set<Integer> slots = new HashSet<>();
        for (SlotOf ref : refs()) {
            if (ref.block() == block) {
                slots.add(ref.slot());
            }
        }
        return slots;
    }

    boolean hasParameter() {
        return parameter;
    }

    boolean hasSubquery() {
        return subquery;
    }

    /** Returns whether a subquery of the tree reads this block, so that it is another one for each of its rows. */
    public boolean hasSubqueryOf(int block) {
        return blocksOfSubqueries.contains(block);
    }

    @Override
    public Expr map(Expr expr) {
        if (expr instanceof Expr.Ref ref) {
            refs.add(new SlotOf(ref.block(), ref.slot()));
            if (depth > 0) {
                blocksOfSubqueries.add(ref.block());
            }
        }
        parameter |= expr instanceof Expr.Param;
        subquery |= expr instanceof Expr.Subquery;
        depth += expr instanceof Expr.Subquery ? 1 : 0;
        Expr mapped = children(expr);
        depth -= expr instanceof Expr.Subquery ? 1 : 0;
        return mapped;
    }

    @Override
    protected Query query(Query query) {
        innerBlocks.add(query.block());
        return super.query(query);
    }

    @Override
    protected Query.Select select(Query.Select select) {
        innerBlocks.add(select.block());
        return super.select(select);
    }
}
