package io.millrace.n1ql.syntax;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.grammar.N1qlParser.*;
import io.millrace.n1ql.syntax.Expr.Bound;
import io.millrace.n1ql.syntax.Expr.Frame.Exclusion;
import io.millrace.n1ql.syntax.Expr.Frame.Unit;
import io.millrace.n1ql.syntax.Expr.Over;
import io.millrace.n1ql.syntax.Expr.SortTerm;
import io.millrace.n1ql.syntax.Query.Body;
import io.millrace.n1ql.syntax.Query.Combined;
import io.millrace.n1ql.syntax.Query.Cte;
import io.millrace.n1ql.syntax.Query.Grouping;
import io.millrace.n1ql.syntax.Query.Let;
import io.millrace.n1ql.syntax.Query.Nested;
import io.millrace.n1ql.syntax.Query.Projection;
import io.millrace.n1ql.syntax.Query.Select;
import io.millrace.n1ql.syntax.Query.SetOperation;
import io.millrace.n1ql.syntax.Query.Term;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Builds queries from the parse tree. */
final class QueryBuilder {

    private final ExprBuilder exprs;
    private final FromBuilder from;
    private final HintReader hints;

    /** @param questionMarks the positions of {@code ?} parameters in the text */
    QueryBuilder(List<Integer> questionMarks, HintReader hints) {
        this.hints = hints;
        this.exprs = new ExprBuilder(this, questionMarks);
        this.from = new FromBuilder(this, exprs, hints);
    }

    ExprBuilder exprs() {
        return exprs;
    }

    FromBuilder from() {
        return from;
    }

    Query query(QueryContext context) {
        return new Query(
                -1,
                0,
                -1,
                with(context.with()),
                body(context.setExpr()),
                order(context.orderBy()),
                paging(context.paging(), false),
                paging(context.paging(), true));
    }

    /** Returns the query whose only row is the value of an expression. */
    static Query single(Expr expr) {
        Projection projection =
                new Projection(true, List.of(new Query.ExprTerm(expr, null, false, Place.NONE)), List.of(), List.of());
        Select select = new Select(
                -1,
                0,
                false,
                projection,
                null,
                List.of(),
                null,
                null,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new BitSet());
        return new Query(-1, 0, -1, List.of(), select, List.of(), null, null);
    }

    List<Cte> with(@Nullable WithContext context) {
        List<Cte> ctes = new ArrayList<>();
        if (context != null) {
            for (CteContext cte : context.cte()) {
                Expr expr = cte.query() != null ? new Expr.Subquery(query(cte.query())) : exprs.expr(cte.expr(0));
                Place place = TokenText.place(cte);
                ctes.add(new Cte(TokenText.name(cte.name()), expr, -1, recursion(context, cte, place), place));
            }
        }
        return ctes;
    }

    private Query.@Nullable Recursion recursion(WithContext context, CteContext cte, Place place) {
        boolean hasOptions = cte.OPTIONS() != null;
        if (context.RECURSIVE() == null) {
            if (hasOptions || cte.cycle() != null) {
                throw place.error(ErrorCode.RECURSION, "CYCLE and OPTIONS need WITH RECURSIVE");
            }
            return null;
        }
        return new Query.Recursion(
                null,
                false,
                cte.cycle() == null ? List.of() : exprs.exprs(cte.cycle().expr()),
                -1,
                hasOptions ? exprs.expr(cte.expr(cte.expr().size() - 1)) : null);
    }

    private Body body(SetExprContext context) {
        if (context instanceof CombinedContext combined) {
            SetOperation operation = SetOperation.valueOf(combined.op.getText().toUpperCase(Locale.ROOT));
            return new Combined(operation, combined.all != null, body(combined.setExpr(0)), body(combined.setExpr(1)));
        }
        QueryTermContext term = ((SingleContext) context).queryTerm();
        if (term.select() != null) {
            return select(term.select());
        }
        if (term.query() != null) {
            return new Nested(query(term.query()));
        }
        WithSelectContext withSelect = term.withSelect();
        return new Nested(
                new Query(-1, 0, -1, with(withSelect.with()), select(withSelect.select()), List.of(), null, null));
    }

    private Select select(SelectContext context) {
        if (context.fromClause() == null) {
            hints.withoutFrom(context.SELECT().getSymbol());
        }
        return new Select(
                -1,
                0,
                context.DISTINCT() != null,
                projection(context.projection()),
                context.fromClause() == null
                        ? null
                        : hints.hinted(
                                from.term(context.fromClause().fromTerm()),
                                context.SELECT().getSymbol()),
                lets(context.let() == null ? List.of() : context.let().binding()),
                context.where() == null ? null : exprs.expr(context.where().expr()),
                grouping(context),
                windows(context.windowClause()),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new BitSet());
    }

    Projection projection(ProjectionContext context) {
        List<Expr> exclude = context.exclude() == null
                ? List.of()
                : exprs.exprs(context.exclude().expr());
        List<Term> terms = new ArrayList<>();
        if (context.raw != null) {
            String alias = TokenText.optional(context.name());
            terms.add(new Query.ExprTerm(
                    exprs.expr(context.expr()), alias, alias != null, TokenText.place(context.expr())));
            return new Projection(true, terms, exclude, List.of());
        }
        for (ProjectTermContext term : context.projectTerm()) {
            terms.add(
                    switch (term) {
                        case StarTermContext star -> new Query.StarTerm();
                        case PathStarTermContext path -> new Query.PathStarTerm(exprs.expr(path.expr()));
                        case ExprTermContext plain -> exprTerm(plain);
                        default -> throw new IllegalStateException(term.getText());
                    });
        }
        return new Projection(false, terms, exclude, List.of());
    }

    private Query.ExprTerm exprTerm(ExprTermContext context) {
        String alias = TokenText.optional(context.name());
        Place place = context.AS() != null
                ? TokenText.place(context.AS().getSymbol())
                : TokenText.place(
                        alias != null
                                ? context.name().getStart()
                                : context.expr().getStop());
        return new Query.ExprTerm(exprs.expr(context.expr()), alias, alias != null, place);
    }

    List<Let> lets(List<BindingContext> contexts) {
        List<Let> lets = new ArrayList<>();
        for (BindingContext binding : contexts) {
            lets.add(new Let(TokenText.name(binding.name()), exprs.expr(binding.expr()), -1, TokenText.place(binding)));
        }
        return lets;
    }

    List<Let> lets(@Nullable LetContext context) {
        return context == null ? List.of() : lets(context.binding());
    }

    private @Nullable Grouping grouping(SelectContext context) {
        GroupByContext groupBy = context.groupBy();
        Expr having =
                context.having() == null ? null : exprs.expr(context.having().expr());
        if (groupBy == null) {
            return having == null ? null : new Grouping(List.of(), null, -1, List.of(), having);
        }
        List<Query.GroupKey> keys = new ArrayList<>();
        for (GroupKeyContext key : groupBy.groupKey()) {
            keys.add(new Query.GroupKey(exprs.expr(key.expr()), TokenText.optional(key.name()), -1));
        }
        return new Grouping(
                keys,
                TokenText.optional(groupBy.name()),
                -1,
                groupBy.letting() == null ? List.of() : lets(groupBy.letting().binding()),
                having);
    }

    List<SortTerm> order(@Nullable OrderByContext context) {
        return context == null ? List.of() : sortTerms(context.sortTerm());
    }

    private List<SortTerm> sortTerms(List<SortTermContext> contexts) {
        List<SortTerm> terms = new ArrayList<>();
        for (SortTermContext term : contexts) {
            Boolean nullsFirst = term.NULLS() == null ? null : Boolean.valueOf(term.FIRST() != null);
            terms.add(new SortTerm(exprs.expr(term.expr()), term.DESC() != null, nullsFirst));
        }
        return terms;
    }

    @Nullable
    Expr paging(List<PagingContext> contexts, boolean offset) {
        Expr found = null;
        for (PagingContext context : contexts) {
            if ((context.OFFSET() != null) == offset) {
                if (found != null) {
                    throw TokenText.place(context)
                            .error(ErrorCode.SYNTAX, "syntax error - said twice: " + context.getText());
                }
                found = exprs.expr(context.expr());
            }
        }
        return found;
    }

    private List<Query.NamedWindow> windows(@Nullable WindowClauseContext context) {
        List<Query.NamedWindow> windows = new ArrayList<>();
        if (context != null) {
            for (WindowDefContext window : context.windowDef()) {
                windows.add(new Query.NamedWindow(
                        TokenText.name(window.name()), window(window.windowSpec(), false, false)));
            }
        }
        return windows;
    }

    Over over(FunctionContext context) {
        boolean fromLast = context.nthFrom() != null && context.nthFrom().LAST() != null;
        boolean ignoreNulls = context.nulls() != null && context.nulls().IGNORE() != null;
        OverContext over = context.over();
        return over.name() != null
                ? new Over(TokenText.name(over.name()), List.of(), List.of(), null, fromLast, ignoreNulls)
                : window(over.windowSpec(), fromLast, ignoreNulls);
    }

    private Over window(WindowSpecContext context, boolean fromLast, boolean ignoreNulls) {
        return new Over(
                TokenText.optional(context.base),
                exprs.exprs(context.expr()),
                sortTerms(context.sortTerm()),
                context.frame() == null ? null : frame(context.frame()),
                fromLast,
                ignoreNulls);
    }

    private Expr.Frame frame(FrameContext context) {
        Unit unit = Unit.valueOf(context.unit.getText().toUpperCase(Locale.ROOT));
        Bound from = bound(context.frameBound(0));
        Bound to = context.frameBound().size() > 1
                ? bound(context.frameBound(1))
                : new Bound(Bound.Kind.CURRENT_ROW, null);
        return new Expr.Frame(unit, from, to, exclusion(context));
    }

    private static Exclusion exclusion(FrameContext context) {
        if (context.EXCLUDE() == null || context.NO() != null) {
            return Exclusion.NONE;
        }
        if (context.CURRENT() != null) {
            return Exclusion.CURRENT_ROW;
        }
        return context.GROUP() != null ? Exclusion.GROUP : Exclusion.TIES;
    }

    private Bound bound(FrameBoundContext context) {
        boolean preceding = context.PRECEDING() != null;
        if (context.UNBOUNDED() != null) {
            return new Bound(preceding ? Bound.Kind.UNBOUNDED_PRECEDING : Bound.Kind.UNBOUNDED_FOLLOWING, null);
        }
        return context.CURRENT() != null
                ? new Bound(Bound.Kind.CURRENT_ROW, null)
                : new Bound(preceding ? Bound.Kind.PRECEDING : Bound.Kind.FOLLOWING, exprs.value(context.value()));
    }
}
