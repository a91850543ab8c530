package io.millrace.n1ql.analysis;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.ExprTerm;
import io.millrace.n1ql.syntax.Query.PathStarTerm;
import io.millrace.n1ql.syntax.Query.Projection;
import io.millrace.n1ql.syntax.Query.Term;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.StringValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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
        return new Projection(projection.raw(), terms, exclusions(projection.exclude(), starAliases));
    }

    /** Converts each exclusion to a list of names from the root of the result. */
    private static List<Expr> exclusions(List<Expr> exclude, List<String> starAliases) {
        List<Expr> paths = new ArrayList<>();
        for (Expr expr : exclude) {
            for (List<String> path : pathsOf(expr)) {
                paths.add(literal(fromRoot(path, starAliases)));
            }
        }
        return paths;
    }

    private static Expr literal(List<String> path) {
        return new Expr.Literal(ArrayValue.ofStrings(path));
    }

    /** {@code *} returns documents under their alias, {@code t.*} returns their fields. */
    private static List<String> fromRoot(List<String> path, List<String> starAliases) {
        String first = path.getFirst();
        if (path.size() > 1 && starAliases.contains("." + first)) {
            return path.subList(1, path.size());
        }
        List<String> documents =
                starAliases.stream().filter(alias -> !alias.startsWith(".")).toList();
        if (documents.size() == 1 && !documents.contains(first)) {
            List<String> longer = new LinkedList<>(path);
            longer.addFirst(documents.getFirst());
            return longer;
        }
        return path;
    }

    private static List<List<String>> pathsOf(Expr expr) {
        if (expr instanceof Expr.Literal literal && literal.value() instanceof StringValue text) {
            return Arrays.stream(text.text().split(","))
                    .map(part -> Arrays.asList(part.trim().split("\\.")))
                    .toList();
        }
        List<String> path = new ArrayList<>();
        Expr at = expr;
        while (at instanceof Expr.Field field) {
            path.add(field.name());
            at = field.base();
        }
        if (!(at instanceof Expr.Name name)) {
            throw Place.NONE.error(ErrorCode.SEMANTICS, "EXCLUDE requires paths");
        }
        path.add(name.name());
        Collections.reverse(path);
        return List.of(path);
    }
}
