package io.millrace.subdocservice.rest;

import io.millrace.documents.BucketChanges;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Mutation;
import io.millrace.documents.forwarding.ForwardingDocumentStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that counts what is read of its feeds. */
final class ReadStore extends ForwardingDocumentStore {

    private final DocumentStore store;
    private final List<AtomicInteger> read = new CopyOnWriteArrayList<>();

    ReadStore(DocumentStore store) {
        this.store = store;
    }

    /** The changes that each feed has returned, in the order in which the feeds were opened. */
    List<AtomicInteger> read() {
        return read;
    }

    @Override
    protected DocumentStore behind() {
        return store;
    }

    @Override
    public BucketChanges inOrder(BucketInfo bucket) {
        return BucketChanges.ofSingleShard(this, bucket.name());
    }

    @Override
    public ChangeFeed changes(String bucket, int shard, long since) {
        ChangeFeed feed = store.changes(bucket, shard, since);
        AtomicInteger count = new AtomicInteger();
        read.add(count);
        return new ChangeFeed() {
            @Override
            public CompletableFuture<List<Mutation>> next(int max) {
                return feed.next(max).whenComplete((mutations, failure) -> {
                    if (mutations != null) {
                        count.addAndGet(mutations.size());
                    }
                });
            }

            @Override
            public long position() {
                return feed.position();
            }

            @Override
            public CompletableFuture<Boolean> intact() {
                return feed.intact();
            }

            @Override
            public void close() {
                feed.close();
            }
        };
    }
}
