package io.millrace.n1ql.analysis;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.function.Exclusions;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.ExprTerm;
import io.millrace.n1ql.syntax.Query.PathStarTerm;
import io.millrace.n1ql.syntax.Query.Projection;
import io.millrace.n1ql.syntax.Query.Term;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;

/** Determines the names of projected terms. */
final class Projections {

    private Projections() {}

    static Projection resolve(Projection projection, Scope scope, ExprResolver exprs) {
        Set<String> names = new HashSet<>();
        int unnamed = 0;
        List<Term> terms = new ArrayList<>();
        List<String> starAliases = new ArrayList<>();
        for (Term term : projection.terms()) {
            switch (term) {
                case Query.StarTerm star -> {
                    terms.add(SelectResolver.star(scope.fromTerms()));
                    starAliases.addAll(scope.fromTerms().keySet());
                }
                case PathStarTerm path -> {
                    terms.add(new PathStarTerm(exprs.map(path.expr())));
                    starAliases.addAll(
                            SelectResolver.aliasOf(path.expr(), null) instanceof String alias
                                    ? List.of("." + alias)
                                    : List.of());
                }
                case ExprTerm plain -> {
                    String alias = SelectResolver.aliasOf(plain.expr(), plain.alias());
                    if (alias != null && !projection.raw() && !names.add(alias)) {
                        throw plain.place().error(ErrorCode.SYNTAX, "Duplicate result alias '" + alias + "'");
                    }
                    if (alias == null && !projection.raw()) {
                        unnamed++;
                        alias = "$" + unnamed;
                    }
                    terms.add(new ExprTerm(exprs.map(plain.expr()), alias, plain.aliasWritten(), plain.place()));
                }
            }
        }
        List<Expr> exclude = exclusions(projection.exclude(), starAliases, exprs);
        return new Projection(projection.raw(), terms, exclude, List.copyOf(starAliases));
    }

    /** Converts each path to its names and positions from the root of the result; other expressions give texts of paths. */
    private static List<Expr> exclusions(List<Expr> exclude, List<String> starAliases, ExprResolver exprs) {
        List<Expr> found = new ArrayList<>();
        for (Expr expr : exclude) {
            if (expr instanceof Expr.Literal literal) {
                Exclusions.of(literal.value(), starAliases).forEach(path -> found.add(new Expr.Literal(path)));
            } else if (isPath(expr)) {
                found.add(new Expr.Literal(Exclusions.fromRoot(path(expr), starAliases)));
            } else {
                found.add(exprs.map(expr));
            }
        }
        return found;
    }

    private static boolean isPath(Expr expr) {
        return switch (expr) {
            case Expr.Name name -> true;
            case Expr.Field field -> isPath(field.base());
            case Expr.Element element -> isPath(element.base());
            case Expr.Slice slice -> isPath(slice.base());
            case Expr.DynamicField field -> isPath(field.base());
            default -> false;
        };
    }

    private static List<Value> path(Expr expr) {
        LinkedList<Value> path = new LinkedList<>();
        Expr at = expr;
        while (!(at instanceof Expr.Name name)) {
            switch (at) {
                case Expr.Field field -> {
                    path.addFirst(Value.of(field.name()));
                    at = field.base();
                }
                case Expr.Element(Expr base, Expr.Literal(NumberValue position))
                when position.isWhole() -> {
                    path.addFirst(position);
                    at = base;
                }
                default ->
                    throw Place.NONE.error(
                            ErrorCode.SEMANTICS,
                            "EXCLUDE expects paths of fields and numbers of elements such as a[0].b, not "
                                    + ExprText.of(expr)
                                    + "; give a path that is computed as a text, such as 'a[' || TO_STRING(i) || '].b'");
            }
        }
        path.addFirst(Value.of(name.name()));
        return path;
    }
}
