package io.millrace.n1ql.syntax;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.grammar.N1qlParser.*;
import io.millrace.n1ql.syntax.Query.From;
import io.millrace.n1ql.syntax.Query.JoinKind;
import io.millrace.n1ql.syntax.Query.Strategy;
import io.millrace.n1ql.syntax.Query.UseHints;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds FROM clauses from the parse tree. */
final class FromBuilder {

    private final QueryBuilder queries;
    private final ExprBuilder exprs;
    private final HintReader reader;

    FromBuilder(QueryBuilder queries, ExprBuilder exprs, HintReader reader) {
        this.reader = reader;
        this.queries = queries;
        this.exprs = exprs;
    }

    From term(FromTermContext context) {
        From left = simple(context.fromSimple());
        for (JoinTermContext join : context.joinTerm()) {
            left = join(left, join);
        }
        return left;
    }

    From simple(FromSimpleContext context) {
        return switch (context) {
            case FromSubqueryContext subquery -> {
                refuseHints(subquery.useClause(), TokenText.optional(subquery.alias));
                yield new Query.SubqueryTerm(
                        queries.query(subquery.query()),
                        TokenText.optional(subquery.alias),
                        -1,
                        subquery.LATERAL() != null,
                        place(subquery, subquery.alias));
            }
            case FromKeyspaceContext keyspace -> keyspace(keyspace);
            case FromExprContext expr -> {
                refuseHints(expr.useClause(), TokenText.optional(expr.alias));
                yield new Query.ExprTermFrom(
                        exprs.expr(expr.expr()),
                        TokenText.optional(expr.alias),
                        -1,
                        expr.LATERAL() != null,
                        place(expr, expr.alias));
            }
            default -> throw new IllegalStateException(context.getText());
        };
    }

    private static Place place(FromSimpleContext context, @Nullable NameContext alias) {
        return TokenText.place(alias == null ? context : alias);
    }

    private From keyspace(FromKeyspaceContext context) {
        KeyspacePathContext path = context.keyspacePath();
        String alias = TokenText.optional(context.alias);
        Place place = place(context, context.alias);
        if (path.param() != null) {
            Expr.Param parameter = exprs.param(path.param());
            String name = alias == null ? parameter.name() : alias;
            return new Query.KeyspaceTerm(List.of(), parameter, name, -1, -1, hints(context.useClause(), name), place);
        }
        List<String> names = TokenText.names(path.name());
        boolean namespaced = path.namespace != null;
        return new Query.PathTerm(
                namespaced ? names.subList(1, names.size()) : names,
                namespaced ? names.getFirst() : null,
                alias,
                hints(context.useClause(), alias == null ? names.getLast() : alias),
                context.LATERAL() != null,
                place);
    }

    UseHints hints(List<UseClauseContext> clauses, String alias) {
        Expr keys = null;
        boolean validate = false;
        List<String> indexes = new ArrayList<>();
        Strategy strategy = null;
        for (UseClauseContext clause : clauses) {
            for (UseHintContext hint : clause.useHint()) {
                if (hint.expr() != null) {
                    refuseTwice(keys, hint, "USE KEYS");
                    keys = exprs.expr(hint.expr());
                    validate = hint.VALIDATE() != null;
                } else if (hint.INDEX() != null) {
                    indexes.addAll(indexes(hint));
                } else {
                    refuseTwice(strategy, hint, "USE NL and USE HASH");
                    strategy = strategy(hint);
                }
            }
        }
        UseHints hints = new UseHints(keys, validate, indexes, strategy, false);
        reader.add(alias, hints);
        return hints;
    }

    private static void refuseTwice(@Nullable Object before, UseHintContext again, String what) {
        if (before != null) {
            throw TokenText.place(again)
                    .error(ErrorCode.SYNTAX, "syntax error - a term of FROM can have " + what + " once only");
        }
    }

    private static List<String> indexes(UseHintContext hint) {
        List<String> names = new ArrayList<>();
        for (IndexRefContext index : hint.indexRef()) {
            StatementBuilder.refuseOtherKinds(index.usingIndex());
            if (index.name() != null) {
                names.add(TokenText.name(index.name()));
            }
        }
        return names;
    }

    private static Strategy strategy(UseHintContext hint) {
        if (hint.NL() != null) {
            return Strategy.NESTED_LOOP;
        }
        return hint.BUILD() != null ? Strategy.HASH_BUILD : Strategy.HASH_PROBE;
    }

    /** A term whose rows are computed has neither keys nor indexes, and nothing to choose. */
    private void refuseHints(List<UseClauseContext> clauses, @Nullable String alias) {
        for (UseClauseContext clause : clauses) {
            for (UseHintContext hint : clause.useHint()) {
                if (hint.expr() != null || hint.INDEX() != null) {
                    throw TokenText.place(hint)
                            .error(
                                    ErrorCode.SEMANTICS,
                                    "USE KEYS and USE INDEX belong behind a keyspace, not behind an expression or a subquery");
                }
                reader.addImpossible(alias == null ? "the term" : alias, strategy(hint));
            }
        }
    }

    private From join(From left, JoinTermContext context) {
        return switch (context) {
            case CommaJoinContext comma ->
                new Query.Join(JoinKind.INNER, false, left, simple(comma.fromSimple()), null);
            case JoinContext join ->
                on(kind(join.joinType()), false, left, simple(join.fromSimple()), join.joinOn(), TokenText.place(join));
            case NestContext nest ->
                on(kind(nest.joinType()), true, left, simple(nest.fromSimple()), nest.joinOn(), TokenText.place(nest));
            case UnnestContext unnest ->
                new Query.Unnest(
                        kind(unnest.joinType()),
                        left,
                        exprs.expr(unnest.expr()),
                        TokenText.optional(unnest.name()),
                        -1,
                        -1,
                        TokenText.place(unnest.name() == null ? unnest.expr() : unnest.name()));
            default -> throw new IllegalStateException(context.getText());
        };
    }

    private From on(JoinKind kind, boolean nest, From left, From right, @Nullable JoinOnContext on, Place place) {
        if (on == null) {
            if (kind != JoinKind.INNER || nest) {
                throw place.error(ErrorCode.SYNTAX, "syntax error - ON is missing");
            }
            return new Query.Join(kind, nest, left, right, null);
        }
        if (on.KEY() == null && on.KEYS() == null) {
            return new Query.Join(kind, nest, left, right, exprs.expr(on.expr()));
        }
        String what = on.FOR() == null ? "lookup join with ON KEYS clause" : "index join with ON KEY...FOR clause";
        refuseLateral(right, what);
        return new Query.KeyJoin(kind, nest, left, right, exprs.expr(on.expr()), TokenText.optional(on.name()), place);
    }

    private static void refuseLateral(From right, String where) {
        if (right instanceof Query.PathTerm term && term.lateral()) {
            throw term.place()
                    .error(
                            ErrorCode.SEMANTICS,
                            "LATERAL cannot be specified in " + where + " ("
                                    + (term.alias() == null ? term.path().getLast() : term.alias()) + ")");
        }
    }

    private JoinKind kind(@Nullable JoinTypeContext context) {
        if (context == null || context.INNER() != null) {
            return JoinKind.INNER;
        }
        return context.LEFT() != null ? JoinKind.LEFT : JoinKind.RIGHT;
    }
}
