package io.millrace.streams.store;

import java.util.concurrent.CompletableFuture;

/**
 * Streams of encoded events. Thread-safe; no call blocks. Every call is one round trip.
 *
 * <p>Futures may fail with {@link io.millrace.documents.DocumentsException} or {@link StreamsException}.
 */
public interface StreamStore {

    /** Reads the tip, unless its etag is still {@code knownEtag}; 0 always reads it. */
    CompletableFuture<TipResult> tip(StreamName stream, long knownEtag);

    /** Appends events and replaces the unfolds, if the precondition of the request holds. */
    CompletableFuture<SyncResult> sync(StreamName stream, SyncRequest request);

    /** Reads a page of batches. */
    CompletableFuture<Page> read(StreamName stream, PageRequest request);

    /**
     * Removes events up to and including an index: whole batches, oldest first, and single events of the tip. Version
     * and unfolds remain; the etag changes only if events of the tip were removed.
     */
    CompletableFuture<PruneResult> prune(StreamName stream, long untilIndex);
}
