package io.millrace.n1ql.system;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.syntax.Suggestion;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is said about names below {@code system:} that have no rows here: those of the original, and all others. */
public final class AbsentTables {

    private static final String NO_STATISTICS =
            "statistics are neither gathered nor kept: the entries of indexes are counted when a statement runs";

    private static final Map<String, String> REASONS = Map.of(
            "aus",
            NO_STATISTICS,
            "aus_settings",
            NO_STATISTICS,
            "awr",
            "workload reports are not made; system:completed_requests has the latest slow statements,"
                    + " and the metrics of the service have its load",
            "completed_requests_history",
            "completed requests are not written to files;"
                    + " system:completed_requests has the latest ones, and each is logged as event=statement_slow");

    private AbsentTables() {}

    /** @param known the names that have rows */
    public static QueryException refusal(String name, Set<String> known) {
        @Nullable String reason = REASONS.get(name);
        return reason == null
                ? QueryException.keyspaceNotFound("system:" + name + Suggestion.didYouMean(name, known))
                : QueryException.of(ErrorCode.SEMANTICS, "There is no system:" + name + ": " + reason + ".");
    }
}
