package io.millrace.n1ql.value;

import io.millrace.json.JsonScanner;
import io.millrace.json.JsonSkip;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object in the bytes of a document. It is read from the front up to the requested field, and remembers the positions
 * of the fields on the way. If a name occurs twice, the first one counts. Not thread-safe.
 */
final class JsonObject extends ObjectValue {

    private static final int NOT_READ_YET = -1;
    /** The size of an object without its text, in bytes. */
    private static final int OVERHEAD = 160;

    private final byte[] text;
    private final int start;

    /** The position where reading continues, outside of the values; the closing brace when all fields are known. */
    private int at;
    /** For each known field: start and end of its name, including quotation marks, and start of its value. */
    private int[] places;

    private int found;
    private @Nullable Value[] values;
    private int end = NOT_READ_YET;
    private @Nullable Map<String, Value> all;

    JsonObject(byte[] text, int start) {
        this.text = text;
        this.start = start;
        this.places = new int[12];
        this.values = new Value[4];
        this.at = JsonSkip.blanks(text, start + 1, text.length);
    }

    /** Makes an object whose fields have been found before. */
    JsonObject(byte[] text, int start, FieldPlaces known) {
        this.text = text;
        this.start = start;
        this.places = known.places;
        this.found = known.places.length / 3;
        this.values = new Value[found];
        this.end = known.end;
        this.at = known.end - 1;
    }

    /** Returns where all fields are. */
    FieldPlaces places() {
        while (readName()) {
            // to the end
        }
        return new FieldPlaces(Arrays.copyOf(places, found * 3), end);
    }

    @Override
    public Value get(String name) {
        return all != null ? all.getOrDefault(name, MISSING) : field(FieldName.of(name));
    }

    @Override
    public Value field(FieldName name) {
        if (!name.caseSensitive()) {
            return ignoringCase(name);
        }
        byte[] wanted = name.utf8();
        for (int i = 0; i < found; i++) {
            if (named(i, wanted, name.text())) {
                return value(i);
            }
        }
        while (readName()) {
            if (named(found - 1, wanted, name.text())) {
                return value(found - 1);
            }
        }
        return MISSING;
    }

    /** Records the next field and skips its value; returns false at the end. */
    private boolean readName() {
        if (text[at] == '}') {
            end = at + 1;
            return false;
        }
        if (found * 3 == places.length) {
            places = Arrays.copyOf(places, places.length * 2);
            values = Arrays.copyOf(values, values.length * 2);
        }
        int nameEnd = JsonSkip.string(text, at, text.length);
        int colon = JsonSkip.blanks(text, nameEnd, text.length);
        int valueStart = JsonSkip.blanks(text, colon + 1, text.length);
        places[found * 3] = at;
        places[found * 3 + 1] = nameEnd;
        places[found * 3 + 2] = valueStart;
        found++;
        at = JsonSkip.blanks(text, Json.skip(text, valueStart), text.length);
        if (text[at] == ',') {
            at = JsonSkip.blanks(text, at + 1, text.length);
        }
        return true;
    }

    private boolean named(int field, byte[] wanted, String wantedText) {
        int from = places[field * 3] + 1;
        int to = places[field * 3 + 1] - 1;
        if (to - from == wanted.length && Arrays.equals(text, from, to, wanted, 0, wanted.length)) {
            return true;
        }
        return to - from > wanted.length && escaped(from, to) && name(field).equals(wantedText);
    }

    private boolean escaped(int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] == '\\') {
                return true;
            }
        }
        return false;
    }

    private String name(int field) {
        return JsonScanner.decode(text, places[field * 3] + 1, places[field * 3 + 1] - 1);
    }

    private Value value(int field) {
        Value value = values[field];
        if (value == null) {
            value = Json.valueAt(text, places[field * 3 + 2]);
            values[field] = value;
        }
        return value;
    }

    /** Returns the position after the closing brace, searched from where this has been read to. */
    int end() {
        if (end == NOT_READ_YET) {
            end = JsonSkip.container(text, at, text.length, 1, JsonSkip.ANY_DEPTH);
        }
        return end;
    }

    @Override
    public long parts() {
        return start == 0 ? partsOfText(text.length) : 1;
    }

    /** Returns about how many bytes of heap this holds, the rest of the document included. */
    long heldBytes() {
        return text.length + OVERHEAD + (all == null ? 0 : (long) all.size() * OVERHEAD);
    }

    /** Returns this without the rest of the document, and without what has been parsed. */
    JsonObject alone() {
        int last = end();
        boolean whole = start == 0 && last == text.length;
        return new JsonObject(whole ? text : Arrays.copyOfRange(text, start, last), 0);
    }

    @Override
    public Map<String, Value> fields() {
        Map<String, Value> fields = all;
        if (fields == null) {
            while (readName()) {
                // to the end
            }
            fields = LinkedHashMap.newLinkedHashMap(found);
            for (int i = 0; i < found; i++) {
                fields.putIfAbsent(name(i), value(i));
            }
            fields = readOnly(fields);
            all = fields;
        }
        return fields;
    }

    @Override
    public void write(JsonWriter out) {
        out.raw(text, start, end());
    }
}
