package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.HeldBytes;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.FieldName;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** RECURSIVE_CTE: the rows of a query, and of another one that is run with the rows of the round before until it has none. */
public final class RecursiveFunction {

    private static final String ANCHOR = "anchor";

    /** Runs the text of a query. */
    public interface Queries {
        ArrayValue rows(String text, Map<String, Value> parameters);
    }

    private final Map<String, Value> parameters = new HashMap<>();
    private final List<FieldName> cycle = new ArrayList<>();
    private final Set<List<Value>> passed = new HashSet<>();
    private final List<Value> all = new ArrayList<>();
    private final HeldBytes held;
    private long levels = Long.MAX_VALUE;
    private long documents = Long.MAX_VALUE;

    private RecursiveFunction(HeldBytes held) {
        this.held = held;
    }

    /** @param args the text of the first query, that of the other one, which has the rows as {@code $anchor}, and options */
    public static Value of(Value[] args, Queries queries, Execution execution) {
        if (!(args[0] instanceof StringValue first) || !(args[1] instanceof StringValue step)) {
            return Args.unknown(args);
        }
        try (HeldBytes held = new HeldBytes(execution)) {
            RecursiveFunction function = new RecursiveFunction(held);
            if (args.length == 3) {
                function.options(args[2]);
            }
            return function.run(first.text(), step.text(), queries);
        }
    }

    private void options(Value options) {
        if (!(options instanceof ObjectValue object)) {
            throw refused("must be an object, for example {\"levels\": 10}");
        }
        object.fields().forEach((name, value) -> {
            switch (name) {
                case "levels" -> levels = number(name, value);
                case "documents" -> documents = number(name, value);
                case "arguments" -> arguments(value);
                case "cycle" -> cycle(value);
                default -> throw refused("are levels, documents, arguments and cycle, not " + name);
            }
        });
    }

    private static QueryException refused(String what) {
        return QueryException.of(ErrorCode.RECURSION_OPTION, "The options of RECURSIVE_CTE " + what);
    }

    private static long number(String name, Value value) {
        if (value instanceof NumberValue number && number.doubleValue() >= 0) {
            return (long) number.doubleValue();
        }
        throw refused("levels and documents are numbers; " + name + " is " + value);
    }

    private void arguments(Value value) {
        if (!(value instanceof ObjectValue named)) {
            throw refused("have an object of named parameters as arguments");
        }
        parameters.putAll(named.fields());
    }

    private void cycle(Value value) {
        if (!(value instanceof ArrayValue names)) {
            throw refused("have an array of names of fields as cycle");
        }
        for (Value name : names) {
            if (!(name instanceof StringValue text)) {
                throw refused("have an array of names of fields as cycle");
            }
            cycle.add(FieldName.of(text.text()));
        }
    }

    private Value run(String first, String step, Queries queries) {
        List<Value> round = add(queries.rows(first, parameters));
        for (long level = 0; level < levels && !round.isEmpty() && all.size() < documents; level++) {
            Map<String, Value> next = new HashMap<>(parameters);
            next.put(ANCHOR, ArrayValue.of(round));
            round = add(queries.rows(step, next));
        }
        return ArrayValue.of(all);
    }

    /** Adds the rows that are new, and returns them. */
    private List<Value> add(ArrayValue rows) {
        List<Value> added = new ArrayList<>();
        for (Value row : rows) {
            if (all.size() < documents && isNoCycle(row)) {
                held.add(RowSizes.of(row));
                all.add(row);
                added.add(row);
            }
        }
        if (all.size() > FunctionSpec.MAX_ELEMENTS) {
            throw QueryException.outOfRange("RECURSIVE_CTE()");
        }
        return added;
    }

    private boolean isNoCycle(Value row) {
        return cycle.isEmpty() || passed.add(cycle.stream().map(row::field).toList());
    }
}
