package io.millrace.handler.documents;

import com.oracle.truffle.js.runtime.objects.JSObject;
import org.jspecify.annotations.Nullable;

/** Where an object of a document comes from, and which of its members have been decoded or assigned. */
final class ObjectSource {
    private static final int ASSIGNED = -1;

    private final Documents documents;
    final JsonIndex index;
    final int slot;
    final Layout layout;
    final JSObject object;
    /** Where the values lie in the index; ASSIGNED for one that code has set. */
    private final int[] valueSlots;
    /** Decoded or assigned values; null until asked for. */
    private final @Nullable Object[] values;

    private boolean assigned;

    ObjectSource(Documents documents, JsonIndex index, int slot, Layout layout, JSObject object) {
        this.documents = documents;
        this.index = index;
        this.slot = slot;
        this.layout = layout;
        this.object = object;
        this.valueSlots = layout.valueSlots(index, slot);
        this.values = new Object[valueSlots.length];
    }

    Object get(int member) {
        Object value = values[member];
        if (value == null) {
            value = documents.value(index, valueSlots[member], layout.below[member]);
            values[member] = value;
            if (value instanceof ObjectSource below) {
                layout.below[member] = below.layout;
            }
        }
        return Documents.visible(value);
    }

    void set(int member, Object value) {
        valueSlots[member] = ASSIGNED;
        values[member] = value;
        assigned = true;
    }

    /** Returns what a member has been found to be, a scalar or a source; null when it has not been decoded. */
    @Nullable
    Object known(int member) {
        return values[member];
    }

    /** Returns where a member's value lies in the index, negative when code has assigned it. */
    int valueSlot(int member) {
        return valueSlots[member];
    }

    /** Returns whether the object has the members of the text and no others to inherit, though their values may differ. */
    boolean hasItsMembers() {
        return object.getShape() == layout.shape && object.getPrototypeOf() == documents.objectPrototype();
    }

    /** Returns whether the object and all that it holds are as in the text. */
    boolean untouched() {
        if (assigned || !hasItsMembers()) {
            return false;
        }
        for (Object value : values) {
            if (value instanceof ObjectSource below && !below.untouched()
                    || value instanceof ArraySource array && !array.untouched()) {
                return false;
            }
        }
        return true;
    }
}
