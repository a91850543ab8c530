package io.millrace.documents;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** The changes of a bucket of one shard. */
record SingleShardChanges(DocumentStore store, String bucket) implements BucketChanges {

    private static final int SHARD = 0;

    @Override
    public CompletableFuture<ChangePage> page(ChangePage.Request request) {
        return store.page(bucket, SHARD, request);
    }

    @Override
    public CompletableFuture<Long> high() {
        return store.highSeqno(bucket, SHARD);
    }

    @Override
    public CompletableFuture<Long> backlog(long since) {
        return store.backlog(bucket, SHARD, since);
    }

    @Override
    public CompletableFuture<OptionalLong> place(Document document) {
        return CompletableFuture.completedFuture(OptionalLong.of(document.cas()));
    }

    @Override
    public ChangeFeed feed(long since) {
        return store.changes(bucket, SHARD, since);
    }
}
