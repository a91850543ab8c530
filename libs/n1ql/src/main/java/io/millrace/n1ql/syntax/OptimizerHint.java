package io.millrace.n1ql.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A wish for the plan: from a comment that begins with a plus sign behind SELECT, UPDATE, DELETE or MERGE, or from a USE
 * clause.
 *
 * @param text for reports, as in a comment: {@code INDEX(a by_name)}
 * @param alias of the term; empty for ORDERED
 * @param indexes those of INDEX; empty for any
 * @param problem why it cannot be followed, whatever the plan; null if it can
 */
public record OptimizerHint(
        String text,
        Kind kind,
        String alias,
        List<String> indexes,
        @Nullable String problem) {

    /** What it is about. */
    public enum Kind {
        INDEX,
        NESTED_LOOP,
        HASH_BUILD,
        HASH_PROBE,
        ORDERED,
        UNKNOWN
    }

    static OptimizerHint index(String alias, List<String> indexes) {
        String names = indexes.isEmpty() ? "" : " " + String.join(" ", indexes);
        return new OptimizerHint("INDEX(" + alias + names + ")", Kind.INDEX, alias, indexes, null);
    }

    static OptimizerHint join(String alias, Query.Strategy strategy) {
        return switch (strategy) {
            case NESTED_LOOP -> new OptimizerHint("USE_NL(" + alias + ")", Kind.NESTED_LOOP, alias, List.of(), null);
            case HASH_BUILD ->
                new OptimizerHint("USE_HASH(" + alias + "/BUILD)", Kind.HASH_BUILD, alias, List.of(), null);
            case HASH_PROBE ->
                new OptimizerHint("USE_HASH(" + alias + "/PROBE)", Kind.HASH_PROBE, alias, List.of(), null);
        };
    }

    static OptimizerHint ordered() {
        return new OptimizerHint("ORDERED", Kind.ORDERED, "", List.of(), null);
    }

    static OptimizerHint unknown(String text, String problem) {
        return new OptimizerHint(text, Kind.UNKNOWN, "", List.of(), problem);
    }

    OptimizerHint impossible(String why) {
        return new OptimizerHint(text, kind, alias, indexes, why);
    }
}
