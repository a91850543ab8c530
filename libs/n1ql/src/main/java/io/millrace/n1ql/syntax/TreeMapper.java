package io.millrace.n1ql.syntax;

import io.millrace.n1ql.syntax.Expr.Binding;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import io.millrace.n1ql.syntax.Query.Body;
import io.millrace.n1ql.syntax.Query.Cte;
import io.millrace.n1ql.syntax.Query.From;
import io.millrace.n1ql.syntax.Query.Grouping;
import io.millrace.n1ql.syntax.Query.Let;
import io.millrace.n1ql.syntax.Query.Projection;
import io.millrace.n1ql.syntax.Query.Select;
import io.millrace.n1ql.syntax.Query.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Rebuilds trees; a subclass replaces some nodes and passes the others to {@link #children}. */
public abstract class TreeMapper {

    /** Maps an expression; by default, maps its parts. */
    public Expr map(Expr expr) {
        return children(expr);
    }

    protected final @Nullable Expr optional(@Nullable Expr expr) {
        return expr == null ? null : map(expr);
    }

    protected final List<Expr> all(List<Expr> exprs) {
        return each(exprs, this::map);
    }

    protected static <T> List<T> each(List<T> items, UnaryOperator<T> mapper) {
        List<T> mapped = new ArrayList<>(items.size());
        items.forEach(item -> mapped.add(mapper.apply(item)));
        return mapped;
    }

    protected final Expr children(Expr expr) {
        return switch (expr) {
            case Expr.Literal literal -> literal;
            case Expr.Param param -> param;
            case Expr.Name name -> name;
            case Expr.Ref ref -> ref;
            case Expr.Self self -> self;
            case Expr.Field field -> new Expr.Field(map(field.base()), field.name(), field.ignoreCase(), field.place());
            case Expr.DynamicField field ->
                new Expr.DynamicField(map(field.base()), map(field.name()), field.ignoreCase());
            case Expr.Element element -> new Expr.Element(map(element.base()), map(element.index()));
            case Expr.Slice slice -> new Expr.Slice(map(slice.base()), optional(slice.from()), optional(slice.to()));
            case Expr.Star star -> new Expr.Star(map(star.base()), star.columns());
            case Expr.Operation operation ->
                new Expr.Operation(operation.op(), all(operation.args()), operation.place());
            case Expr.Call call -> call(call);
            case Expr.UserCall call -> new Expr.UserCall(call.path(), all(call.args()), call.place());
            case Expr.SequenceValue value -> value;
            case Expr.ArrayLiteral array -> new Expr.ArrayLiteral(all(array.items()));
            case Expr.ObjectLiteral object ->
                new Expr.ObjectLiteral(
                        each(object.members(), member -> new Expr.Member(map(member.name()), map(member.value()))));
            case Expr.Case cases ->
                new Expr.Case(
                        optional(cases.operand()),
                        each(cases.whens(), when -> new Expr.When(map(when.condition()), map(when.result()))),
                        optional(cases.otherwise()));
            case Expr.Quantified quantified -> quantified(quantified);
            case Expr.Comprehension comprehension -> comprehension(comprehension);
            case Expr.Subquery subquery -> new Expr.Subquery(query(subquery.query()));
        };
    }

    protected final Expr.Call call(Expr.Call call) {
        return new Expr.Call(
                call.name(),
                all(call.args()),
                call.star(),
                call.distinct(),
                optional(call.filter()),
                call.over() == null ? null : over(call.over()),
                call.place());
    }

    protected final Expr.Over over(Expr.Over over) {
        Expr.Frame frame = over.frame();
        return new Expr.Over(
                over.window(),
                all(over.partition()),
                order(over.order()),
                frame == null
                        ? null
                        : new Expr.Frame(frame.unit(), bound(frame.from()), bound(frame.to()), frame.exclusion()),
                over.fromLast(),
                over.ignoreNulls());
    }

    private Expr.Bound bound(Expr.Bound bound) {
        return new Expr.Bound(bound.kind(), optional(bound.distance()));
    }

    protected final List<SortTerm> order(List<SortTerm> order) {
        return each(order, term -> new SortTerm(map(term.expr()), term.descending(), term.nullsFirst()));
    }

    protected Expr quantified(Expr.Quantified quantified) {
        return new Expr.Quantified(
                quantified.quantifier(), bindings(quantified.bindings()), map(quantified.satisfies()));
    }

    protected Expr comprehension(Expr.Comprehension comprehension) {
        List<List<Binding>> levels = each(comprehension.levels(), this::bindings);
        return new Expr.Comprehension(
                comprehension.kind(),
                optional(comprehension.name()),
                map(comprehension.value()),
                levels,
                optional(comprehension.when()));
    }

    protected final List<Binding> bindings(List<Binding> bindings) {
        return each(
                bindings,
                binding -> new Binding(
                        binding.key(),
                        binding.variable(),
                        binding.within(),
                        map(binding.source()),
                        binding.keySlot(),
                        binding.slot(),
                        binding.place()));
    }

    // ---- queries

    protected Query query(Query query) {
        return new Query(
                query.block(),
                query.slots(),
                query.rowSlot(),
                each(query.with(), this::cte),
                body(query.body()),
                order(query.order()),
                optional(query.limit()),
                optional(query.offset()));
    }

    private Cte cte(Cte cte) {
        return new Cte(
                cte.name(),
                map(cte.expr()),
                cte.slot(),
                cte.recursion() == null ? null : recursion(cte.recursion()),
                cte.place());
    }

    private Query.Recursion recursion(Query.Recursion recursion) {
        return new Query.Recursion(
                recursion.step() == null ? null : query(recursion.step()),
                recursion.all(),
                all(recursion.cycle()),
                recursion.rowSlot(),
                optional(recursion.options()));
    }

    private Body body(Body body) {
        return switch (body) {
            case Query.Nested nested -> new Query.Nested(query(nested.query()));
            case Query.Combined combined ->
                new Query.Combined(combined.operation(), combined.all(), body(combined.left()), body(combined.right()));
            case Select select -> select(select);
        };
    }

    protected Select select(Select select) {
        return new Select(
                select.block(),
                select.slots(),
                select.distinct(),
                projection(select.projection()),
                select.from() == null ? null : from(select.from()),
                lets(select.let()),
                optional(select.where()),
                select.grouping() == null ? null : grouping(select.grouping()),
                each(select.windows(), window -> new Query.NamedWindow(window.name(), over(window.spec()))),
                each(select.aggregates(), this::computed),
                each(select.windowCalls(), this::computed),
                lets(select.computedBeforeOrder()),
                order(select.order()),
                select.used());
    }

    private Query.Computed computed(Query.Computed computed) {
        return new Query.Computed(call(computed.call()), computed.slot());
    }

    protected final List<Let> lets(List<Let> lets) {
        return each(lets, let -> new Let(let.name(), map(let.expr()), let.slot(), let.place()));
    }

    protected final Projection projection(Projection projection) {
        return new Projection(
                projection.raw(), each(projection.terms(), this::term), all(projection.exclude()), projection.roots());
    }

    private Term term(Term term) {
        return switch (term) {
            case Query.StarTerm star -> star;
            case Query.PathStarTerm path -> new Query.PathStarTerm(map(path.expr()));
            case Query.ExprTerm expr ->
                new Query.ExprTerm(map(expr.expr()), expr.alias(), expr.aliasWritten(), expr.place());
        };
    }

    private Grouping grouping(Grouping grouping) {
        return new Grouping(
                each(grouping.keys(), key -> new Query.GroupKey(map(key.expr()), key.alias(), key.slot())),
                grouping.groupAs(),
                grouping.groupAsSlot(),
                lets(grouping.letting()),
                optional(grouping.having()));
    }

    protected From from(From from) {
        return switch (from) {
            case Query.PathTerm term -> term;
            case Query.KeyspaceTerm term ->
                new Query.KeyspaceTerm(
                        term.path(),
                        term.parameter(),
                        term.alias(),
                        term.slot(),
                        term.metaSlot(),
                        hints(term.use()),
                        term.place());
            case Query.ExprTermFrom term ->
                new Query.ExprTermFrom(map(term.expr()), term.alias(), term.slot(), term.lateral(), term.place());
            case Query.SubqueryTerm term ->
                new Query.SubqueryTerm(query(term.query()), term.alias(), term.slot(), term.lateral(), term.place());
            case Query.Join join ->
                new Query.Join(join.kind(), join.nest(), from(join.left()), from(join.right()), optional(join.on()));
            case Query.KeyJoin join ->
                new Query.KeyJoin(
                        join.kind(),
                        join.nest(),
                        from(join.left()),
                        from(join.right()),
                        map(join.keys()),
                        join.forAlias(),
                        join.place());
            case Query.Unnest unnest ->
                new Query.Unnest(
                        unnest.kind(),
                        from(unnest.left()),
                        map(unnest.expr()),
                        unnest.alias(),
                        unnest.slot(),
                        unnest.positionSlot(),
                        unnest.place());
        };
    }

    protected final Query.UseHints hints(Query.UseHints hints) {
        return new Query.UseHints(
                optional(hints.keys()), hints.validate(), hints.indexes(), hints.strategy(), hints.ordered());
    }
}
