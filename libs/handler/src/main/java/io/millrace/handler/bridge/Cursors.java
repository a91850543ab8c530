package io.millrace.handler.bridge;

import io.millrace.handler.HandlerLimits;
import io.millrace.handler.host.QueryCall;
import io.millrace.handler.host.QueryCall.QueryRows;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyObject;

/**
 * The open results of one thread's statements. A result whose loop was left can be read on until its slot is needed for
 * another one; a result that the code no longer references is found by a garbage collection.
 */
final class Cursors {

    /** What code holds of a result; it can do nothing with it but hand it back. */
    static final class Handle implements ProxyObject {
        private final Cursor cursor;

        private Handle(Cursor cursor) {
            this.cursor = cursor;
        }

        Cursor cursor() {
            return cursor;
        }

        @Override
        public Object getMember(String key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object getMemberKeys() {
            return new Object[0];
        }

        @Override
        public boolean hasMember(String key) {
            return false;
        }

        @Override
        public void putMember(String key, Value value) {
            throw new UnsupportedOperationException();
        }
    }

    /** One result. */
    static final class Cursor {
        private final QueryRows rows;
        private final QueryCall.Service service;
        private WeakReference<Handle> handle = new WeakReference<>(null);
        private boolean left;
        private boolean closed;

        private Cursor(QueryRows rows, QueryCall.Service service) {
            this.rows = rows;
            this.service = service;
        }

        QueryRows rows() {
            return rows;
        }

        QueryCall.Service service() {
            return service;
        }

        boolean isClosed() {
            return closed;
        }
    }

    private final int limit;
    private final Set<Cursor> open = new HashSet<>();
    private int searches;

    /** @param limit how many results may be open */
    Cursors(int limit) {
        this.limit = limit;
    }

    /** Returns whether one more result may be opened; closes results that are not being read to make room for it. */
    boolean makeRoom() {
        if (open.size() >= limit) {
            close(cursor -> cursor.left);
        }
        if (open.size() >= limit && searches < HandlerLimits.LOST_CURSOR_SEARCHES) {
            searches++;
            System.gc();
            close(cursor -> cursor.handle.get() == null);
        }
        return open.size() < limit;
    }

    Handle open(QueryRows rows, QueryCall.Service service) {
        var cursor = new Cursor(rows, service);
        var handle = new Handle(cursor);
        cursor.handle = new WeakReference<>(handle);
        if (rows.isEmpty()) {
            close(cursor);
        } else {
            open.add(cursor);
        }
        return handle;
    }

    /** Notes whether a loop reads the result. */
    void read(Cursor cursor, boolean byLoop) {
        cursor.left = !byLoop;
    }

    void close(Cursor cursor) {
        if (!cursor.closed) {
            cursor.closed = true;
            open.remove(cursor);
            cursor.rows.close();
        }
    }

    /** Closes the results that the ending invocation left open. */
    void closeAll() {
        searches = 0;
        if (!open.isEmpty()) {
            close(cursor -> true);
        }
    }

    private void close(Predicate<Cursor> which) {
        List<Cursor> closing = new ArrayList<>(open);
        closing.stream().filter(which).forEach(this::close);
    }
}
