package io.millrace.subdocservice.http;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.forwarding.ForwardingDocumentStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A store whose writes are followed as {@link FollowedWork} does; all else is that of the store. */
final class FollowedStore extends ForwardingDocumentStore {

    private final DocumentStore store;
    private final FollowedWork work;

    FollowedStore(DocumentStore store, FollowedWork work) {
        this.store = store;
        this.work = work;
    }

    @Override
    protected DocumentStore behind() {
        return store;
    }

    @Override
    public CompletableFuture<WriteResult> write(Write write) {
        return work.write(store, write);
    }

    @Override
    public CompletableFuture<AtomicResult> writeAtomically(List<Write> writes) {
        return work.writeAtomically(store, writes);
    }
}
