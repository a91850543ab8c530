package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Fetched;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.runtime.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** All documents of some keys; they count as memory of the process until this is closed. */
public final class Fetches implements AutoCloseable {

    private final List<Fetched> parts = new ArrayList<>();
    private final List<@Nullable StoredDocument> documents = new ArrayList<>();

    private final Execution execution;
    private final Runnable ending = this::close;

    private Fetches(Execution execution) {
        this.execution = execution;
        execution.closeAtEnd(ending);
    }

    /**
     * Waits for the documents with these keys, in as many parts as there is memory for at a time.
     *
     * @throws QueryException also if there is no memory for the next document in time
     */
    public static Fetches of(Keyspace keyspace, List<String> keys, Execution execution) {
        Fetches fetches = new Fetches(execution);
        try {
            while (fetches.documents.size() < keys.size()) {
                fetches.add(execution.await(own(keyspace.fetch(keys.subList(fetches.documents.size(), keys.size())))));
            }
            return fetches;
        } catch (RuntimeException e) {
            fetches.close();
            throw e;
        }
    }

    /** Returns a future that closes the documents if they come after the statement has stopped waiting. */
    private static CompletableFuture<Fetched> own(CompletableFuture<Fetched> source) {
        CompletableFuture<Fetched> own = new CompletableFuture<>();
        source.whenComplete((found, failure) -> {
            if (failure != null) {
                own.completeExceptionally(failure);
            } else if (!own.complete(found)) {
                found.close();
            }
        });
        return own;
    }

    private void add(Fetched part) {
        parts.add(part);
        documents.addAll(part.documents());
        QueryException shortage = part.shortage();
        if (shortage != null && part.documents().isEmpty()) {
            throw shortage;
        }
    }

    /** Returns the documents in the order of their keys; null for a key without one. */
    public List<@Nullable StoredDocument> documents() {
        return documents;
    }

    @Override
    public void close() {
        parts.forEach(Fetched::close);
        parts.clear();
        execution.closed(ending);
    }
}
