package io.millrace.couch.document;

import io.millrace.documents.Document;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents in the order of their ids, some of them ahead. How many depends on the size of the latest ones, so that
 * a listing of photographs holds no more memory than one of short texts.
 */
final class ReadAhead {

    private static final int MAX_DOCUMENTS = 8;
    private static final long MAX_BYTES = 1024 * 1024;

    private record Pending(String id, CompletableFuture<Optional<Document>> answer) {}

    private final CouchDatabase database;
    private final Iterator<String> ids;
    private final boolean bodies;
    private final Queue<Pending> pending = new ArrayDeque<>();
    private long expectedBytes = MAX_BYTES / MAX_DOCUMENTS;

    /** @param bodies whether the bodies of the documents are wanted, too */
    ReadAhead(CouchDatabase database, Iterator<String> ids, boolean bodies) {
        this.database = database;
        this.ids = ids;
        this.bodies = bodies;
    }

    /** Returns the next document, which has no revisions if it was never written, or null behind the last id. Blocks. */
    @Nullable
    CouchDocument next() {
        long room = Math.max(1, Math.min(MAX_DOCUMENTS, MAX_BYTES / expectedBytes));
        while (pending.size() < room && ids.hasNext()) {
            String id = ids.next();
            Writer documents = database.documents();
            pending.add(new Pending(id, bodies ? documents.ask(id) : documents.askForMetadata(id)));
        }
        Pending first = pending.poll();
        if (first == null) {
            return null;
        }
        Document found = StoreCalls.of(first.answer()).orElse(null);
        long bytes = found == null ? 1 : Math.max(1, found.body().length);
        expectedBytes = Math.max(bytes, expectedBytes / 2 + bytes / 2);
        return database.documents().document(first.id(), found);
    }
}
