package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Documents that were read. What they take counts as memory of the process until they are closed; documents that are used
 * longer are counted by the operator that keeps them. Closed by one thread.
 */
public final class Fetched implements AutoCloseable {

    /** No documents. */
    public static final Fetched NONE = new Fetched(List.of(), null, () -> {});

    private final List<@Nullable StoredDocument> documents;
    private final @Nullable QueryException shortage;
    private final Runnable release;
    private boolean closed;

    private Fetched(List<@Nullable StoredDocument> documents, @Nullable QueryException shortage, Runnable release) {
        this.documents = documents;
        this.shortage = shortage;
        this.release = release;
    }

    /** Documents that do not count. */
    public static Fetched of(List<@Nullable StoredDocument> documents) {
        return new Fetched(documents, null, () -> {});
    }

    /**
     * Documents that count.
     *
     * @param shortage why there are fewer than were asked for, null if there are not
     * @param release ends their counting
     */
    public static Fetched counted(
            List<@Nullable StoredDocument> documents, @Nullable QueryException shortage, Runnable release) {
        return new Fetched(documents, shortage, release);
    }

    /** Returns the documents in the order of their keys; null for a key without one. */
    public List<@Nullable StoredDocument> documents() {
        return documents;
    }

    /** Returns why the documents of the last keys are missing, or null if none are. They may be asked for again. */
    public @Nullable QueryException shortage() {
        return shortage;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            release.run();
        }
    }
}
