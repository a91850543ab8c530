package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.FieldName;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** ADVISOR: the advice of ADVISE for several statements, by index. */
public final class AdvisorFunction {

    /** The fields of the result and where ADVISE has the indexes of each. */
    private static final Map<String, List<String>> KINDS = kinds();

    private final Function<String, ArrayValue> advise;
    /** For each kind, the statements that an index serves, with how often each was given. */
    private final Map<String, Map<String, Map<String, Long>>> found = new LinkedHashMap<>();

    private AdvisorFunction(Function<String, ArrayValue> advise) {
        this.advise = advise;
    }

    private static Map<String, List<String>> kinds() {
        Map<String, List<String>> kinds = new LinkedHashMap<>();
        kinds.put("current_used_indexes", List.of("current_indexes"));
        kinds.put("recommended_covering_indexes", List.of("recommended_indexes", "covering_indexes"));
        kinds.put("recommended_indexes", List.of("recommended_indexes", "indexes"));
        return kinds;
    }

    /**
     * @param statements the text of a statement, or an array of texts
     * @param advise returns the rows of ADVISE for a statement
     */
    public static Value of(Value statements, Function<String, ArrayValue> advise) {
        if (statements.isUnknown()) {
            return statements;
        }
        AdvisorFunction function = new AdvisorFunction(advise);
        for (Value statement : statements instanceof ArrayValue several ? several : ArrayValue.of(statements)) {
            if (!(statement instanceof StringValue text)) {
                throw QueryException.evaluation(
                        "ADVISOR expects the text of a statement or an array of texts, not "
                                + statement.type().label()
                                + "; there are no sessions that collect statements: system:completed_requests has those that took long");
            }
            function.add(text.text());
        }
        return function.result();
    }

    private void add(String statement) {
        for (Value row : advise.apply(statement)) {
            Value info = row.field(FieldName.of("advice")).field(FieldName.of("adviseinfo"));
            KINDS.forEach((kind, path) -> {
                Value indexes = info;
                for (String name : path) {
                    indexes = indexes.field(FieldName.of(name));
                }
                if (indexes instanceof ArrayValue list) {
                    list.forEach(index -> add(kind, index.field(FieldName.of("index_statement")), statement));
                }
            });
        }
    }

    private void add(String kind, Value index, String statement) {
        if (index instanceof StringValue text) {
            found.computeIfAbsent(kind, k -> new LinkedHashMap<>())
                    .computeIfAbsent(text.text(), k -> new LinkedHashMap<>())
                    .merge(statement, 1L, Long::sum);
        }
    }

    private Value result() {
        Map<String, Value> fields = new LinkedHashMap<>();
        for (String kind : KINDS.keySet()) {
            List<Value> indexes = new ArrayList<>();
            found.getOrDefault(kind, Map.of())
                    .forEach((index, statements) ->
                            indexes.add(object("index", Value.of(index), "statements", counted(statements))));
            if (!indexes.isEmpty()) {
                fields.put(kind, ArrayValue.of(indexes));
            }
        }
        return ObjectValue.of(fields);
    }

    private static Value counted(Map<String, Long> statements) {
        List<Value> counted = new ArrayList<>();
        statements.forEach((statement, times) ->
                counted.add(object("run_count", Value.of(times), "statement", Value.of(statement))));
        return ArrayValue.of(counted);
    }

    private static Value object(String first, Value one, String second, Value other) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put(first, one);
        fields.put(second, other);
        return ObjectValue.of(fields);
    }
}
