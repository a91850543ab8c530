package io.millrace.n1ql.keyspace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An index of a keyspace.
 *
 * @param primary whether it is the primary index, the keys of all documents
 * @param keys what is indexed, as expressions of the language over a document; the first must not be MISSING
 * @param where which documents are indexed, as an expression, or null for all
 */
public record IndexDefinition(
        String name,
        boolean primary,
        List<Key> keys,
        @Nullable String where,
        State state) {

    /** The name of a primary index that was created without a name. */
    public static final String PRIMARY_NAME = "#primary";

    /** The state of an index. Queries use indexes that are online. */
    public enum State {
        /** Waits for BUILD INDEX. */
        DEFERRED,
        BUILDING,
        ONLINE
    }

    /**
     * @param text the expression, as text
     * @param each whether the value is an array whose elements are indexed individually
     */
    public record Key(String text, boolean descending, boolean each) {}

    public static IndexDefinition primary(String name) {
        return new IndexDefinition(name, true, List.of(), null, State.ONLINE);
    }

    public boolean online() {
        return state == State.ONLINE;
    }

    public IndexDefinition in(State other) {
        return new IndexDefinition(name, primary, keys, where, other);
    }
}
