package io.millrace.n1ql.plan.operator;

import org.jspecify.annotations.Nullable;

/** A cursor over the items of another one, which differs from that in what a subclass overrides. */
public abstract class ForwardingCursor<T> implements Cursor<T> {

    private final Cursor<T> rows;

    protected ForwardingCursor(Cursor<T> rows) {
        this.rows = rows;
    }

    @Override
    public @Nullable T next() {
        return rows.next();
    }

    @Override
    public boolean ready() {
        return rows.ready();
    }

    @Override
    public boolean ordered() {
        return rows.ordered();
    }

    @Override
    public void close() {
        rows.close();
    }
}
