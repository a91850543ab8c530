package io.millrace.handler.documents;

import com.oracle.truffle.api.object.Shape;
import com.oracle.truffle.api.strings.TruffleString;
import com.oracle.truffle.js.runtime.objects.JSDynamicObject;
import com.oracle.truffle.js.runtime.objects.JSObject;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names of an object's members in the order of the text, and the engine's shape for objects that have them. Objects
 * with the same names, spelt the same way, share one.
 */
final class Layout {
    /** The names as they are spelt, with their quotes, one after the other. */
    private final byte[] names;
    /** Where each name ends. */
    private final int[] ends;
    /** From a name's place in the text to the member; the last one of several equal names gives the value. */
    private final int[] members;
    /** From the member to the place in the text from which its name is taken. */
    private final int[] places;

    final Shape shape;
    /** The names of objects that had this layout first, for the shape that was written last. */
    private Names latest;
    /** What each member's own layout was the last time, because it will often be that again. */
    final @Nullable Layout[] below;

    Layout(byte[] names, int[] ends, int[] members, int[] places, TruffleString[] keys, Shape shape) {
        this.names = names;
        this.ends = ends;
        this.members = members;
        this.places = places;
        this.shape = shape;
        this.latest = Names.of(shape, List.of(keys));
        this.below = new Layout[places.length];
    }

    /** Returns whether an object in an index has exactly these names. */
    boolean fits(JsonIndex index, int slot) {
        int count = ends.length;
        if (index.count(slot) != count) {
            return false;
        }
        byte[] text = index.text;
        int child = index.firstChild(slot);
        int from = 0;
        for (int i = 0; i < count; i++) {
            int start = index.start(child);
            int end = index.end(child);
            int to = ends[i];
            if (end - start != to - from || !Arrays.equals(text, start, end, names, from, to)) {
                return false;
            }
            from = to;
            child = index.next(child + 2);
        }
        return true;
    }

    /** Returns where the values of an object's members lie in an index. */
    int[] valueSlots(JsonIndex index, int slot) {
        var slots = new int[places.length];
        int child = index.firstChild(slot);
        for (int member : members) {
            slots[member] = child + 2;
            child = index.next(child + 2);
        }
        return slots;
    }

    /** Returns the enumerable names of an object that has had this layout. */
    Names namesOf(JSDynamicObject object) {
        if (!latest.areOf(object)) {
            latest = Names.of(object.getShape(), JSObject.enumerableOwnNames(object));
        }
        return latest;
    }

    /**
     * The enumerable names of objects of a shape.
     *
     * @param members what each is in the text, {@link Member#NONE} for one that code has defined
     */
    record Names(Shape shape, List<TruffleString> keys, int[] members) {

        static Names of(Shape shape, List<TruffleString> keys) {
            return new Names(
                    shape,
                    keys,
                    keys.stream().mapToInt(key -> Member.numberOf(shape, key)).toArray());
        }

        boolean areOf(JSDynamicObject object) {
            return object.getShape() == shape;
        }
    }

    int size() {
        return places.length;
    }

    /** Writes a member's name as it was spelt. */
    void writeName(int member, JsonWriter out) {
        int place = places[member];
        out.raw(names, place == 0 ? 0 : ends[place - 1], ends[place]);
    }
}
