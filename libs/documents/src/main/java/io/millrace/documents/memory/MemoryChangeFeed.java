package io.millrace.documents.memory;

import io.millrace.documents.ChangeFeed;
import io.millrace.documents.Mutation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/** A walk over a {@link MemoryShard}. */
final class MemoryChangeFeed implements ChangeFeed {

    private final Supplier<MemoryShard> shards;
    private final IntPredicate vbuckets;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile long position;

    MemoryChangeFeed(Supplier<MemoryShard> shards, long since, IntPredicate vbuckets) {
        this.shards = shards;
        this.vbuckets = vbuckets;
        this.position = since;
    }

    @Override
    public CompletableFuture<List<Mutation>> next(int max) {
        if (closed.isDone()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return MemoryDocumentStore.answer(shards).thenCompose(shard -> read(shard, max));
    }

    private CompletableFuture<List<Mutation>> read(MemoryShard shard, int max) {
        CompletableFuture<Void> change = shard.nextChange(); // taken before reading, so that no change is missed
        List<Mutation> page = shard.after(position, max);
        if (page.isEmpty()) {
            return CompletableFuture.anyOf(change, closed).thenCompose(done -> next(max));
        }
        position = page.getLast().seqno();
        return CompletableFuture.completedFuture(page.stream()
                .filter(mutation -> vbuckets.test(mutation.document().key().vbucket()))
                .toList());
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    @SuppressWarnings("NullAway") // the null that a CompletableFuture<Void> holds
    public void close() {
        closed.complete(null);
    }
}
