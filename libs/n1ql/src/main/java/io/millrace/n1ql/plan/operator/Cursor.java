package io.millrace.n1ql.plan.operator;

import org.jspecify.annotations.Nullable;

/** Gives one item after the other. Belongs to one thread. */
public interface Cursor<T> extends AutoCloseable {

    /** Returns the next item, or null when there is none; not called again after that. */
    @Nullable
    T next();

    /**
     * Returns true when {@link #next} can answer from what is in memory: it waits for no store, and there is no long work
     * before it. False when that is not known.
     */
    default boolean ready() {
        return false;
    }

    /** Stops reading and frees what is held; may be called more than once. */
    @Override
    default void close() {}
}
