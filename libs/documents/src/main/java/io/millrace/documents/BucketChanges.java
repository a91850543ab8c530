package io.millrace.documents;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * The changes of a whole bucket in one total order, the same for every reader and at every reading. A bucket of one shard has
 * that order in its shard. One of several gets it from a log that its readers fill when they read; two writes to different
 * shards that end between two readings may come in either order, but then always in that.
 *
 * <p>Futures fail as those of {@link DocumentStore}.
 */
public interface BucketChanges {

    /** Returns the changes of a bucket of one shard. */
    static BucketChanges ofSingleShard(DocumentStore store, String bucket) {
        return new BucketChanges() {
            @Override
            public CompletableFuture<ChangePage> page(ChangePage.Request request) {
                return store.page(bucket, 0, request);
            }

            @Override
            public CompletableFuture<Long> high() {
                return store.highSeqno(bucket, 0);
            }

            @Override
            public CompletableFuture<Long> backlog(long since) {
                return store.backlog(bucket, 0, since);
            }

            @Override
            public CompletableFuture<OptionalLong> place(Document document) {
                return CompletableFuture.completedFuture(OptionalLong.of(document.seqno()));
            }

            @Override
            public ChangeFeed feed(long since) {
                return store.changes(bucket, 0, since);
            }
        };
    }

    /** Returns changes that there are now, all included that were answered before this call. */
    CompletableFuture<ChangePage> page(ChangePage.Request request);

    /** Returns the place of the newest change, or where places start when there is none yet. */
    CompletableFuture<Long> high();

    /** Returns how many changes lie after a place. */
    CompletableFuture<Long> backlog(long since);

    /** Returns the place of a document's latest change; empty when it has changed again since it was read. */
    CompletableFuture<OptionalLong> place(Document document);

    /** Opens a feed after a place. */
    ChangeFeed feed(long since);
}
