package io.millrace.couch.feed;

import io.millrace.couch.document.CouchDatabase;
import io.millrace.couch.document.CouchDocument;
import io.millrace.couch.document.ReadAhead;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Mutation;
import io.millrace.documents.ReadRoom;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The changes of one page that belong to a database, with their documents, whose bodies are read as the client takes rows. */
final class ChangedRows implements AutoCloseable {

    private final CouchDatabase database;
    private final ChangePage page;

    /** The newest number of the database before the page was read. */
    private final long high;

    private final Iterator<Mutation> mutations;
    private final @Nullable ReadAhead documents;

    /** One row: its place, and the document as it is now. */
    record Row(long seqno, CouchDocument document) {}

    /** @param bodies whether the bodies of the documents are wanted, too */
    ChangedRows(
            CouchDatabase database,
            ChangePage page,
            long high,
            boolean bodies,
            @Nullable Instant newerThan,
            ReadRoom room) {
        this.database = database;
        this.page = page;
        this.high = high;
        List<Mutation> wanted = page.mutations().stream()
                .filter(mutation -> database.owns(mutation.document()))
                .filter(mutation ->
                        newerThan == null || !mutation.document().modified().isBefore(newerThan))
                .toList();
        this.mutations = wanted.iterator();
        this.documents = bodies
                ? new ReadAhead(
                        database,
                        wanted.stream()
                                .map(mutation -> mutation.document().key().id())
                                .iterator(),
                        true,
                        room)
                : null;
    }

    /** Returns the next row, or null behind the last one. Blocks. */
    @Nullable
    Row next() {
        if (!mutations.hasNext()) {
            return null;
        }
        Mutation mutation = mutations.next();
        CouchDocument read = documents == null ? null : documents.next();
        return new Row(mutation.seqno(), read == null ? database.document(mutation.document()) : read);
    }

    /** Counts bytes that are added to the document of the latest row, as {@link ReadAhead#count} does. */
    void count(long bytes) {
        if (documents != null) {
            documents.count(bytes);
        }
    }

    boolean hasNext() {
        return mutations.hasNext();
    }

    /** Returns whether there may be further pages. */
    boolean more() {
        return page.more();
    }

    /** Returns where the next page begins. */
    long position() {
        return page.position();
    }

    /** Returns up to which number there is nothing but the rows of this page and those before it. */
    long reached() {
        return page.more() ? page.position() : Math.max(high, page.position());
    }

    @Override
    public void close() {
        if (documents != null) {
            documents.close();
        }
    }
}
