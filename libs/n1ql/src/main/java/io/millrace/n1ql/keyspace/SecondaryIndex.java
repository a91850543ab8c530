package io.millrace.n1ql.keyspace;

import java.util.List;

/**
 * An index and the entries that a store keeps for it. To a store, entries are opaque bytes in byte order.
 */
public record SecondaryIndex(IndexDefinition definition, Entries entries) {

    /** Computes the entries of a document. */
    public interface Entries {

        /**
         * Returns the entries, which are empty if the index does not have the document; documents never share an entry.
         */
        List<byte[]> of(StoredDocument document);
    }
}
