package io.millrace.couch.feed;

import io.millrace.couch.document.CouchDocument;
import io.millrace.couch.document.Leaf;

/** Decides which revisions a changes feed shows. */
interface Filter extends AutoCloseable {

    Filter ALL = new Filter() {
        @Override
        public boolean passes(CouchDocument document, Leaf leaf) {
            return true;
        }

        @Override
        public boolean readsBodies() {
            return false;
        }
    };

    boolean passes(CouchDocument document, Leaf leaf);

    /** Returns whether the filter needs the bodies of documents. */
    default boolean readsBodies() {
        return true;
    }

    @Override
    default void close() {}
}
