package io.millrace.subdocservice.http;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentStore.AtomicResult;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * Follows the changes of work that does not know the request which it is done for, such as a statement: they belong to the request
 * that the thread works for when they are made. Thread-safe.
 */
public final class FollowedWork {

    private final HttpTraces traces;
    private final ThreadLocal<@Nullable ServerRequest> present = new ThreadLocal<>();

    public FollowedWork(HttpTraces traces) {
        this.traces = traces;
    }

    /** Returns the store for the work; buckets of the system, which a handle opens, are not followed. */
    public DocumentStore followed(DocumentStore store) {
        return new FollowedStore(store, this);
    }

    CompletableFuture<WriteResult> write(DocumentStore store, Write write) {
        ServerRequest request = present.get();
        return request == null ? store.write(write) : traces.write(request, store, write);
    }

    CompletableFuture<AtomicResult> writeAtomically(DocumentStore store, List<Write> writes) {
        ServerRequest request = present.get();
        return request == null ? store.writeAtomically(writes) : traces.writeAtomically(request, store, writes);
    }

    /** Works for a request on the calling thread. */
    public <T> T during(ServerRequest request, Supplier<T> work) {
        present.set(request);
        try {
            return work.get();
        } finally {
            present.remove();
        }
    }
}
