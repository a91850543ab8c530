package io.millrace.n1ql.value;

import java.util.Map;

/** A computed object. */
final class MapObject extends ObjectValue {

    private final Map<String, Value> fields;

    MapObject(Map<String, Value> fields) {
        this.fields = fields;
    }

    @Override
    public Map<String, Value> fields() {
        return readOnly(fields);
    }

    @Override
    public int size() {
        return fields.size();
    }

    @Override
    public Value get(String name) {
        Value value = fields.get(name);
        return value == null ? MISSING : value;
    }
}
