package io.millrace.querystore;

import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Definitions of indexes as the catalog keeps them. Of a secondary index nothing is kept but its definition, so it is
 * not online: queries do not use it.
 */
final class IndexTexts {

    private IndexTexts() {}

    static String write(IndexDefinition index) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("primary", Value.of(index.primary()));
        List<Value> keys = new ArrayList<>();
        for (IndexDefinition.Key key : index.keys()) {
            Map<String, Value> parts = new LinkedHashMap<>();
            parts.put("text", Value.of(key.text()));
            parts.put("descending", Value.of(key.descending()));
            keys.add(ObjectValue.of(parts));
        }
        fields.put("keys", ArrayValue.of(keys));
        String where = index.where();
        if (where != null) {
            fields.put("where", Value.of(where));
        }
        return ObjectValue.of(fields).toJson();
    }

    static IndexDefinition read(String name, String text) {
        if (!(Json.parse(text) instanceof ObjectValue fields)) {
            throw new IllegalStateException("The catalog's entry of index " + name + " is no object: " + text);
        }
        boolean primary = fields.get("primary").truth();
        List<IndexDefinition.Key> keys = new ArrayList<>();
        if (fields.get("keys") instanceof ArrayValue entries) {
            for (Value entry : entries) {
                if (entry instanceof ObjectValue key && key.get("text") instanceof StringValue expression) {
                    keys.add(new IndexDefinition.Key(
                            expression.text(), key.get("descending").truth()));
                }
            }
        }
        String where = fields.get("where") instanceof StringValue condition ? condition.text() : null;
        return new IndexDefinition(name, primary, keys, where, primary);
    }
}
