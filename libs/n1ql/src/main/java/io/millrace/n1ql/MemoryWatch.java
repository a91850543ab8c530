package io.millrace.n1ql;

/** Sees to it that statements leave the process some memory. Implementations are thread-safe. */
@FunctionalInterface
public interface MemoryWatch {

    /** Watches nothing. */
    MemoryWatch NONE = engine -> {};

    /**
     * Called by every run on its own thread, each few hundred rows: must be quick. May end runs, the caller's among them;
     * see {@link QueryEngine#relieve}.
     */
    void look(QueryEngine engine);
}
