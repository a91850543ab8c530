package io.millrace.couch.document;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Limits;
import io.millrace.documents.ReadRoom;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents in the order of their ids, some of them ahead. How many depends on the size of the latest ones, so that
 * a listing of photographs holds no more memory than one of short texts. Large ones count as memory of the process from when
 * they are read until the next one is taken: the client has then taken what was made of them, or it counts itself. One thread
 * takes documents; any thread may close.
 */
public final class ReadAhead implements AutoCloseable {

    private static final int MAX_DOCUMENTS = 8;
    private static final long MAX_BYTES = 1024 * 1024;

    private record Pending(String id, CompletableFuture<Optional<Document>> answer) {}

    private final CouchDatabase database;
    private final Iterator<String> ids;
    private final boolean bodies;
    private final ReadRoom room;
    private final Queue<Pending> pending = new ArrayDeque<>();

    /** One document at first: they may be of any size. */
    private long expectedBytes = MAX_BYTES;

    private long latest;
    private long held;
    private boolean closed;

    /** @param bodies whether the bodies of the documents are wanted, too */
    public ReadAhead(CouchDatabase database, Iterator<String> ids, boolean bodies, ReadRoom room) {
        this.database = database;
        this.ids = ids;
        this.bodies = bodies;
        this.room = room;
    }

    /** Returns the next document, which has no revisions if it was never written, or null behind the last id. Blocks. */
    public @Nullable CouchDocument next() {
        give(latest);
        latest = 0;
        long most = bodies ? Math.max(1, Math.min(MAX_DOCUMENTS, MAX_BYTES / expectedBytes)) : MAX_DOCUMENTS;
        while (pending.size() < most && ids.hasNext()) {
            String id = ids.next();
            pending.add(new Pending(id, ask(id)));
        }
        Pending first = pending.poll();
        if (first == null) {
            return null;
        }
        Document found = answer(first).orElse(null);
        latest = counted(found);
        long bytes = found == null ? 1 : Math.max(1, found.body().length);
        expectedBytes = Math.max(bytes, expectedBytes / 2 + bytes / 2);
        return database.documents().document(first.id(), found);
    }

    /** Counts bytes that were added to what is made of the latest document, until the next one is taken. */
    public void count(long bytes) {
        hold(bytes);
        latest += bytes;
    }

    private CompletableFuture<Optional<Document>> ask(String id) {
        Writer documents = database.documents();
        return bodies
                ? documents.ask(id).thenApply(found -> {
                    hold(counted(found.orElse(null))); // the store ends its reservation next
                    return found;
                })
                : documents.askForMetadata(id);
    }

    private Optional<Document> answer(Pending first) {
        try {
            return StoreCalls.found(first.answer());
        } catch (DocumentsException e) {
            if (e.code() != DocumentsException.Code.OVERLOADED) {
                throw e;
            }
            return StoreCalls.found(ask(first.id())); // those before it may have had the room
        }
    }

    private static long counted(@Nullable Document found) {
        long bytes = found == null ? 0 : found.body().length;
        return bytes > Limits.UNASKED_READ_BYTES ? bytes : 0;
    }

    private synchronized void hold(long bytes) {
        if (!closed) {
            held += bytes;
            room.hold(bytes);
        }
    }

    private synchronized void give(long bytes) {
        if (!closed && bytes > 0) {
            held -= bytes;
            room.give(bytes);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            room.give(held);
        }
    }
}
