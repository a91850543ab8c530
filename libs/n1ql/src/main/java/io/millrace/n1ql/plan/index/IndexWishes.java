package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.function.Functions;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.Expr.Quantified;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.KeyspaceTerm;
import io.millrace.n1ql.syntax.TreeMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds, for each keyspace of a query, the keys of the index that would serve its conditions best: those that are fixed by
 * equality first, then those with several values, then ranges.
 */
public final class IndexWishes extends TreeMapper {

    /** An index with more keys than these costs writes more than it saves reads. */
    private static final int MOST_COVERING_KEYS = 8;

    /**
     * What is wished for one keyspace.
     *
     * @param keys the text of each key, without the alias
     * @param covering the keys of an index that has all that the query uses, or empty if that would be too much
     */
    public record Wish(KeyspaceTerm term, List<String> keys, List<String> covering, String rule) {}

    /** How a condition limits a key; the best first. */
    private enum Rank {
        EQUAL("equality"),
        SEVERAL("IN"),
        RANGE("range"),
        ELEMENT("array element"),
        PRESENT("presence");

        private final String label;

        Rank(String label) {
            this.label = label;
        }
    }

    private record Ranked(Rank rank, String key) {}

    private final List<Wish> wishes = new ArrayList<>();

    private IndexWishes() {}

    /** Returns the wishes of a query and its subqueries. */
    public static List<Wish> of(Query query) {
        IndexWishes all = new IndexWishes();
        all.query(query);
        return all.wishes;
    }

    /** Returns the wishes of a change with a FROM term and a condition. */
    public static List<Wish> of(int block, Query.From from, @Nullable Expr where) {
        IndexWishes all = new IndexWishes();
        all.from(from);
        all.add(block, from, Expr.conjuncts(where), null);
        return all.wishes;
    }

    @Override
    protected Query.Select select(Query.Select select) {
        if (select.from() != null) {
            add(select.block(), select.from(), Expr.conjuncts(select.where()), select);
        }
        return super.select(select);
    }

    private void add(int block, Query.From from, List<Expr> where, Query.@Nullable Select select) {
        List<Expr> conditions = new ArrayList<>(where);
        List<KeyspaceTerm> terms = new ArrayList<>();
        collect(from, terms, conditions);
        for (KeyspaceTerm term : terms) {
            Keys keys = new Keys(block, term.slot());
            List<Ranked> ranked = conditions.stream()
                    .flatMap(keys::ranked)
                    .sorted(Comparator.comparing(Ranked::rank))
                    .toList();
            if (!ranked.isEmpty()) {
                Set<String> texts =
                        ranked.stream().map(Ranked::key).collect(Collectors.toCollection(LinkedHashSet::new));
                String rule = "Keys in the order of the conditions: "
                        + ranked.stream()
                                .map(each -> each.rank().label)
                                .distinct()
                                .collect(Collectors.joining(", "));
                wishes.add(new Wish(term, List.copyOf(texts), covering(keys, texts, select), rule));
            }
        }
    }

    private static List<String> covering(Keys keys, Set<String> texts, Query.@Nullable Select select) {
        if (select == null || texts.stream().anyMatch(text -> text.startsWith("DISTINCT "))) {
            return List.of();
        }
        Used used = new Used(keys);
        used.select(select);
        Set<String> all = new LinkedHashSet<>(texts);
        all.addAll(used.paths);
        return used.whole || all.size() > MOST_COVERING_KEYS ? List.of() : List.copyOf(all);
    }

    private static void collect(Query.From from, List<KeyspaceTerm> terms, List<Expr> conditions) {
        switch (from) {
            case KeyspaceTerm term -> {
                if (term.use().keys() == null && term.parameter() == null) {
                    terms.add(term);
                }
            }
            case Query.Join join -> {
                collect(join.left(), terms, conditions);
                collect(join.right(), terms, conditions);
                conditions.addAll(Expr.conjuncts(join.on()));
            }
            case Query.KeyJoin join -> collect(join.left(), terms, conditions);
            case Query.Unnest unnest -> collect(unnest.left(), terms, conditions);
            case Query.PathTerm term -> {}
            case Query.ExprTermFrom term -> {}
            case Query.SubqueryTerm term -> {}
        }
    }

    /** The expressions over the document of one keyspace that can be keys. */
    private record Keys(int block, int slot) {

        Stream<Ranked> ranked(Expr condition) {
            return switch (condition) {
                case Expr.Operation operation -> compared(operation);
                case Quantified any when any.quantifier() != Quantified.Quantifier.EVERY -> element(any);
                default -> Stream.empty();
            };
        }

        private Stream<Ranked> compared(Expr.Operation operation) {
            Rank rank = switch (operation.op()) {
                case EQ, IS_NULL -> Rank.EQUAL;
                case IN -> Rank.SEVERAL;
                case LT, LE, GT, GE, BETWEEN, LIKE -> Rank.RANGE;
                case IS_NOT_MISSING, IS_NOT_NULL, IS_VALUED -> Rank.PRESENT;
                default -> null;
            };
            if (rank == null) {
                return Stream.empty();
            }
            Expr first = operation.arg(0);
            boolean turned = operation.args().size() == 2 && operation.op() != Op.IN && text(first) == null;
            Expr key = turned ? operation.arg(1) : first;
            boolean othersAreKnown =
                    operation.args().stream().filter(arg -> arg != key).noneMatch(this::reads);
            String text = text(key);
            return text == null || !othersAreKnown ? Stream.empty() : Stream.of(new Ranked(rank, text));
        }

        /** {@code ANY v IN list SATISFIES v.x = 1 END} needs an index of the elements. */
        private Stream<Ranked> element(Quantified any) {
            if (any.bindings().size() != 1 || any.bindings().getFirst().within()) {
                return Stream.empty();
            }
            Expr.Binding binding = any.bindings().getFirst();
            String list = text(binding.source());
            Keys elements = new Keys(block, binding.slot());
            return list == null
                    ? Stream.empty()
                    : Expr.conjuncts(any.satisfies()).stream()
                            .filter(Expr.Operation.class::isInstance)
                            .flatMap(elements::ranked)
                            .filter(ranked -> ranked.rank() != Rank.PRESENT)
                            .limit(1)
                            .map(ranked -> new Ranked(
                                    Rank.ELEMENT,
                                    "DISTINCT ARRAY `%1$s`%2$s FOR `%1$s` IN %3$s END"
                                            .formatted(
                                                    binding.variable(),
                                                    ranked.key().isEmpty() ? "" : "." + ranked.key(),
                                                    list)));
        }

        private boolean reads(Expr expr) {
            return FreeRefs.of(expr).slotsOf(block).contains(slot);
        }

        /** Returns the text of a key without the alias, or null if the expression cannot be a key. */
        @Nullable
        String text(Expr expr) {
            return switch (expr) {
                case Expr.Ref ref -> ref.block() == block && ref.slot() == slot ? "" : null;
                case Expr.Field field -> field(field);
                case Expr.Call call -> call(call);
                default -> null;
            };
        }

        private @Nullable String field(Expr.Field field) {
            String base = field.ignoreCase() ? null : text(field.base());
            String name = "`" + field.name().replace("`", "``") + "`";
            return base == null ? null : base.isEmpty() ? name : base + "." + name;
        }

        private @Nullable String call(Expr.Call call) {
            FunctionSpec spec = Functions.find(call.name());
            if (spec == null || !spec.stable() || spec.aggregate() || spec.window() || !reads(call)) {
                return null;
            }
            List<String> args = new ArrayList<>();
            for (Expr arg : call.args()) {
                String text = arg instanceof Expr.Literal ? ExprText.of(arg) : text(arg);
                if (text == null || text.isEmpty()) {
                    return null;
                }
                args.add(text);
            }
            return call.name().toUpperCase(Locale.ROOT) + "(" + String.join(", ", args) + ")";
        }
    }

    /** What a query uses of a document. */
    private static final class Used extends TreeMapper {

        private final Keys keys;
        private final Set<String> paths = new LinkedHashSet<>();
        private boolean whole;

        Used(Keys keys) {
            this.keys = keys;
        }

        @Override
        public Expr map(Expr expr) {
            String text = expr instanceof Expr.Field || expr instanceof Expr.Ref ? keys.text(expr) : null;
            if (text == null) {
                return children(expr);
            }
            if (text.isEmpty()) {
                whole = true;
            } else {
                paths.add(text);
            }
            return expr;
        }

        @Override
        protected Query.Select select(Query.Select select) {
            whole |= select.projection().terms().stream().anyMatch(Query.StarTerm.class::isInstance);
            return super.select(select);
        }
    }
}
