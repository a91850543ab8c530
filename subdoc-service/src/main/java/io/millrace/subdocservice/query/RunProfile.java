package io.millrace.subdocservice.query;

import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The {@code profile} of a response: a measured plan, and its figures by kind of operator. */
final class RunProfile {

    private static final String STATS = "#stats";

    private final Map<String, Long> rows = new TreeMap<>();
    private final Map<String, Long> operators = new TreeMap<>();
    private final Map<String, Double> millis = new TreeMap<>();

    private RunProfile() {}

    /** @param plan the plan with the figures of its operators; shown if {@code timings} */
    static Value of(Value plan, boolean timings) {
        RunProfile sums = new RunProfile();
        sums.add(plan);
        Map<String, Value> profile = new LinkedHashMap<>();
        profile.put("phaseTimes", object(sums.millis, time -> Value.of(Durations.format((long) (time * 1e6)))));
        profile.put("phaseCounts", object(sums.rows, Value::of));
        profile.put("phaseOperators", object(sums.operators, Value::of));
        if (timings) {
            profile.put("executionTimings", plan);
        }
        return ObjectValue.of(profile);
    }

    private void add(Value part) {
        if (part instanceof ArrayValue parts) {
            parts.forEach(this::add);
        }
        if (!(part instanceof ObjectValue operator)) {
            return;
        }
        if (operator.get("#operator") instanceof StringValue kind && operator.get(STATS) instanceof ObjectValue stats) {
            String name =
                    Character.toLowerCase(kind.text().charAt(0)) + kind.text().substring(1);
            operators.merge(name, 1L, Long::sum);
            rows.merge(name, stats.get("#itemsOut") instanceof NumberValue out ? out.longValue() : 0L, Long::sum);
            String time = stats.get("execTime") instanceof StringValue text ? text.text() : "0ms";
            millis.merge(name, Double.parseDouble(time.substring(0, time.length() - 2)), Double::sum);
        }
        operator.fields().forEach((name, value) -> {
            if (!name.equals(STATS)) {
                add(value);
            }
        });
    }

    private interface Shown<T> {
        Value of(T sum);
    }

    private static <T> Value object(Map<String, T> sums, Shown<T> shown) {
        Map<String, Value> fields = new LinkedHashMap<>();
        sums.forEach((name, sum) -> fields.put(name, shown.of(sum)));
        return ObjectValue.of(fields);
    }
}
