package io.millrace.n1ql.value;

import io.millrace.json.JsonSkip;
import org.jspecify.annotations.Nullable;

/**
 * Where the fields of an object are in its text, so that documents which are read again and again are not searched each time.
 * Immutable.
 */
public final class FieldPlaces {

    /** What this takes besides its numbers, in bytes. */
    private static final int OVERHEAD = 48;

    /** For each field: start and end of its name, including quotation marks, and start of its value. */
    final int[] places;

    /** The position behind the closing brace. */
    final int end;

    FieldPlaces(int[] places, int end) {
        this.places = places;
        this.end = end;
    }

    /** Returns the places in a text that is known to be JSON; null if it is not an object. */
    public static @Nullable FieldPlaces of(byte[] text) {
        int start = JsonSkip.blanks(text, 0, text.length);
        return start < text.length && text[start] == '{' ? new JsonObject(text, start).places() : null;
    }

    /** Returns how many bytes of heap this takes, about. */
    public long heldBytes() {
        return OVERHEAD + (long) places.length * Integer.BYTES;
    }
}
