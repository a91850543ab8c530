package io.millrace.n1ql.syntax;

import io.millrace.n1ql.syntax.Expr.Binding;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query with what holds for all of it. Has a frame of its own (its block is not -1) when there are common table
 * expressions, or when ORDER BY sorts rows of several selects: then these are in {@code rowSlot}.
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
            String name,
            Expr expr,
            int slot,
            boolean recursive,
            List<Expr> cycle,
            @Nullable Expr options,
            Place place) {}

    /**
     * One SELECT. The frame has a slot for everything that has a name in it; {@code used} tells which are read.
     * Aggregates, then windows are computed into their slots, and what ORDER BY knows by its alias before it sorts.
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
            implements Body {}

    public record Computed(Expr.Call call, int slot) {}

    public record Projection(boolean raw, List<Term> terms, List<Expr> exclude) {}

    public sealed interface Term {}

    public record StarTerm() implements Term {}

    public record PathStarTerm(Expr expr) implements Term {}

    /** The alias is null where the text has none; the look-up of names gives every term one. */
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

    /** A name that is a keyspace or an alias' path: only the look-up of names can tell. */
    public record PathTerm(
            List<String> path,
            @Nullable String namespace,
            @Nullable String alias,
            UseHints use,
            boolean lateral,
            Place place)
            implements From {}

    /** A keyspace; {@code parameter} stands for its name when that comes with the request. */
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

    /** A join by keys: ON KEYS looks right documents up; with {@code forAlias}, right documents hold keys of the left. */
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

    /** What USE says; all but keys is advice. */
    public record UseHints(
            @Nullable Expr keys,
            boolean validate,
            List<String> indexes,
            @Nullable Strategy strategy) {

        public static final UseHints NONE = new UseHints(null, false, List.of(), null);
    }

    public enum Strategy {
        HASH_BUILD,
        HASH_PROBE,
        NESTED_LOOP
    }

    /** What FOR means in an UPDATE. */
    public record Each(List<List<Binding>> levels, @Nullable Expr when) {}
}
