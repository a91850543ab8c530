package io.millrace.n1ql.analysis;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.analysis.Scope.Kind;
import io.millrace.n1ql.analysis.Scope.Meaning;
import io.millrace.n1ql.syntax.Aliases;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.From;
import io.millrace.n1ql.syntax.Query.JoinKind;
import io.millrace.n1ql.value.NumberValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Resolves names in FROM clauses: each term sees the earlier ones. */
final class FromResolver {

    private final QueryResolver queries;
    private final Scope scope;
    private final ExprResolver exprs;

    FromResolver(QueryResolver queries, Scope scope) {
        this.queries = queries;
        this.scope = scope;
        this.exprs = new ExprResolver(queries, scope);
    }

    From resolve(From from) {
        return switch (from) {
            case Query.PathTerm term -> path(term);
            case Query.KeyspaceTerm term -> keyspace(term);
            case Query.ExprTermFrom term -> expression(term);
            case Query.SubqueryTerm term -> {
                if (term.alias() == null) {
                    throw term.place().error(ErrorCode.NO_ALIAS, "FROM term must have a name or alias");
                }
                Query query = queries.query(term.query(), scope);
                int slot = declare("subquery", term.alias(), Kind.FROM, -1, term.place(), null);
                yield new Query.SubqueryTerm(query, term.alias(), slot, term.lateral(), term.place());
            }
            case Query.Join join -> join(join);
            case Query.KeyJoin join -> keyJoin(join);
            case Query.Unnest unnest -> unnest(unnest);
        };
    }

    private int declare(String what, String alias, Kind kind, int metaSlot, Place place, @Nullable Meaning sameAs) {
        Meaning known = scope.findHere(alias);
        if (known == null) {
            Meaning around = scope.find(alias);
            known = around != null && around.kind() == Kind.CTE ? around : null;
        }
        if (known != null && !known.equals(sameAs)) {
            throw place.error(ErrorCode.DUPLICATE_ALIAS, "Duplicate " + what + " alias '" + alias + "'");
        }
        int slot = scope.block().newSlot();
        scope.add(kind, alias, slot, metaSlot);
        return slot;
    }

    /** A path that starts with a known name is an expression; any other path names a keyspace. */
    private From path(Query.PathTerm term) {
        Meaning start = term.namespace() == null ? scope.find(term.path().getFirst()) : null;
        boolean keyspaceAgain = start != null
                && term.path().size() == 1
                && start.kind() == Kind.KEYSPACE
                && (scope.findHere(start.name()) == start || scope.isKeyspaceByOwnName(start.name()));
        if (start == null || keyspaceAgain) {
            boolean system = "system".equals(term.namespace());
            return keyspace(new Query.KeyspaceTerm(
                    system ? List.of("system:" + term.path().getFirst()) : term.path(),
                    null,
                    term.alias() == null ? term.path().getLast() : term.alias(),
                    -1,
                    -1,
                    term.use(),
                    term.place()));
        }
        if (term.use().keys() != null || !term.use().indexes().isEmpty()) {
            throw term.place()
                    .error(
                            ErrorCode.SEMANTICS,
                            "USE KEYS and USE INDEX belong behind a keyspace, and %s is a name of the query"
                                    .formatted(term.path().getFirst()));
        }
        Expr expr = start.ref();
        for (String name : term.path().subList(1, term.path().size())) {
            expr = new Expr.Field(expr, name, false, term.place());
        }
        String alias = term.alias() == null ? term.path().getLast() : term.alias();
        boolean twice = start.kind() == Kind.FROM && scope.findHere(start.name()) == start;
        boolean itself = term.alias() == null && term.path().size() == 1 && !twice;
        int slot = declare("FROM expression", alias, Kind.FROM, -1, term.place(), itself ? start : null);
        return new Query.ExprTermFrom(expr, alias, slot, true, term.place());
    }

    From keyspace(Query.KeyspaceTerm term) {
        Query.UseHints use = term.use();
        Expr keys = use.keys() == null ? null : exprs.map(use.keys());
        GroupRewriter.refuseOverRows(keys);
        int metaSlot = scope.block().newSlot();
        int slot = declare("FROM", term.alias(), Kind.KEYSPACE, metaSlot, term.place(), null);
        if (!term.path().isEmpty() && term.path().getLast().equals(term.alias())) {
            scope.isOwnName(term.alias());
        }
        return new Query.KeyspaceTerm(
                term.path(),
                term.parameter(),
                term.alias(),
                slot,
                metaSlot,
                new Query.UseHints(keys, use.validate(), use.indexes(), use.strategy(), use.ordered()),
                term.place());
    }

    private From expression(Query.ExprTermFrom term) {
        Expr expr = mapped(term);
        GroupRewriter.refuseOverRows(expr);
        String alias = term.alias() == null ? Aliases.implied(term.expr()) : term.alias();
        if (alias == null) {
            throw term.place().error(ErrorCode.NO_ALIAS, "FROM term must have a name or alias");
        }
        int slot = declare("FROM expression", alias, Kind.FROM, -1, term.place(), null);
        return new Query.ExprTermFrom(expr, alias, slot, term.lateral(), term.place());
    }

    /** A keyspace with a hyphen and without backticks reads as a subtraction of names that do not exist. */
    private Expr mapped(Query.ExprTermFrom term) {
        try {
            return exprs.map(term.expr());
        } catch (QueryException e) {
            String name = term.expr() instanceof Expr.Operation operation ? hyphened(operation) : null;
            if (e.errorCode() != ErrorCode.AMBIGUOUS_REFERENCE || name == null) {
                throw e;
            }
            throw term.place()
                    .error(
                            ErrorCode.AMBIGUOUS_REFERENCE,
                            name + " is read as a subtraction; if it is the name of a keyspace, put it in backticks: `"
                                    + name + "`");
        }
    }

    private static @Nullable String hyphened(Expr expr) {
        if (expr instanceof Expr.Name name) {
            return name.name();
        }
        if (expr instanceof Expr.Literal literal && literal.value() instanceof NumberValue number) {
            return number.toJson();
        }
        if (!(expr instanceof Expr.Operation operation) || operation.op() != Expr.Op.SUBTRACT) {
            return null;
        }
        String left = hyphened(operation.arg(0));
        String right = hyphened(operation.arg(1));
        return left == null || right == null ? null : left + "-" + right;
    }

    private From join(Query.Join join) {
        From left = resolve(join.left());
        if (join.kind() == JoinKind.RIGHT && lateral(join.right())) {
            throw placeOf(join.right())
                    .error(
                            ErrorCode.SEMANTICS,
                            "LATERAL cannot be specified in RIGHT OUTER JOIN (" + aliasOf(join.right()) + ")");
        }
        From right = resolve(join.right());
        Expr on = join.on() == null ? null : exprs.map(join.on());
        GroupRewriter.refuseOverRows(on);
        return new Query.Join(join.kind(), join.nest(), left, right, on);
    }

    private static boolean lateral(From from) {
        return switch (from) {
            case Query.PathTerm term -> term.lateral();
            case Query.ExprTermFrom term -> term.lateral();
            case Query.SubqueryTerm term -> term.lateral();
            default -> false;
        };
    }

    private static Place placeOf(From from) {
        return switch (from) {
            case Query.PathTerm term -> term.place();
            case Query.ExprTermFrom term -> term.place();
            case Query.SubqueryTerm term -> term.place();
            default -> Place.NONE;
        };
    }

    private static @Nullable String aliasOf(From from) {
        return switch (from) {
            case Query.PathTerm term -> term.alias() == null ? term.path().getLast() : term.alias();
            case Query.ExprTermFrom term -> term.alias();
            case Query.SubqueryTerm term -> term.alias();
            default -> null;
        };
    }

    private From keyJoin(Query.KeyJoin join) {
        From left = resolve(join.left());
        if (join.forAlias() == null) {
            Expr keys = exprs.map(join.keys());
            GroupRewriter.refuseOverRows(keys);
            From right = resolve(join.right());
            return new Query.KeyJoin(join.kind(), join.nest(), left, right, keys, null, join.place());
        }
        Meaning target = scope.findHere(join.forAlias());
        if (target == null || target.kind() != Kind.KEYSPACE) {
            throw join.place().error(ErrorCode.SEMANTICS, "Unknown alias in FOR: " + join.forAlias());
        }
        From right = resolve(join.right());
        Expr keys = exprs.map(join.keys());
        // right documents whose keys name the left document
        Expr on = new Expr.Operation(
                io.millrace.n1ql.syntax.Expr.Op.EQ,
                List.of(keys, new Expr.Field(scope.block().ref(target.metaSlot(), "meta"), "id", false, join.place())),
                join.place());
        return new Query.Join(join.kind(), join.nest(), left, right, on);
    }

    private From unnest(Query.Unnest unnest) {
        From left = resolve(unnest.left());
        Expr expr = exprs.map(unnest.expr());
        GroupRewriter.refuseOverRows(expr);
        String alias = unnest.alias() == null ? Aliases.implied(unnest.expr()) : unnest.alias();
        if (alias == null) {
            throw unnest.place().error(ErrorCode.NO_ALIAS, "UNNEST term must have a name or alias");
        }
        if (unnest.kind() == JoinKind.RIGHT) {
            throw unnest.place().error(ErrorCode.SEMANTICS, "RIGHT OUTER UNNEST is not supported");
        }
        int positionSlot = scope.block().newSlot();
        int slot = declare("UNNEST", alias, Kind.FROM, positionSlot, unnest.place(), null);
        return new Query.Unnest(unnest.kind(), left, expr, alias, slot, positionSlot, unnest.place());
    }
}
