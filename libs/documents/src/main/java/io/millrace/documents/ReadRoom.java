package io.millrace.documents;

import java.util.concurrent.CompletableFuture;

/**
 * The memory that a process has for large documents. A store asks when it knows the size of a document and before it copies the
 * document, so that many reads at a time cannot fill the memory. Thread-safe; no call blocks.
 */
public interface ReadRoom {

    /** Room for everything. */
    ReadRoom UNLIMITED = new ReadRoom() {
        @Override
        public boolean has(long bytes) {
            return true;
        }

        @Override
        public CompletableFuture<Boolean> reserve(long bytes) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public void hold(long bytes) {}

        @Override
        public void give(long bytes) {}
    };

    /** Returns whether a document of this size may be copied now; who reads it counts it. */
    boolean has(long bytes);

    /** Waits for room for a document; returns true when its bytes are reserved, or false if there is no room in time. */
    CompletableFuture<Boolean> reserve(long bytes);

    /** Counts what a reader keeps in memory, whether there is room for it or not, until it gives it back. */
    void hold(long bytes);

    /** Ends a reservation, when the document has been handed to its reader, who counts it from then on, or a hold. */
    void give(long bytes);
}
