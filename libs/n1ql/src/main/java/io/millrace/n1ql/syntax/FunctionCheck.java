package io.millrace.n1ql.syntax;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.function.Functions;
import io.millrace.n1ql.function.spec.FunctionSpec;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rejects unknown functions and calls with invalid arguments. */
public final class FunctionCheck {

    /** Functions whose argument is a name and not a value. */
    private static final Set<String> OF_NAMES = Set.of("self", "meta", "unnest_pos", "unnest_position");

    private static final Set<String> OF_VECTORS = Set.of(
            "approx_vector_distance",
            "vector_distance",
            "knn_distance",
            "ann_distance",
            "isvector",
            "is_vector",
            "encode_vector",
            "decode_vector",
            "normalize_vector");

    private FunctionCheck() {}

    /** Returns whether a name is that of a function of the language. */
    static boolean isKnown(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return OF_NAMES.contains(lower) || Functions.find(lower) != null;
    }

    /** Returns the error of a call of a function that does not exist. */
    public static QueryException unknown(String name, Place place) {
        String why = refusal(name);
        if (why != null) {
            return place.error(
                    ErrorCode.SEMANTICS, name.toUpperCase(Locale.ROOT) + " is not a function of statements" + why);
        }
        return place.error(
                ErrorCode.SYNTAX,
                "Invalid function " + name + " (resolving to default:" + name + ")"
                        + Suggestion.closest(name, Functions.names())
                                .map(known -> "; did you mean " + known.toUpperCase(Locale.ROOT) + "?")
                                .orElse(""));
    }

    /** Returns why a function of the original is left out, or null. */
    private static @Nullable String refusal(String name) {
        if (name.equals("curl")) {
            return ", which reach nothing but the documents of this store;"
                    + " fetch with curl() in a function, or in the application, and give the result as a parameter";
        }
        if (name.equals("search") || name.startsWith("search_")) {
            return ": there are no full-text indexes; compare with LIKE, REGEXP_CONTAINS or CONTAINS_TOKEN,"
                    + " or ask a search engine and read its ids with USE KEYS";
        }
        if (OF_VECTORS.contains(name)) {
            return ": there are no vector indexes; compute distances in a function in JavaScript,"
                    + " or ask a vector store and read its ids with USE KEYS";
        }
        return null;
    }

    static Expr.Call checked(Expr.Call call) {
        boolean self = call.name().equals("self") && call.args().isEmpty();
        if (self) {
            return call;
        }
        if (call.name().equals("meta")) {
            checkCount(call, 0, 1);
            return call;
        }
        if (call.name().equals("unnest_pos") || call.name().equals("unnest_position")) {
            checkCount(call, 1, 1);
            return call;
        }
        FunctionSpec spec = Functions.find(call.name());
        if (spec == null) {
            throw unknown(call.name(), call.place());
        }
        checkCount(call, spec.minArgs(), spec.maxArgs());
        boolean aggregate = spec.aggregate();
        if (call.star() && !(aggregate && call.name().equals("count"))) {
            throw call.place().error(ErrorCode.SYNTAX, "syntax error - * in " + call.name());
        }
        if ((call.distinct() || call.filter() != null) && !aggregate || call.over() != null && !spec.window()) {
            throw call.place().error(ErrorCode.SYNTAX, "syntax error - " + call.name() + " is not an aggregate");
        }
        if (call.over() == null && spec.window() && !aggregate) {
            throw call.place().error(ErrorCode.WINDOW, "window function " + call.name() + " needs OVER");
        }
        return call;
    }

    private static void checkCount(Expr.Call call, int min, int max) {
        int count = call.star() ? 1 : call.args().size();
        if (count < min || count > max) {
            String wanted = min == max ? Integer.toString(min) : "between " + min + " and " + max;
            throw call.place()
                    .error(
                            ErrorCode.SYNTAX,
                            "Number of arguments to function " + call.name().toUpperCase(Locale.ROOT) + " must be "
                                    + wanted);
        }
    }
}
