package io.millrace.documents.store;

import io.millrace.documents.BucketChanges;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Limits;
import io.millrace.documents.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A walk over the merged changes of several shards. While there are none it listens to the notifier of all. */
public final class MergedFeed implements ChangeFeed {

    private final BucketChanges changes;
    private final Supplier<CompletableFuture<List<ChangeFeed>>> shards;
    private final CompletableFuture<List<Mutation>> closed = new CompletableFuture<>();
    private volatile long position;

    /** @param shards opens a feed of each shard after what has been merged of it */
    public MergedFeed(BucketChanges changes, Supplier<CompletableFuture<List<ChangeFeed>>> shards, long since) {
        this.changes = changes;
        this.shards = shards;
        this.position = since;
    }

    @Override
    public CompletableFuture<List<Mutation>> next(int max) {
        if (closed.isDone()) {
            return closed;
        }
        int most = Math.min(max, Limits.MAX_PAGE_MUTATIONS);
        return changes.page(new ChangePage.Request(position, false, most, true)).thenCompose(page -> {
            position = page.position();
            if (!page.mutations().isEmpty()) {
                return CompletableFuture.completedFuture(page.mutations());
            }
            return page.more() ? next(max) : change().thenCompose(changed -> next(max));
        });
    }

    private CompletableFuture<?> change() {
        return shards.get().thenCompose(feeds -> {
            List<CompletableFuture<?>> any = new ArrayList<>(List.of(closed));
            feeds.forEach(feed -> any.add(feed.next(1)));
            return CompletableFuture.anyOf(any.toArray(CompletableFuture[]::new))
                    .whenComplete((changed, failure) -> feeds.forEach(ChangeFeed::close));
        });
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void close() {
        closed.complete(List.of());
    }
}
