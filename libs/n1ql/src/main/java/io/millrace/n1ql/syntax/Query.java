package io.millrace.n1ql.syntax;

import io.millrace.n1ql.syntax.Expr.Binding;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query. Has a frame of its own (its block is not -1) if it has common table expressions, or if ORDER BY sorts the
 * rows of several selects, which are then in {@code rowSlot}.
 */
public record Query(
        int block,
        int slots,
        int rowSlot,
        List<Cte> with,
        Body body,
        List<SortTerm> order,
        @Nullable Expr limit,
        @Nullable Expr offset) {

    public sealed interface Body {}

    /** A query in parentheses. */
    public record Nested(Query query) implements Body {}

    public record Combined(SetOperation operation, boolean all, Body left, Body right) implements Body {}

    public enum SetOperation {
        UNION,
        INTERSECT,
        EXCEPT
    }

    public record Cte(
            String name, Expr expr, int slot, @Nullable Recursion recursion, Place place) {}

    /**
     * How a common table expression refers to itself. The parser leaves the step in the expression; resolving names takes
     * it out, and leaves no recursion when the expression does not refer to itself.
     *
     * @param step the query that is repeated over the rows of the round before
     * @param all whether rows that were there before are kept
     * @param cycle a row whose values of these were there before is left out
     * @param rowSlot holds the row for {@code cycle}
     * @param options the largest numbers of {@code levels} and {@code documents}
     */
    public record Recursion(
            @Nullable Query step,
            boolean all,
            List<Expr> cycle,
            int rowSlot,
            @Nullable Expr options) {}

    /**
     * One SELECT. The frame has a slot for each name; {@code used} has the slots that are read. Aggregates, then
     * windows, then the aliases of ORDER BY are computed into their slots.
     */
    public record Select(
            int block,
            int slots,
            boolean distinct,
            Projection projection,
            @Nullable From from,
            List<Let> let,
            @Nullable Expr where,
            @Nullable Grouping grouping,
            List<NamedWindow> windows,
            List<Computed> aggregates,
            List<Computed> windowCalls,
            List<Let> computedBeforeOrder,
            List<SortTerm> order,
            BitSet used)
            implements Body {

        /** Returns the same query with other terms of ORDER BY. */
        public Select sortedBy(List<SortTerm> terms) {
            return new Select(
                    block,
                    slots,
                    distinct,
                    projection,
                    from,
                    let,
                    where,
                    grouping,
                    windows,
                    aggregates,
                    windowCalls,
                    computedBeforeOrder,
                    terms,
                    used);
        }
    }

    public record Computed(Expr.Call call, int slot) {}

    public record Projection(boolean raw, List<Term> terms, List<Expr> exclude, List<String> roots) {}

    public sealed interface Term {}

    public record StarTerm() implements Term {}

    public record PathStarTerm(Expr expr) implements Term {}

    /** The alias is null if the text has none; resolving names gives every term one. */
    public record ExprTerm(Expr expr, @Nullable String alias, boolean aliasWritten, Place place) implements Term {}

    public record Let(String name, Expr expr, int slot, Place place) {}

    public record Grouping(
            List<GroupKey> keys,
            @Nullable String groupAs,
            int groupAsSlot,
            List<Let> letting,
            @Nullable Expr having) {}

    public record GroupKey(Expr expr, @Nullable String alias, int slot) {}

    public record NamedWindow(String name, Expr.Over spec) {}

    // ---- FROM

    public sealed interface From {}

    /** A path to a keyspace or from an alias; resolving names decides which. */
    public record PathTerm(
            List<String> path,
            @Nullable String namespace,
            @Nullable String alias,
            UseHints use,
            boolean lateral,
            Place place)
            implements From {}

    /** A keyspace; {@code parameter} is set if a parameter names it. */
    public record KeyspaceTerm(
            List<String> path,
            Expr.@Nullable Param parameter,
            String alias,
            int slot,
            int metaSlot,
            UseHints use,
            Place place)
            implements From {}

    /** Each element of an array, or one value. */
    public record ExprTermFrom(Expr expr, @Nullable String alias, int slot, boolean lateral, Place place)
            implements From {}

    public record SubqueryTerm(Query query, @Nullable String alias, int slot, boolean lateral, Place place)
            implements From {}

    public enum JoinKind {
        INNER,
        LEFT,
        RIGHT
    }

    /** A join on a condition; {@code nest} collects the matches into an array. */
    public record Join(
            JoinKind kind,
            boolean nest,
            From left,
            From right,
            @Nullable Expr on) implements From {}

    /**
     * A join by keys: ON KEYS reads right documents; with {@code forAlias}, right documents have keys of the left side.
     */
    public record KeyJoin(
            JoinKind kind,
            boolean nest,
            From left,
            From right,
            Expr keys,
            @Nullable String forAlias,
            Place place) implements From {}

    public record Unnest(
            JoinKind kind, From left, Expr expr, @Nullable String alias, int slot, int positionSlot, Place place)
            implements From {}

    /**
     * The hints of USE; all but the keys are optional.
     *
     * @param ordered whether the terms of FROM are joined in the order of the text
     */
    public record UseHints(
            @Nullable Expr keys,
            boolean validate,
            List<String> indexes,
            @Nullable Strategy strategy,
            boolean ordered) {

        public static final UseHints NONE = new UseHints(null, false, List.of(), null, false);
    }

    public enum Strategy {
        HASH_BUILD,
        HASH_PROBE,
        NESTED_LOOP
    }

    /** The FOR of an UPDATE. */
    public record Each(List<List<Binding>> levels, @Nullable Expr when) {}
}
