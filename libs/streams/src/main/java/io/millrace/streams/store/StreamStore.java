package io.millrace.streams.store;

import java.util.concurrent.CompletableFuture;

/**
 * Streams of encoded events. Thread-safe; no call blocks. Every call is one trip to where the streams are.
 *
 * <p>Futures may fail with {@link io.millrace.documents.DocumentsException} or {@link StreamsException}.
 */
public interface StreamStore {

    /** Reads the tip unless it has the etag that the caller knows; 0 for none. */
    CompletableFuture<TipResult> tip(StreamName stream, long knownEtag);

    /** Appends events and replaces the unfolds, if the stream is where it is expected to be. */
    CompletableFuture<SyncResult> sync(StreamName stream, SyncRequest request);

    /** Reads some batches. */
    CompletableFuture<Page> read(StreamName stream, PageRequest request);

    /**
     * Removes events up to an index, in whole batches from the oldest on, those of the tip one by one. Version and
     * unfolds stay; the etag changes only when the tip had events that went.
     */
    CompletableFuture<PruneResult> prune(StreamName stream, long untilIndex);
}
