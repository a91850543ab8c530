package io.millrace.handler.documents;

import io.millrace.json.MalformedJson;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * An array or object of a document, as code sees it: a view on the document's bytes that decodes what is touched and
 * keeps what was assigned. When written, unchanged values keep their original bytes.
 */
public abstract sealed class DocumentNode permits DocumentObject, DocumentArray {
    static final String TO_JSON = "toJSON";

    final ScriptContext script;
    final JsonIndex index;
    final int slot;
    private final @Nullable DocumentNode parent;
    /** Whether this node or one below it differs from its bytes. */
    private boolean changed;

    private boolean writing;

    DocumentNode(ScriptContext script, JsonIndex index, int slot, @Nullable DocumentNode parent) {
        this.script = script;
        this.index = index;
        this.slot = slot;
        this.parent = parent;
    }

    /** Returns what code gets for a JSON text: a node, or the value itself when it is a scalar. */
    public static Object read(ScriptContext script, byte[] text) throws MalformedJson {
        return decode(script, JsonIndex.of(text), 0, null);
    }

    private static Object decode(ScriptContext script, JsonIndex index, int slot, @Nullable DocumentNode parent) {
        return switch (index.kind(slot)) {
            case JsonIndex.NULL -> script.nullValue();
            case JsonIndex.TRUE -> Boolean.TRUE;
            case JsonIndex.FALSE -> Boolean.FALSE;
            case JsonIndex.SMALL_INTEGER -> JsonText.smallInteger(index, slot);
            case JsonIndex.NUMBER -> JsonText.number(index, slot);
            case JsonIndex.ARRAY -> new DocumentArray(script, index, slot, parent);
            case JsonIndex.OBJECT -> new DocumentObject(script, index, slot, parent);
            default -> JsonText.string(index, slot);
        };
    }

    final Object decode(int childSlot) {
        return decode(script, index, childSlot, this);
    }

    final void markChanged() {
        for (var node = this; node != null && !node.changed; node = node.parent) {
            node.changed = true;
        }
    }

    /** Returns a writer with room for what {@link #stored} returned. */
    public static JsonWriter writerFor(Object stored) {
        return new JsonWriter(stored instanceof DocumentNode node ? node.index.text.length : 0);
    }

    /** Returns what stands for an assigned value: a Java scalar, a node, or the value itself. */
    public static Object stored(Value value) {
        if (value.isString()) {
            return value.asString();
        }
        if (value.isNumber()) {
            return value.fitsInInt()
                    ? (Object) value.asInt()
                    : value.fitsInDouble() ? (Object) value.asDouble() : value;
        }
        if (value.isBoolean()) {
            return value.asBoolean();
        }
        if (value.isProxyObject() && value.asProxyObject() instanceof DocumentNode node) {
            return node;
        }
        return value;
    }

    /**
     * Writes this node as JSON.
     *
     * @param compact leaves out white space between tokens
     */
    public final void write(JsonWriter out, boolean compact) {
        if (!changed) {
            writeOriginal(out, slot, compact);
            return;
        }
        if (writing) {
            throw script.raise("TypeError", "Converting circular structure to JSON");
        }
        writing = true;
        try {
            writeChanged(out, compact);
        } finally {
            writing = false;
        }
    }

    /** Returns whether the engine asks for the method by which a view keeps its bytes in JSON.stringify. */
    final boolean isMarker(String key) {
        return script.stringifying() && key.equals(TO_JSON);
    }

    abstract void writeChanged(JsonWriter out, boolean compact);

    /**
     * Writes an element's or member's value.
     *
     * @param value what was decoded or assigned, null for neither
     * @param valueSlot its place in the index, negative when it was assigned
     * @return false when nothing was written because JSON has no such value
     */
    final boolean writeValue(@Nullable Object value, int valueSlot, JsonWriter out, boolean compact) {
        if (valueSlot < 0) {
            return value != null && writeStored(script, value, out, compact);
        }
        if (value instanceof DocumentNode node) {
            node.write(out, compact);
        } else {
            writeOriginal(out, valueSlot, compact);
        }
        return true;
    }

    /** Writes what {@link #stored} returned; returns false, having written nothing, when JSON has no such value. */
    public static boolean writeStored(ScriptContext script, Object value, JsonWriter out, boolean compact) {
        switch (value) {
            case String text -> out.string(text);
            case Integer number -> out.ascii(number.toString());
            case Double number -> out.number(number);
            case Boolean truth -> out.ascii(truth.toString());
            case DocumentNode node -> node.write(out, compact);
            case Value other -> {
                return script.stringify(other, out, compact);
            }
            default -> throw new IllegalStateException("no stored value: " + value.getClass());
        }
        return true;
    }

    final void writeOriginal(JsonWriter out, int at, boolean compact) {
        if (!compact || !index.spaced() || index.kind(at) < JsonIndex.ARRAY) {
            out.raw(index.text, index.start(at), index.end(at));
            return;
        }
        boolean object = index.kind(at) == JsonIndex.OBJECT;
        out.raw(object ? '{' : '[');
        int child = index.firstChild(at);
        for (int i = 0; i < index.count(at); i++) {
            if (i > 0) {
                out.raw(',');
            }
            if (object) {
                out.raw(index.text, index.start(child), index.end(child));
                out.raw(':');
                child = index.next(child);
            }
            writeOriginal(out, child, true);
            child = index.next(child);
        }
        out.raw(object ? '}' : ']');
    }
}
