package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What CREATE INDEX says of an index that has no effect here. */
final class IndexOptions {

    static final String DEFER = "defer_build";

    private static final String REPLICAS = "num_replica";

    private IndexOptions() {}

    /**
     * Returns sentences that say so.
     *
     * @param with the options, MISSING without any; throws a {@link QueryException} if they are not an object
     */
    static List<String> ignored(Statement.CreateIndex create, Value with) {
        List<String> ignored = new ArrayList<>();
        if (create.partitioned()) {
            ignored.add("PARTITION BY has no effect: an index is divided as its bucket is.");
        }
        if (create.keys().stream().anyMatch(Statement.IndexKey::includeMissing)) {
            ignored.add("INCLUDE MISSING has no effect: documents whose first key is MISSING are not in the index.");
        }
        if (create.flattenedOrder()) {
            ignored.add("DESC and INCLUDE MISSING in FLATTEN_KEYS have no effect: its keys are in ascending order.");
        }
        for (Map.Entry<String, Value> option : options(with).entrySet()) {
            boolean known = option.getKey().equals(DEFER) && !create.primary();
            boolean nothing = !option.getValue().truth(); // no replicas, not deferred
            if (!known
                    && !(nothing
                            && (option.getKey().equals(REPLICAS)
                                    || option.getKey().equals(DEFER)))) {
                ignored.add("The option " + option.getKey() + " of an index has no effect; "
                        + (create.primary()
                                ? "a primary index is complete at once."
                                : DEFER + " is the one that has."));
            }
        }
        return ignored;
    }

    private static Map<String, Value> options(Value with) {
        if (with.isMissing()) {
            return Map.of();
        }
        if (with instanceof ObjectValue object) {
            return object.fields();
        }
        throw QueryException.of(
                ErrorCode.SEMANTICS, "The options of an index are an object, such as WITH {\"defer_build\": true}");
    }
}
