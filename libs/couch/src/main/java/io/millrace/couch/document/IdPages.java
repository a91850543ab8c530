package io.millrace.couch.document;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** The ids of living documents of a range, read page by page. */
final class IdPages implements Iterator<String> {

    static final int PAGE_IDS = 200;

    private final DocumentStore store;
    private final Keyspace keyspace;
    private final boolean descending;
    private final int pageIds;
    private IdRange rest;
    private Iterator<String> page;
    private boolean last;

    IdPages(DocumentStore store, Keyspace keyspace, IdRange range, boolean descending) {
        this(store, keyspace, range, descending, PAGE_IDS);
    }

    /** @param pageIds how many ids are read at a time, for a caller that wants few; at least 1 */
    IdPages(DocumentStore store, Keyspace keyspace, IdRange range, boolean descending, int pageIds) {
        this.pageIds = pageIds;
        this.store = store;
        this.keyspace = keyspace;
        this.descending = descending;
        this.rest = range;
        this.page = read();
    }

    private Iterator<String> read() {
        List<String> ids = StoreCalls.of(
                descending ? store.idsDescending(keyspace, rest, pageIds) : store.ids(keyspace, rest, pageIds));
        last = ids.size() < pageIds;
        if (!last) {
            rest = descending ? rest.before(ids.getLast()) : rest.after(ids.getLast());
        }
        return ids.iterator();
    }

    @Override
    public boolean hasNext() {
        if (!page.hasNext() && !last) {
            page = read();
        }
        return page.hasNext();
    }

    @Override
    public String next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.next();
    }
}
