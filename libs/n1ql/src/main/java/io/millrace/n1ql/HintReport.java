package io.millrace.n1ql;

import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.syntax.OptimizerHint;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which hints a plan follows, and why not the others. Read from the plan as EXPLAIN shows it, so that a report cannot differ
 * from it.
 *
 * @param ignored the text of each hint that is not followed, and why
 */
record HintReport(List<String> followed, Map<String, String> ignored) {

    static HintReport of(List<OptimizerHint> hints, Value plan) {
        List<String> followed = new ArrayList<>();
        Map<String, String> ignored = new LinkedHashMap<>();
        for (OptimizerHint hint : hints) {
            String problem = problem(hint, plan);
            if (problem == null) {
                followed.add(hint.text());
            } else {
                ignored.put(hint.text(), problem);
            }
        }
        return new HintReport(followed, ignored);
    }

    private static @Nullable String problem(OptimizerHint hint, Value plan) {
        if (hint.problem() != null) {
            return hint.problem();
        }
        return switch (hint.kind()) {
            case INDEX ->
                scans(hint, plan) ? null : "no index that it names is online and has what the conditions need";
            case NESTED_LOOP ->
                joins("NestedLoop", "~child2", hint.alias(), plan) ? null : "the term is not joined by a condition";
            case HASH_BUILD ->
                joins("Hash", "~child2", hint.alias(), plan) ? null : "the join has no condition of equal values";
            case HASH_PROBE ->
                joins("Hash", "~child", hint.alias(), plan)
                        ? null
                        : "only an inner join by equal values can read the other side first";
            case ORDERED, UNKNOWN -> null;
        };
    }

    private static boolean scans(OptimizerHint hint, Value plan) {
        return anywhere(
                plan,
                operator -> has(operator, "as", hint.alias())
                        && (operator.get("index") instanceof StringValue index
                                ? hint.indexes().isEmpty() || hint.indexes().contains(index.text())
                                : has(operator, "#operator", "PrimaryScan3")
                                        && hint.indexes().contains(IndexDefinition.PRIMARY_NAME)));
    }

    private static boolean joins(String kind, String side, String alias, Value plan) {
        return anywhere(
                plan,
                operator -> operator.get("#operator") instanceof StringValue name
                        && name.text().startsWith(kind)
                        && anywhere(operator.get(side), scan -> has(scan, "as", alias)));
    }

    private static boolean has(ObjectValue operator, String field, String text) {
        return operator.get(field).equals(Value.of(text));
    }

    private interface Test {
        boolean holds(ObjectValue operator);
    }

    private static boolean anywhere(Value plan, Test test) {
        return switch (plan) {
            case ObjectValue operator ->
                test.holds(operator) || operator.fields().values().stream().anyMatch(part -> anywhere(part, test));
            case ArrayValue parts -> {
                for (Value part : parts) {
                    if (anywhere(part, test)) {
                        yield true;
                    }
                }
                yield false;
            }
            default -> false;
        };
    }

    /** Returns what EXPLAIN shows. */
    Value value() {
        List<Value> not = new ArrayList<>();
        ignored.forEach((hint, why) -> not.add(Value.of(hint + ": " + why)));
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("hints_followed", ArrayValue.ofStrings(followed));
        fields.put("hints_not_followed", ArrayValue.of(not));
        return ObjectValue.of(fields);
    }
}
