package io.millrace.handler.documents;

import io.millrace.handler.HandlerLimits;
import java.util.Arrays;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/** An array of a document. */
final class DocumentArray extends DocumentNode implements ProxyArray, ProxyObject {
    /** The slot of an element that was assigned and is therefore not in the index. */
    private static final int ASSIGNED = -1;

    private int size = -1;
    private int[] slots = new int[0];
    /** Decoded or assigned elements; null until asked for. */
    private @Nullable Object[] values = new Object[0];

    DocumentArray(ScriptContext script, JsonIndex index, int slot, @Nullable DocumentNode parent) {
        super(script, index, slot, parent);
    }

    @Override
    public Object get(long at) {
        open();
        if (at < 0 || at >= size) {
            throw new NoSuchElement();
        }
        int i = (int) at;
        Object value = values[i];
        if (value == null) {
            value = decode(slots[i]);
            values[i] = value;
        }
        return value;
    }

    @Override
    public void set(long at, Value value) {
        open();
        if (at < 0 || at >= HandlerLimits.DOCUMENT_ARRAY_ELEMENTS) {
            throw script.raise(
                    "RangeError",
                    "An array of a document has at most " + HandlerLimits.DOCUMENT_ARRAY_ELEMENTS + " elements");
        }
        int i = (int) at;
        if (i >= size) {
            grow(i + 1);
        }
        slots[i] = ASSIGNED;
        values[i] = stored(value);
        markChanged();
    }

    @Override
    public boolean remove(long at) {
        open();
        if (at < 0 || at >= size) {
            return false;
        }
        int i = (int) at;
        System.arraycopy(slots, i + 1, slots, i, size - i - 1);
        System.arraycopy(values, i + 1, values, i, size - i - 1);
        values[--size] = null;
        markChanged();
        return true;
    }

    @Override
    public long getSize() {
        return size >= 0 ? size : index.count(slot);
    }

    @Override
    public boolean hasMember(String key) {
        return isMarker(key);
    }

    @Override
    public Object getMember(String key) {
        return script.marker(this);
    }

    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromArray();
    }

    @Override
    public void putMember(String key, Value value) {
        throw new UnsupportedOperationException("an array of a document has only elements");
    }

    @Override
    void writeChanged(JsonWriter out, boolean compact) {
        open();
        out.raw('[');
        for (int i = 0; i < size; i++) {
            if (i > 0) {
                out.raw(',');
            }
            if (!writeValue(values[i], slots[i], out, compact)) {
                out.ascii("null");
            }
        }
        out.raw(']');
    }

    /** Reads the positions of the elements on first use. */
    private void open() {
        if (size >= 0) {
            return;
        }
        size = index.count(slot);
        slots = new int[size];
        values = new Object[size];
        int child = index.firstChild(slot);
        for (int i = 0; i < size; i++) {
            slots[i] = child;
            child = index.next(child);
        }
    }

    @Override
    public String toString() {
        return "Array"; // appears in the engine's messages
    }

    private void grow(int newSize) {
        if (newSize > values.length) {
            int capacity = Math.max(newSize, values.length + (values.length >> 1) + 4);
            slots = Arrays.copyOf(slots, capacity);
            values = Arrays.copyOf(values, capacity);
        }
        Arrays.fill(slots, size, newSize, ASSIGNED);
        Arrays.fill(values, size, newSize, script.undefined());
        size = newSize;
    }

    /** What the engine expects for an index out of range; without a stack trace, because it is a common result. */
    private static final class NoSuchElement extends ArrayIndexOutOfBoundsException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
