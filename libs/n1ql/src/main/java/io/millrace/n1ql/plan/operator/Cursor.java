package io.millrace.n1ql.plan.operator;

import org.jspecify.annotations.Nullable;

/** Returns items one at a time. Used by one thread. */
public interface Cursor<T> extends AutoCloseable {

    /** Returns the next item, or null at the end; must not be called after that. */
    @Nullable
    T next();

    /**
     * Returns whether {@link #next} can answer from memory, without waiting for the store and without long work. False
     * if that is not known.
     */
    default boolean ready() {
        return false;
    }

    /**
     * Returns whether the items come in the order that the query wants, so that they need not be sorted. That may end: the
     * last item and the ones after it belong behind all before it, in any order among themselves.
     */
    default boolean ordered() {
        return false;
    }

    /** Declares that the rows of a cursor come in the order that the query wants. */
    static <T> Cursor<T> inOrder(Cursor<T> rows) {
        return new ForwardingCursor<>(rows) {
            @Override
            public boolean ordered() {
                return true;
            }
        };
    }

    /** Returns a cursor over an item and the items of another cursor. */
    static <T> Cursor<T> before(T first, Cursor<T> rest) {
        return new Cursor<>() {
            private boolean begun;

            @Override
            public @Nullable T next() {
                if (begun) {
                    return rest.next();
                }
                begun = true;
                return first;
            }

            @Override
            public void close() {
                rest.close();
            }
        };
    }

    /** Stops reading and releases resources; may be called more than once. */
    @Override
    default void close() {}
}
