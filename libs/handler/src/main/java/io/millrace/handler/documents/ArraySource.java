package io.millrace.handler.documents;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.object.Shape;
import com.oracle.truffle.js.runtime.builtins.JSArrayObject;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Where an array of a document comes from. The engine reads the elements from this list until code changes the array;
 * then it takes all of them over and forgets the list.
 */
final class ArraySource extends AbstractList<Object> implements RandomAccess {
    private final Documents documents;
    final JsonIndex index;
    final int slot;
    private @Nullable JSArrayObject array;
    private @Nullable Shape shape;
    /** Where the elements lie in the index; empty until asked for. */
    private int[] slots = {};
    /** Decoded elements; null until asked for. */
    private @Nullable Object[] values = {};

    private @Nullable Layout lastLayout;

    ArraySource(Documents documents, JsonIndex index, int slot) {
        this.documents = documents;
        this.index = index;
        this.slot = slot;
    }

    void belongsTo(JSArrayObject owner) {
        array = owner;
        shape = owner.getShape();
    }

    JSArrayObject array() {
        return Objects.requireNonNull(array);
    }

    @Override
    public int size() {
        return index.count(slot);
    }

    @Override
    @TruffleBoundary
    public Object get(int element) {
        open();
        Object value = values[element];
        if (value == null) {
            value = documents.value(index, slots[element], lastLayout);
            values[element] = value;
            if (value instanceof ObjectSource object) {
                lastLayout = object.layout;
            }
        }
        return Documents.visible(value);
    }

    private void open() {
        int size = index.count(slot);
        if (slots.length == size) {
            return;
        }
        slots = new int[size];
        values = new Object[size];
        int child = index.firstChild(slot);
        for (int i = 0; i < size; i++) {
            slots[i] = child;
            child = index.next(child);
        }
    }

    /** Returns whether an array has the elements of the text and nothing else, though what they hold may differ. */
    boolean isAllOf(JSArrayObject candidate) {
        return candidate.getArray() == this
                && candidate.getShape() == shape
                && candidate.getPrototypeOf() == documents.arrayPrototype();
    }

    /** Returns whether the array and all that it holds are as in the text. */
    boolean untouched() {
        return isAllOf(array()) && elementsUntouched();
    }

    /** Returns whether what the elements hold is as in the text. */
    boolean elementsUntouched() {
        for (Object value : values) {
            if (value instanceof ObjectSource object && !object.untouched()
                    || value instanceof ArraySource below && !below.untouched()) {
                return false;
            }
        }
        return true;
    }

    /** Returns what an element of the text has been found to be, a scalar or a source; null when not decoded. */
    @Nullable
    Object known(int element) {
        return element < values.length ? values[element] : null;
    }

    int slotOf(int element) {
        open();
        return slots[element];
    }

    // the engine knows lists by identity
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
