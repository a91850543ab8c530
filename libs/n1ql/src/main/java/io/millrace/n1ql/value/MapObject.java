package io.millrace.n1ql.value;

import java.util.Map;

/** A computed object. */
final class MapObject extends ObjectValue {

    private final Map<String, Value> fields;

    /** Zero until it is counted. */
    private long parts;

    MapObject(Map<String, Value> fields) {
        this.fields = fields;
    }

    @Override
    public Map<String, Value> fields() {
        return readOnly(fields);
    }

    @Override
    public long parts() {
        if (parts == 0) {
            long count = 1;
            for (Map.Entry<String, Value> field : fields.entrySet()) {
                count += partsOfText(field.getKey().length()) + field.getValue().parts();
            }
            parts = count;
        }
        return parts;
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
