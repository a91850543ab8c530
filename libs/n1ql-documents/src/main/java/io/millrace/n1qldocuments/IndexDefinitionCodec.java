package io.millrace.n1qldocuments;

import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Encodes index definitions for the catalog, with the id under which the entries of a secondary index are stored. */
final class IndexDefinitionCodec {

    /**
     * A decoded definition.
     *
     * @param id empty for a primary index
     * @param number that of an older index is less
     */
    record Kept(IndexDefinition definition, String id, long number) {}

    private IndexDefinitionCodec() {}

    static String write(IndexDefinition index, String id, long number) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("number", Value.of(number));
        fields.put("primary", Value.of(index.primary()));
        List<Value> keys = new ArrayList<>();
        for (IndexDefinition.Key key : index.keys()) {
            Map<String, Value> parts = new LinkedHashMap<>();
            parts.put("text", Value.of(key.text()));
            parts.put("descending", Value.of(key.descending()));
            parts.put("each", Value.of(key.each()));
            keys.add(ObjectValue.of(parts));
        }
        fields.put("keys", ArrayValue.of(keys));
        String where = index.where();
        if (where != null) {
            fields.put("where", Value.of(where));
        }
        if (!index.primary()) {
            fields.put("id", Value.of(id));
            fields.put("state", Value.of(index.state().name()));
        }
        return ObjectValue.of(fields).toJson();
    }

    static Kept read(String name, String text) {
        if (!(Json.parse(text) instanceof ObjectValue fields)) {
            throw new IllegalStateException("The catalog's entry of index " + name + " is not a JSON object: " + text);
        }
        boolean primary = fields.get("primary").truth();
        List<IndexDefinition.Key> keys = new ArrayList<>();
        if (fields.get("keys") instanceof ArrayValue entries) {
            for (Value entry : entries) {
                if (entry instanceof ObjectValue key && key.get("text") instanceof StringValue expression) {
                    keys.add(new IndexDefinition.Key(
                            expression.text(),
                            key.get("descending").truth(),
                            key.get("each").truth()));
                }
            }
        }
        String where = fields.get("where") instanceof StringValue condition ? condition.text() : null;
        String id = fields.get("id") instanceof StringValue given ? given.text() : "";
        IndexDefinition.State state = primary
                ? IndexDefinition.State.ONLINE
                : fields.get("state") instanceof StringValue given
                        ? IndexDefinition.State.valueOf(given.text())
                        // written by a version that did not build indexes
                        : IndexDefinition.State.DEFERRED;
        // an earlier version wrote none
        long number = fields.get("number") instanceof NumberValue given ? given.longValue() : 0;
        return new Kept(new IndexDefinition(name, primary, keys, where, state), id.isEmpty() ? name : id, number);
    }
}
