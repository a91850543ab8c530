package io.millrace.eventing.delivery;

import io.millrace.documents.Document;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.eventing.runtime.FunctionSpec;

/** Selects the changes of the source bucket that a function handles. */
final class SourceFilter {

    private final Keyspace source;
    private final boolean anyScope;
    private final boolean anyCollection;
    private final String instance;

    SourceFilter(FunctionSpec spec) {
        this.source = spec.source().keyspace();
        this.anyScope = source.scope().equals(FunctionSpec.WILDCARD);
        this.anyCollection = source.collection().equals(FunctionSpec.WILDCARD);
        this.instance = spec.instance();
    }

    boolean inSource(Document document) {
        Keyspace keyspace = document.key().keyspace();
        return (anyScope || source.scope().equals(keyspace.scope()))
                && (anyCollection || source.collection().equals(keyspace.collection()));
    }

    /** Returns whether the function made this change itself. */
    boolean own(Document document) {
        Origin origin = document.origin();
        return origin != null && origin.instance().equals(instance);
    }
}
