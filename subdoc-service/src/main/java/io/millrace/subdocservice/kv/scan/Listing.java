package io.millrace.subdocservice.kv.scan;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.Mutation;
import io.millrace.documents.VBuckets;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a range by vbucket. A client scans each of the 1,024 vbuckets; the index of ids knows no vbuckets. So the range is
 * read once, and kept up to date from the change feed: each scan finds what was written before it began. Thread-safe.
 */
final class Listing {

    /** @param collection its number: a later collection of the same name has another one */
    record Range(Keyspace keyspace, int collection, long incarnation, IdRange ids) {}

    private final DocumentStore store;
    private final BucketInfo bucket;
    private final Range range;
    private final IntPredicate room;
    private final Map<Integer, IdBlock> blocks = new HashMap<>();
    private final long[] positions;
    private CompletableFuture<Boolean> running;
    private @Nullable CompletableFuture<Boolean> next;
    private int bytes;
    private int changes;

    /**
     * Starts to read the ids.
     *
     * @param room whether there is room for so many bytes more
     */
    Listing(DocumentStore store, BucketInfo bucket, Range range, IntPredicate room) {
        this.store = store;
        this.bucket = bucket;
        this.range = range;
        this.room = room;
        this.positions = new long[bucket.shards()];
        this.running = start(0).thenCompose(started -> read(range.ids()));
    }

    /** The positions first: what is written while the ids are read is found again in the feed. */
    private CompletableFuture<Boolean> start(int shard) {
        return shard == positions.length
                ? CompletableFuture.completedFuture(true)
                : store.highSeqno(bucket.name(), shard).thenCompose(seqno -> {
                    positions[shard] = seqno;
                    return start(shard + 1);
                });
    }

    private CompletableFuture<Boolean> read(IdRange rest) {
        return store.ids(range.keyspace(), rest, ScanLimits.LISTING_PAGE_IDS).thenCompose(ids -> {
            if (!add(ids)) {
                return CompletableFuture.completedFuture(false);
            }
            return ids.size() < ScanLimits.LISTING_PAGE_IDS
                    ? CompletableFuture.completedFuture(true)
                    : read(rest.after(ids.getLast()));
        });
    }

    private synchronized boolean add(List<String> ids) {
        int more = 0;
        for (String id : ids) {
            more += block(id).add(id.getBytes(StandardCharsets.UTF_8));
        }
        bytes += more;
        return room.test(more);
    }

    private IdBlock block(String id) {
        return blocks.computeIfAbsent(VBuckets.of(id), vbucket -> new IdBlock());
    }

    /** Returns the ids of a vbucket with all changes that were complete before this call; null if they are too many. */
    CompletableFuture<@Nullable List<String>> ids(int vbucket) {
        return current().thenApply(complete -> complete ? of(vbucket) : null);
    }

    private synchronized List<String> of(int vbucket) {
        IdBlock block = blocks.get(vbucket);
        return block == null ? List.of() : block.ids();
    }

    /** Those who ask while changes are read share the next reading. */
    private synchronized CompletableFuture<Boolean> current() {
        CompletableFuture<Boolean> waiting = next;
        if (waiting != null) {
            return waiting;
        }
        CompletableFuture<Boolean> reading = new CompletableFuture<>();
        next = reading;
        running.thenCompose(complete -> {
                    synchronized (this) {
                        running = reading;
                        next = null;
                    }
                    return complete ? follow(0) : CompletableFuture.completedFuture(false);
                })
                .whenComplete((complete, failure) -> {
                    if (failure == null) {
                        reading.complete(complete);
                    } else {
                        reading.completeExceptionally(failure);
                    }
                });
        return reading;
    }

    private CompletableFuture<Boolean> follow(int shard) {
        if (shard == positions.length) {
            return CompletableFuture.completedFuture(true);
        }
        ChangePage.Request request = new ChangePage.Request(positions[shard], false, Limits.MAX_PAGE_MUTATIONS, false);
        return store.page(bucket.name(), shard, request).thenCompose(page -> {
            apply(shard, page);
            return follow(page.more() ? shard : shard + 1);
        });
    }

    private synchronized void apply(int shard, ChangePage page) {
        positions[shard] = page.position();
        changes += page.mutations().isEmpty() ? 0 : 1;
        for (Mutation mutation : page.mutations()) {
            Document document = mutation.document();
            String id = document.key().id();
            if (document.key().keyspace().equals(range.keyspace())
                    && range.ids().contains(id)) {
                block(id).change(id, document.live());
            }
        }
    }

    /** Returns whether so much has changed that the ids are better read again. */
    synchronized boolean outdated() {
        return changes > ScanLimits.MAX_CHANGE_PAGES;
    }

    synchronized int bytes() {
        return bytes;
    }
}
