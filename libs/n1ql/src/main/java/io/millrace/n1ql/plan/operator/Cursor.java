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

    /** Stops reading and releases resources; may be called more than once. */
    @Override
    default void close() {}
}
