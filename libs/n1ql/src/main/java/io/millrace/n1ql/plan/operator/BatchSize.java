package io.millrace.n1ql.plan.operator;

import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many documents are read at a time: batches of large ones would fill the memory, so the last batch decides on the next. */
public final class BatchSize {

    private static final long BATCH_BYTES = 4 << 20;

    private long most = Long.MAX_VALUE;

    /** Records a batch; an empty one, if there was no memory even for its first document. */
    public void met(List<@Nullable StoredDocument> documents) {
        if (documents.isEmpty()) {
            most = 1;
            return;
        }
        long bytes = 0;
        for (StoredDocument document : documents) {
            bytes += document == null ? 0 : document.body().length;
        }
        most = bytes == 0 ? Long.MAX_VALUE : Math.max(1, documents.size() * BATCH_BYTES / bytes);
    }

    /** Returns how many documents the next batch may have, at least 1. */
    public long most() {
        return most;
    }
}
