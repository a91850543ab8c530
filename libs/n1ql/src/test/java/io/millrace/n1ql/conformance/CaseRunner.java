package io.millrace.n1ql.conformance;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs cases and compares what comes out. */
final class CaseRunner {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final double TOLERANCE = 1e-12;

    private final Datasets datasets;
    private final Map<String, QueryEngine> engines = new HashMap<>();

    /** One statement of a case, and why it failed or null. */
    record Check(
            String id,
            String area,
            boolean first,
            String statement,
            @Nullable String failure) {}

    CaseRunner(Datasets datasets) {
        this.datasets = datasets;
    }

    List<Check> run(ObjectValue given) throws IOException {
        String area = text(given, "area");
        boolean first = given.get("phase").equals(Value.of(1L));
        String dataset = text(given, "dataset");
        List<Check> checks = new ArrayList<>();
        if (given.get("steps") instanceof ArrayValue steps) {
            QueryEngine engine = engine(datasets.load(dataset));
            int number = 0;
            for (Value step : steps) {
                ObjectValue one = (ObjectValue) step;
                String id = text(given, "id") + "/" + number++;
                checks.add(new Check(id, area, first, text(one, "statement"), failure(one, engine)));
            }
            return checks;
        }
        QueryEngine engine = engines.get(dataset);
        if (engine == null) {
            engine = engine(datasets.load(dataset));
            engines.put(dataset, engine);
        }
        checks.add(new Check(text(given, "id"), area, first, text(given, "statement"), failure(given, engine)));
        return checks;
    }

    /**
     * Keyspaces that a dataset does not list are there and empty; one that it lists by its collection alone can also be
     * named in full.
     */
    private static QueryEngine engine(MemoryKeyspaces keyspaces) {
        KeyspaceStore store = new KeyspaceStore() {
            @Override
            public Keyspace keyspace(KeyspaceName name) {
                Keyspace known = keyspaces.keyspace(name);
                if (known == null) {
                    known = keyspaces.keyspace(KeyspaceName.of(name.collection()));
                }
                if (known != null) {
                    return known;
                }
                Keyspace made = keyspaces.create(name);
                made.createIndex(IndexDefinition.primary(IndexDefinition.PRIMARY_NAME));
                return made;
            }

            @Override
            public List<KeyspaceName> names() {
                return keyspaces.names();
            }
        };
        return new QueryEngine(store, InstantSource.system());
    }

    private static String text(ObjectValue object, String name) {
        return ((StringValue) object.get(name)).text();
    }

    private static QueryOptions options(ObjectValue given) {
        QueryOptions options = QueryOptions.DEFAULT.withTimeout(TIMEOUT);
        if (given.get("namedArgs") instanceof ObjectValue named) {
            options = options.withNamed(named.fields());
        }
        return given.get("positionalArgs") instanceof ArrayValue values
                ? options.withPositional(values.items())
                : options;
    }

    private static @Nullable String failure(ObjectValue given, QueryEngine engine) {
        Value expectedError = given.get("expectError");
        List<Value> rows;
        try {
            rows = rows(given, engine);
        } catch (QueryException e) {
            if (!(expectedError instanceof ObjectValue expected)) {
                // one suite keeps the rows of what is out of range, none, and not the error; another keeps the error
                boolean noRowsWanted = given.get("results").equals(Value.EMPTY_ARRAY);
                return noRowsWanted && e.errorCode() == ErrorCode.RANGE ? null : e.code() + " " + e.getMessage();
            }
            Value code = expected.get("code");
            return code.isMissing() || code.equals(Value.of((long) e.code()))
                    ? null
                    : "expected " + expected + " but was " + e.code() + " " + e.getMessage();
        }
        if (!expectedError.isMissing()) {
            return "expected " + expectedError + " but had " + rows.size() + " rows";
        }
        return given.get("results") instanceof ArrayValue results
                        && !given.get("results").isMissing()
                ? difference(results.items(), rows, given)
                : null;
    }

    private static List<Value> rows(ObjectValue given, QueryEngine engine) {
        List<Value> rows = new ArrayList<>();
        try (Rows cursor = engine.execute(text(given, "statement"), options(given))) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                // through text, as a client would see it
                rows.add(Objects.requireNonNull(Json.parse(row.toJsonBytes())));
            }
        }
        return rows;
    }

    private static @Nullable String difference(List<Value> expected, List<Value> rows, ObjectValue given) {
        List<String> ignored = new ArrayList<>();
        if (given.get("ignore") instanceof ArrayValue names) {
            names.forEach(name -> ignored.add(((StringValue) name).text()));
        }
        List<Value> actual = rows.stream().map(row -> without(row, ignored)).toList();
        if (expected.size() != actual.size()) {
            return "expected " + expected.size() + " rows but had " + actual.size() + ": " + shortened(actual)
                    + " instead of " + shortened(expected);
        }
        boolean ordered =
                given.get("ordered").truth() && !given.get("orderTies").truth();
        List<Value> left = new ArrayList<>(actual);
        for (int i = 0; i < expected.size(); i++) {
            Value wanted = expected.get(i);
            int found = 0;
            while (found < left.size() && !same(wanted, left.get(found))) {
                found++;
                if (ordered) {
                    break;
                }
            }
            if (found == left.size() || ordered && found > 0) {
                return "row " + i + " " + shortened(List.of(wanted)) + " is not in " + shortened(left);
            }
            left.remove(found);
        }
        return null;
    }

    private static String shortened(List<Value> rows) {
        String text = rows.toString();
        return text.length() > 400 ? text.substring(0, 400) + "..." : text;
    }

    private static Value without(Value value, List<String> names) {
        if (names.isEmpty()) {
            return value;
        }
        return switch (value) {
            case ArrayValue array ->
                ArrayValue.of(
                        array.items().stream().map(item -> without(item, names)).toList());
            case ObjectValue object -> {
                Map<String, Value> fields = new LinkedHashMap<>();
                object.fields().forEach((name, field) -> {
                    if (!names.contains(name)) {
                        fields.put(name, without(field, names));
                    }
                });
                yield ObjectValue.of(fields);
            }
            default -> value;
        };
    }

    private static boolean same(Value expected, Value actual) {
        if (expected instanceof NumberValue left && actual instanceof NumberValue right) {
            double difference = Math.abs(left.doubleValue() - right.doubleValue());
            return difference <= TOLERANCE * Math.max(Math.abs(left.doubleValue()), Math.abs(right.doubleValue()));
        }
        if (expected instanceof ArrayValue left && actual instanceof ArrayValue right) {
            if (left.size() != right.size()) {
                return false;
            }
            for (int i = 0; i < left.size(); i++) {
                if (!same(left.get(i), right.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (expected instanceof ObjectValue left && actual instanceof ObjectValue right) {
            return left.size() == right.size()
                    && left.fields().entrySet().stream()
                            .allMatch(field -> same(field.getValue(), right.get(field.getKey())));
        }
        return expected.equals(actual);
    }
}
