package io.millrace.n1ql.runtime;

import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which fields that a statement asks for were in a document that it read. A field is a bit, so that to look costs next to nothing;
 * fields may share a bit, and then a mistake in one of them may be overlooked. Used by the thread that runs the statement.
 */
public final class FieldSightings {

    /** The names of so many documents without a field are remembered. */
    private static final int REMEMBERED = 16;

    private long found;
    private long full;
    private final Map<Long, Names> missed = new HashMap<>();

    private static final class Names {
        private final Set<String> all = new LinkedHashSet<>();
        private int documents;
    }

    /** Returns the bit of a field of the term in a slot. */
    public static long bit(int block, int slot, String field) {
        int hash = (field.hashCode() * 31 + slot) * 31 + block;
        return 1L << (hash ^ hash >>> 16);
    }

    /** Records what a field of a value is. */
    public void look(long bit, Value owner, Value value) {
        if (!value.isMissing()) {
            found |= bit;
        } else if (((found | full) & bit) == 0 && owner instanceof ObjectValue object) {
            remember(bit, object);
        }
    }

    private void remember(long bit, ObjectValue object) {
        Names names = missed.computeIfAbsent(bit, first -> new Names());
        names.all.addAll(object.fields().keySet());
        if (++names.documents >= REMEMBERED) {
            full |= bit;
        }
    }

    /** Returns names of fields next to which a field was looked for and never found; empty if it was found or not looked for. */
    public Set<String> insteadOf(long bit) {
        Names names = (found & bit) == 0 ? missed.get(bit) : null;
        return names == null ? Set.of() : names.all;
    }
}
