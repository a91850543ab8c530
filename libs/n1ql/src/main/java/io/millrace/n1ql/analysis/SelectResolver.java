package io.millrace.n1ql.analysis;

import io.millrace.n1ql.analysis.Scope.Kind;
import io.millrace.n1ql.analysis.Scope.Meaning;
import io.millrace.n1ql.function.Functions;
import io.millrace.n1ql.syntax.Aliases;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import io.millrace.n1ql.syntax.Query.Computed;
import io.millrace.n1ql.syntax.Query.ExprTerm;
import io.millrace.n1ql.syntax.Query.From;
import io.millrace.n1ql.syntax.Query.GroupKey;
import io.millrace.n1ql.syntax.Query.Grouping;
import io.millrace.n1ql.syntax.Query.Let;
import io.millrace.n1ql.syntax.Query.NamedWindow;
import io.millrace.n1ql.syntax.Query.PathStarTerm;
import io.millrace.n1ql.syntax.Query.Projection;
import io.millrace.n1ql.syntax.Query.Select;
import io.millrace.n1ql.syntax.Query.StarTerm;
import io.millrace.n1ql.syntax.Query.Term;
import io.millrace.n1ql.syntax.TreeMapper;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resolves names in one SELECT, in the order in which its clauses take effect. */
final class SelectResolver {

    private final QueryResolver queries;
    private final Block block;
    private final Scope scope;
    private final ExprResolver exprs;
    /** Projected terms that ORDER BY refers to by alias, and which are computed before it. */
    private final Map<String, Let> computedBeforeOrder = new LinkedHashMap<>();

    SelectResolver(QueryResolver queries, Scope outer) {
        this.queries = queries;
        this.block = queries.newBlock();
        this.scope = Scope.of(outer, block);
        this.exprs = new ExprResolver(queries, scope);
    }

    Select select(Select select, List<SortTerm> order) {
        From from = select.from() == null ? null : new FromResolver(queries, scope).resolve(select.from());
        List<Let> let = QueryResolver.lets(select.let(), scope, exprs);
        Expr where = select.where() == null ? null : exprs.map(select.where());
        GroupRewriter.refuseOverRows(where);
        let.forEach(variable -> GroupRewriter.refuseOverRows(variable.expr()));
        BitSet rowSlots = new BitSet();
        rowSlots.set(0, block.slots());
        boolean collects = select.grouping() != null && select.grouping().groupAs() != null;
        List<Let> groupMembers = collects ? groupMembers(let) : List.of();
        Grouping grouping = select.grouping() == null ? null : grouping(select.grouping());
        Projection projection = Projections.resolve(select.projection(), scope, exprs);
        List<SortTerm> sort = order(order, projection);
        List<NamedWindow> windows = windows(select.windows());
        Select resolved = new Select(
                block.id(),
                0,
                select.distinct(),
                projection,
                from,
                let,
                where,
                grouping,
                windows,
                List.of(),
                List.of(),
                new ArrayList<>(computedBeforeOrder.values()),
                sort,
                block.used());
        if (grouping != null || aggregates(resolved)) {
            resolved = group(resolved, rowSlots, groupMembers);
        }
        return window(resolved);
    }

    /** GROUP AS collects the terms of FROM and the variables of LET. */
    private List<Let> groupMembers(List<Let> let) {
        List<Let> members = new ArrayList<>();
        scope.fromTerms()
                .forEach((name, meaning) ->
                        members.add(new Let(name, meaning.ref(), meaning.slot(), io.millrace.n1ql.syntax.Place.NONE)));
        members.addAll(let);
        return members;
    }

    private Grouping grouping(Grouping grouping) {
        List<GroupKey> keys = new ArrayList<>();
        for (GroupKey key : grouping.keys()) {
            Expr expr = exprs.map(key.expr());
            GroupRewriter.refuseOverRows(expr);
            keys.add(new GroupKey(expr, key.alias(), block.newSlot()));
        }
        for (GroupKey key : keys) {
            if (key.alias() != null) {
                scope.add(Kind.LET, key.alias(), key.slot(), -1);
            }
        }
        int groupAsSlot = -1;
        if (grouping.groupAs() != null) {
            groupAsSlot = block.newSlot();
            scope.add(Kind.LET, grouping.groupAs(), groupAsSlot, -1);
        }
        List<Let> letting = QueryResolver.lets(grouping.letting(), scope, exprs);
        Expr having = grouping.having() == null ? null : exprs.map(grouping.having());
        GroupRewriter.refuseWindows(having);
        letting.forEach(variable -> GroupRewriter.refuseWindows(variable.expr()));
        return new Grouping(keys, grouping.groupAs(), groupAsSlot, letting, having);
    }

    /** A name in ORDER BY refers to the result first. */
    private List<SortTerm> order(List<SortTerm> order, Projection projection) {
        Map<String, ExprTerm> aliases = new LinkedHashMap<>();
        for (Term term : projection.terms()) {
            if (term instanceof ExprTerm expr && expr.alias() != null) {
                aliases.put(expr.alias(), expr);
            }
        }
        TreeMapper replaceAliases = new TreeMapper() {
            @Override
            public Expr map(Expr expr) {
                if (expr instanceof Expr.Name name && aliases.containsKey(name.name())) {
                    return beforeOrder(aliases.get(name.name()), name.name());
                }
                if (expr instanceof Expr.Call call && ofTerm(call, aliases) instanceof Expr.Call metadata) {
                    return metadata;
                }
                if (expr instanceof Expr.Call call && (call.over() != null || Functions.isAggregate(call.name()))) {
                    // computed before the result, so its names refer to the rows
                    return expr;
                }
                return expr instanceof Expr.Subquery ? expr : children(expr);
            }
        };
        List<SortTerm> resolved = new ArrayList<>();
        for (SortTerm term : order) {
            Expr expr = exprs.map(replaceAliases.map(term.expr()));
            resolved.add(new SortTerm(expr, term.descending(), term.nullsFirst()));
        }
        return resolved;
    }

    /**
     * Returns META() or UNNEST_POS() of a term of FROM for that of a result which is the term, null for any other call: a
     * value in the result has neither.
     */
    private Expr.@Nullable Call ofTerm(Expr.Call call, Map<String, ExprTerm> aliases) {
        boolean ofTerms = call.name().equals("meta") || call.name().startsWith("unnest_pos");
        ExprTerm result = ofTerms && call.args().size() == 1 && call.args().getFirst() instanceof Expr.Name name
                ? aliases.get(name.name())
                : null;
        if (result == null) {
            return null;
        }
        for (Meaning term : scope.fromTerms().values()) {
            if (result.expr().equals(new Expr.Ref(block.id(), term.slot(), term.name()))) {
                Expr name = new Expr.Name(term.name(), false, call.place());
                return new Expr.Call(
                        call.name(),
                        List.of(name),
                        call.star(),
                        call.distinct(),
                        call.filter(),
                        call.over(),
                        call.place());
            }
        }
        return null;
    }

    private Expr beforeOrder(ExprTerm term, String alias) {
        Meaning from = scope.fromTerms().get(alias);
        if (from != null && term.expr().equals(new Expr.Ref(block.id(), from.slot(), alias))) {
            return term.expr();
        }
        Let computed = computedBeforeOrder.computeIfAbsent(
                alias, name -> new Let(name, term.expr(), block.newSlot(), term.place()));
        return block.ref(computed.slot(), alias);
    }

    private List<NamedWindow> windows(List<NamedWindow> windows) {
        List<NamedWindow> resolved = new ArrayList<>();
        for (NamedWindow window : windows) {
            Expr.Call carrier = new Expr.Call(
                    "count", List.of(), true, false, null, window.spec(), io.millrace.n1ql.syntax.Place.NONE);
            Expr.Over over = ((Expr.Call) exprs.map(carrier)).over();
            resolved.add(new NamedWindow(window.name(), over == null ? window.spec() : over));
        }
        return resolved;
    }

    private static boolean aggregates(Select select) {
        boolean[] found = new boolean[1];
        new TreeMapper() {
            @Override
            public Expr map(Expr expr) {
                found[0] |= GroupRewriter.containsAggregate(expr);
                return expr;
            }

            void search() {
                projection(select.projection());
                order(select.order());
                lets(select.computedBeforeOrder());
            }
        }.search();
        return found[0];
    }

    private Select group(Select select, BitSet rowSlots, List<Let> members) {
        Grouping grouping =
                select.grouping() == null ? new Grouping(List.of(), null, -1, List.of(), null) : select.grouping();
        GroupRewriter rewriter = new GroupRewriter(block, grouping.keys(), rowSlots);
        GroupedParts parts = new GroupedParts(rewriter);
        List<Let> letting = parts.allLets(grouping.letting());
        Expr having = grouping.having() == null ? null : rewriter.map(grouping.having());
        Projection projection = parts.all(select.projection());
        List<Let> before = parts.allLets(select.computedBeforeOrder());
        List<SortTerm> order = parts.allSorts(select.order());
        List<NamedWindow> windows = parts.allWindows(select.windows());
        List<Computed> aggregates = new ArrayList<>(rewriter.aggregates());
        if (grouping.groupAs() != null) {
            aggregates.add(new Computed(groupAs(members), grouping.groupAsSlot()));
        }
        return new Select(
                select.block(),
                0,
                select.distinct(),
                projection,
                select.from(),
                select.let(),
                select.where(),
                new Grouping(grouping.keys(), grouping.groupAs(), grouping.groupAsSlot(), letting, having),
                windows,
                aggregates,
                List.of(),
                before,
                order,
                select.used());
    }

    private Expr.Call groupAs(List<Let> members) {
        List<Expr.Member> fields = new ArrayList<>();
        for (Let member : members) {
            fields.add(new Expr.Member(
                    new Expr.Literal(io.millrace.n1ql.value.Value.of(member.name())),
                    block.ref(member.slot(), member.name())));
        }
        return new Expr.Call(
                "array_agg",
                List.of(new Expr.ObjectLiteral(fields)),
                false,
                false,
                null,
                null,
                io.millrace.n1ql.syntax.Place.NONE);
    }

    private Select window(Select select) {
        WindowCollector collector = new WindowCollector(block, select.windows());
        GroupedParts parts = new GroupedParts(collector);
        Projection projection = parts.all(select.projection());
        List<Let> before = parts.allLets(select.computedBeforeOrder());
        List<SortTerm> order = parts.allSorts(select.order());
        return new Select(
                select.block(),
                block.slots(),
                select.distinct(),
                projection,
                select.from(),
                select.let(),
                select.where(),
                select.grouping(),
                List.of(),
                select.aggregates(),
                collector.calls(),
                before,
                order,
                select.used());
    }

    /** Applies a rewrite to the clauses after grouping. */
    private static final class GroupedParts extends TreeMapper {

        private final TreeMapper rewriter;

        GroupedParts(TreeMapper rewriter) {
            this.rewriter = rewriter;
        }

        @Override
        public Expr map(Expr expr) {
            return rewriter.map(expr);
        }

        Projection all(Projection projection) {
            return projection(projection);
        }

        List<Let> allLets(List<Let> lets) {
            return lets(lets);
        }

        List<SortTerm> allSorts(List<SortTerm> order) {
            return order(order);
        }

        List<NamedWindow> allWindows(List<NamedWindow> windows) {
            return each(windows, window -> new NamedWindow(window.name(), over(window.spec())));
        }
    }

    static @Nullable String aliasOf(Expr unresolved, @Nullable String written) {
        return written != null ? written : Aliases.implied(unresolved);
    }

    static Term star(Map<String, Meaning> terms) {
        return terms.isEmpty() ? new StarTerm() : new PathStarTerm(new Expr.ObjectLiteral(ExprResolver.members(terms)));
    }
}
