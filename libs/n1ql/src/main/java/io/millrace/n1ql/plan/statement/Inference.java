package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.KeyRange;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.plan.QueryPlanner;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.DocumentReader;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** INFER: describes the documents of a keyspace from a sample, as JSON schemas, one for each kind of document. */
record Inference(KeyspaceRef ref, @Nullable Eval options) implements StatementPlan {

    private static final List<String> OPTIONS = List.of("sample_size", "num_sample_values", "similarity_metric");

    private static final int SAMPLE = 1_000;
    private static final int MOST_SAMPLED = 10_000;
    private static final int SAMPLE_VALUES = 5;
    private static final double SIMILARITY = 0.6;
    private static final int KEY_PAGE = 1_024;
    /** Keys beyond these are not considered for the sample. */
    private static final int MOST_KEYS = 200_000;
    /** The same documents give the same sample. */
    private static final long SEED = 1;

    static StatementPlan plan(Statement.Infer infer, StatementPlanner planner) {
        return new Inference(
                StatementPlanner.ref(infer.target()),
                planner.compiler(QueryPlanner.ROOT.block()).optional(infer.options()));
    }

    @Override
    public Cursor<Value> run(Execution execution) {
        Value wanted = options == null ? ObjectValue.EMPTY : options.eval(StatementPlanner.root(execution));
        int sample = (int) Math.min(MOST_SAMPLED, number(wanted, "sample_size", SAMPLE));
        int values = (int) number(wanted, "num_sample_values", SAMPLE_VALUES);
        double similarity = number(wanted, "similarity_metric", SIMILARITY);
        warnOfUnknown(wanted, execution);
        Keyspace keyspace = ref.open(execution, Need.SELECT);
        List<InferredSchema> flavors = new ArrayList<>();
        List<String> keys = sampled(keyspace, sample, execution);
        DocumentReader reader = new DocumentReader(keyspace, DocumentReader.of(keys), execution, keys.size(), false);
        for (StoredDocument found = reader.next(); found != null; found = reader.next()) {
            if (found.json() && Json.trusted(found.body()) instanceof ObjectValue document) {
                flavor(document, flavors, similarity, values).add(document);
            }
        }
        Value result =
                ArrayValue.of(flavors.stream().map(InferredSchema::flavor).toList());
        var left = List.of(result).iterator();
        return () -> left.hasNext() ? left.next() : null;
    }

    private static void warnOfUnknown(Value options, Execution execution) {
        for (String name : ((ObjectValue) options).fields().keySet()) {
            if (!OPTIONS.contains(name)) {
                execution.warn(
                        ErrorCode.IGNORED_WARNING,
                        "The option " + name + " of INFER has no effect; the options are "
                                + String.join(", ", OPTIONS));
            }
        }
    }

    private static double number(Value options, String name, double otherwise) {
        if (!(options instanceof ObjectValue object)) {
            throw QueryException.of(
                    ErrorCode.SEMANTICS, "The options of INFER must be an object, such as {\"sample_size\": 100}");
        }
        Value value = object.get(name);
        if (value.isMissing()) {
            return otherwise;
        }
        if (value instanceof NumberValue number && number.doubleValue() >= 0) {
            return number.doubleValue();
        }
        throw QueryException.of(
                ErrorCode.SEMANTICS, "The option " + name + " of INFER must be a number, and not negative");
    }

    /** Returns the keys of documents that are chosen at random: keys of one kind often stand together. */
    private static List<String> sampled(Keyspace keyspace, int sample, Execution execution) {
        Random random = new Random(SEED);
        List<String> chosen = new ArrayList<>();
        KeyRange left = KeyRange.ALL;
        List<String> page;
        int seen = 0;
        do {
            execution.check();
            page = execution.await(keyspace.keys(left, KEY_PAGE));
            for (String key : page) {
                seen++;
                int at = chosen.size() < sample ? chosen.size() : random.nextInt(seen);
                if (at == chosen.size()) {
                    chosen.add(key);
                } else if (at < sample) {
                    chosen.set(at, key);
                }
                left = left.after(key, false);
            }
        } while (page.size() == KEY_PAGE && seen < MOST_KEYS);
        return chosen;
    }

    /** Returns the kind of a document: that whose fields it has most of. */
    private static InferredSchema flavor(
            ObjectValue document, List<InferredSchema> flavors, double similarity, int values) {
        InferredSchema best = null;
        double most = similarity;
        for (InferredSchema flavor : flavors) {
            double alike = flavor.similarity(document);
            if (alike >= most) {
                most = alike;
                best = flavor;
            }
        }
        if (best == null) {
            best = new InferredSchema(values);
            flavors.add(best);
        }
        return best;
    }

    @Override
    public Value explain(Execution execution) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("#operator", Value.of("InferKeyspace"));
        fields.put("keyspace", Value.of(ref.toString()));
        return ObjectValue.of(fields);
    }

    @Override
    public boolean changes() {
        return false;
    }

    /** The fields of objects that are alike, with their types and some of their values. */
    private static final class InferredSchema {

        /** A field that so many documents have with a single value each tells their kind. */
        private static final int LONGEST_FLAVOR = 3;

        private final int mostValues;
        private final Map<String, Field> fields = new TreeMap<>();
        private long documents;

        InferredSchema(int mostValues) {
            this.mostValues = mostValues;
        }

        double similarity(ObjectValue document) {
            long shared = document.fields().keySet().stream()
                    .filter(fields::containsKey)
                    .count();
            long all = fields.size() + document.size() - shared;
            return all == 0 ? 1 : (double) shared / all;
        }

        void add(ObjectValue document) {
            documents++;
            document.fields()
                    .forEach((name, value) -> fields.computeIfAbsent(name, none -> new Field(mostValues))
                            .add(value));
        }

        Value flavor() {
            Map<String, Value> schema = new LinkedHashMap<>();
            schema.put("#docs", Value.of(documents));
            schema.put("$schema", Value.of("http://json-schema.org/draft-06/schema"));
            schema.put("Flavor", Value.of(name()));
            schema.put("properties", properties(documents));
            schema.put("type", Value.of("object"));
            return ObjectValue.of(schema);
        }

        private String name() {
            List<String> parts = new ArrayList<>();
            fields.forEach((name, field) -> {
                Value only = field.onlyText();
                if (only != null && field.count == documents && documents > 1 && parts.size() < LONGEST_FLAVOR) {
                    parts.add("`" + name + "` = " + only.toJson());
                }
            });
            return String.join(", ", parts);
        }

        Value properties(long of) {
            Map<String, Value> properties = new LinkedHashMap<>();
            fields.forEach((name, field) -> properties.put(name, field.describe(of)));
            return ObjectValue.of(properties);
        }
    }

    /** A field of objects that are alike. */
    private static final class Field {

        private final int mostValues;
        private final List<Value> values = new ArrayList<>();
        private final Map<String, Long> types = new TreeMap<>();
        private final InferredSchema inner;
        private final Map<String, Long> itemTypes = new TreeMap<>();
        private boolean varies;
        private long count;

        Field(int mostValues) {
            this.mostValues = mostValues;
            this.inner = new InferredSchema(mostValues);
        }

        void add(Value value) {
            count++;
            types.merge(value.type().label(), 1L, Long::sum);
            if (value instanceof ObjectValue object) {
                inner.add(object);
            } else if (value instanceof ArrayValue array) {
                array.forEach(item -> itemTypes.merge(item.type().label(), 1L, Long::sum));
            } else if (!values.contains(value)) {
                varies |= !values.isEmpty();
                if (values.size() < mostValues) {
                    values.add(value);
                }
            }
        }

        @Nullable
        Value onlyText() {
            return !varies && values.size() == 1 && values.getFirst().isString() && types.size() == 1
                    ? values.getFirst()
                    : null;
        }

        Value describe(long of) {
            Map<String, Value> described = new LinkedHashMap<>();
            described.put("#docs", Value.of(count));
            described.put("%docs", Value.of(Math.round(count * 10_000.0 / Math.max(1, of)) / 100.0));
            if (!itemTypes.isEmpty()) {
                described.put("items", ObjectValue.of("type", names(itemTypes)));
            }
            if (!inner.fields.isEmpty()) {
                described.put("properties", inner.properties(inner.documents));
            }
            if (!values.isEmpty()) {
                described.put("samples", ArrayValue.of(values));
            }
            described.put("type", names(types));
            return ObjectValue.of(described);
        }

        private static Value names(Map<String, Long> types) {
            return types.size() == 1
                    ? Value.of(types.keySet().iterator().next())
                    : ArrayValue.ofStrings(List.copyOf(types.keySet()));
        }
    }
}
