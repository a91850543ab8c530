package io.millrace.n1ql.keyspace;

import java.util.List;

/**
 * An index with what a store has to keep in it. A store orders entries by their bytes and knows nothing else of them.
 */
public record SecondaryIndex(IndexDefinition definition, Entries entries) {

    /** Makes the entries of a document. */
    public interface Entries {

        /** Returns them, none when the document is not in the index; no entry is another document's as well. */
        List<byte[]> of(StoredDocument document);
    }
}
