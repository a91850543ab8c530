package io.millrace.n1ql.keyspace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An index of a keyspace.
 *
 * @param primary whether it is the primary index, the keys of all documents
 * @param keys what is indexed, as expressions of the language over a document; the first must not be MISSING
 * @param where which documents are indexed, as an expression, or null for all
 * @param online whether it is complete; others are not used
 */
public record IndexDefinition(
        String name,
        boolean primary,
        List<Key> keys,
        @Nullable String where,
        boolean online) {

    /** The name of a primary index that was created without one. */
    public static final String PRIMARY_NAME = "#primary";

    /** @param text the expression, as text */
    public record Key(String text, boolean descending) {}

    public static IndexDefinition primary(String name) {
        return new IndexDefinition(name, true, List.of(), null, true);
    }
}
