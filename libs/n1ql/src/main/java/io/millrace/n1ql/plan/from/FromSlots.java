package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.From;
import io.millrace.n1ql.syntax.Query.JoinKind;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The slots of a row that the terms of a FROM clause fill. */
public final class FromSlots {

    private FromSlots() {}

    /** Returns the slots of the documents, their metadata and the positions of UNNEST. */
    public static Set<Integer> slotsOf(@Nullable From from) {
        Set<Integer> slots = new HashSet<>();
        collect(from, slots);
        return slots;
    }

    private static void collect(@Nullable From from, Set<Integer> slots) {
        switch (from) {
            case null -> {}
            case Query.PathTerm term -> throw new IllegalStateException("not looked up: " + term);
            case Query.KeyspaceTerm term -> {
                slots.add(term.slot());
                slots.add(term.metaSlot());
            }
            case Query.ExprTermFrom term -> slots.add(term.slot());
            case Query.SubqueryTerm term -> slots.add(term.slot());
            case Query.Join join -> {
                collect(join.left(), slots);
                collect(join.right(), slots);
            }
            case Query.KeyJoin join -> {
                collect(join.left(), slots);
                collect(join.right(), slots);
            }
            case Query.Unnest unnest -> {
                collect(unnest.left(), slots);
                slots.add(unnest.slot());
                slots.add(unnest.positionSlot());
            }
        }
    }

    /** Returns the keyspace whose rows the rows of a FROM clause extend, in their order; null if there is none. */
    public static Query.@Nullable KeyspaceTerm first(@Nullable From from) {
        return switch (from) {
            case Query.KeyspaceTerm term -> term;
            case Query.Join join when join.kind() != JoinKind.RIGHT -> first(join.left());
            case Query.KeyJoin join -> first(join.left());
            case Query.Unnest unnest -> first(unnest.left());
            case null, default -> null;
        };
    }

    /** Returns whether each row of the first keyspace has a row of the FROM clause. */
    public static boolean keepsFirst(@Nullable From from) {
        return switch (from) {
            case Query.KeyspaceTerm term -> true;
            case Query.Join join -> join.kind() == JoinKind.LEFT && keepsFirst(join.left());
            case Query.KeyJoin join -> join.kind() == JoinKind.LEFT && keepsFirst(join.left());
            case Query.Unnest unnest -> unnest.kind() == JoinKind.LEFT && keepsFirst(unnest.left());
            case null, default -> false;
        };
    }

    /** Returns the slot of the array that NEST makes of the rows of a term. */
    static int nestSlot(From right) {
        return switch (right) {
            case Query.KeyspaceTerm term -> term.slot();
            case Query.SubqueryTerm term -> term.slot();
            case Query.ExprTermFrom term -> term.slot();
            default -> throw new IllegalStateException("nested: " + right);
        };
    }
}
