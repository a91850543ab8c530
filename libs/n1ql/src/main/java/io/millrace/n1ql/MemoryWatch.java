package io.millrace.n1ql;

/** Limits the memory that statements use. Implementations are thread-safe. */
@FunctionalInterface
public interface MemoryWatch {

    /** Sets no limit. */
    MemoryWatch NONE = engine -> {};

    /**
     * Called by every run on its thread every few hundred rows; must be fast. May end runs, including the caller's;
     * see {@link QueryEngine#relieve}.
     */
    void look(QueryEngine engine);
}
